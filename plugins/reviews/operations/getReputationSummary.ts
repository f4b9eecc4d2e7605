import {
  defineOperation,
  field,
  foreignEntity,
  type Period,
  periodInput,
  periodOf,
  periodSchema,
  type ReadContext,
  todayOf,
  where,
  wilson,
} from 'renown'
import * as v from 'valibot'
import { Review } from '../records/Review'
import { readInPart, readInWhole } from './coverage'
import { mentionFigures, mentionsOf } from './mentions'
import { responseRate } from './rates'
import { averageOf, type Counted, countReviews, figures, figuresOf, sum } from './tally'
import { visibleReviews, waitsForReply } from './visible'

/** The fields of a location that reviews read. */
export const BusinessLocation = foreignEntity('BusinessLocation', {
  business_name: field.text('Name of the business'),
  is_prospect: field.flag('A prospect: a business that the agency wants to win as a client'),
})

const limitDefault = 200
const limitMax = 1_000
const skipMax = 100_000
const scoreDefinition = 'reputation.score@1'
const count = (description: string) => field.integer(description, { min: 0 })

const score = v.pipe(
  v.object({
    definition: v.pipe(
      v.literal(scoreDefinition),
      v.description('How the score is computed, with a version'),
    ),
    value: v.nullable(
      field.integer('0 to 100; null if no review has stars, or the period was not read completely', {
        min: 0,
        max: 100,
      }),
    ),
  }),
  v.description(
    '100 times the lower bound of the 95 % Wilson interval of the share of four and five stars. With few reviews, the score is low',
  ),
)

const location = v.object({
  location_id: field.code('Business location'),
  business_name: field.text('Its name'),
  reviews: count('Reviews of the period'),
  previous_reviews: count('Reviews of the previous period'),
  average_rating: v.nullable(
    field.number('Average of the stars; null if there are none', { min: 1, max: 5 }),
  ),
  previous_average_rating: v.nullable(
    field.number(
      'Average of the stars in the previous period; null if there are none, or it was not read completely',
      { min: 1, max: 5 },
    ),
  ),
  response_rate: responseRate.schema,
  waiting: count('Reviews that wait for a reply, of any date'),
  score,
})

/** Returns the reputation of one business, or of all in a workspace. */
export const getReputationSummary = defineOperation({
  name: 'getReputationSummary',
  summary: 'Key figures of reviews and mentions of a period, by location, compared with the previous period',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    ...periodInput,
    location_id: v.optional(field.text('Only this business location')),
    limit: v.optional(
      field.integer('Maximum locations in the answer', { min: 1, max: limitMax }),
      limitDefault,
    ),
    skip: v.optional(field.integer('Number of locations to skip', { min: 0, max: skipMax }), 0),
  }),
  output: v.object({
    period: periodSchema('The requested period. Default 28 days'),
    previous_period: periodSchema('The period of the same length before it'),
    timezone: field.code('Time zone of the days: that of the workspace'),
    read_in_whole: readInWhole,
    score,
    previous_score: score,
    reviews: v.pipe(v.object(figures), v.description('Reviews of the period')),
    previous_reviews: v.pipe(v.object(figures), v.description('Reviews of the previous period')),
    waiting: count('Reviews that wait for a reply, of any date'),
    mentions: v.pipe(
      v.object(mentionFigures),
      v.description('Mentions of the period, as trackers found them'),
    ),
    locations: v.pipe(
      v.array(location),
      v.description('A page of the locations, those with most reviews first; prospects are left out'),
    ),
    locations_total: count('Number of locations on all pages'),
    limit: count('The limit applied to the locations'),
    skip: count('The number of locations left out'),
    has_more: field.flag('Whether there are more locations after these'),
  }),
  async run(ctx, { location_id, limit, skip, ...input }) {
    const { period, previous } = periodOf(input, { today: todayOf(ctx), days: 28 })
    const countIn = ({ date_from: from, date_to: to }: Period) =>
      countReviews(ctx, { location_id }, { from, to, by: 'location' })
    const [now, before, waiting, mentions, places, partly] = await Promise.all([
      countIn(period),
      countIn(previous),
      waitingOf(ctx, location_id),
      mentionsOf(ctx, location_id, { period, previous }),
      placesOf(ctx, location_id),
      readInPart(ctx, { location_id }, { date_from: previous.date_from, date_to: period.date_to }),
    ])
    const locations = places
      .map((place) =>
        locationOf(place, now, before, {
          waiting: waiting.get(place.id) ?? 0,
          isWhole: !partly.has(place.id),
        }),
      )
      .sort((a, b) => b.reviews - a.reviews || byName(a, b))
    return {
      period,
      previous_period: previous,
      timezone: ctx.workspace.timezone,
      read_in_whole: partly.size === 0,
      score: scoreOf(now),
      previous_score: partly.size === 0 ? scoreOf(before) : { ...scoreOf(before), value: null },
      reviews: figuresOf(now),
      previous_reviews: figuresOf(before),
      waiting: [...waiting.values()].reduce((total, n) => total + n, 0),
      mentions,
      locations: locations.slice(skip, skip + limit),
      locations_total: locations.length,
      limit,
      skip,
      has_more: skip + limit < locations.length,
    }
  },
})

interface Named {
  readonly location_id: string
  readonly business_name: string
}

/** Equal names are ordered by id, so that pages never overlap. */
const byName = (a: Named, b: Named) =>
  a.business_name === b.business_name
    ? a.location_id < b.location_id
      ? -1
      : 1
    : a.business_name < b.business_name
      ? -1
      : 1

interface Place {
  readonly id: string
  readonly business_name: string
}

function locationOf(
  { id, business_name }: Place,
  now: Counted,
  before: Counted,
  { waiting, isWhole }: { readonly waiting: number; readonly isWhole: boolean },
) {
  const here = ofLocation(now, id)
  const earlier = ofLocation(before, id)
  return {
    location_id: id,
    business_name,
    reviews: sum(here.stars),
    previous_reviews: sum(earlier.stars),
    average_rating: averageOf(here.stars),
    previous_average_rating: isWhole ? averageOf(earlier.stars) : null,
    response_rate: responseRate.of(sum(here.replied), sum(here.stars)),
    waiting,
    score: scoreOf(here),
  }
}

const ofLocation = ({ stars, replied }: Counted, id: string): Counted => ({
  stars: stars.filter(({ location_id }) => location_id === id),
  replied: replied.filter(({ location_id }) => location_id === id),
  sentiments: [],
})

function scoreOf({ stars }: Counted) {
  const rated = stars.filter((row) => row.stars !== null)
  const low = wilson(sum(rated.filter((row) => (row.stars ?? 0) >= 4)), sum(rated))?.[0]
  return { definition: scoreDefinition, value: low === undefined ? null : Math.round(low * 100) } as const
}

/** Returns the waiting reviews by location. */
async function waitingOf(ctx: ReadContext, location_id: string | undefined): Promise<Map<string, number>> {
  const waiting = visibleReviews({ location_id }, waitsForReply)
  const groups = await ctx
    .rows(Review)
    .group({ where: waiting, by: ['location_id'], measures: [{ as: 'n', fn: 'count' }] })
  return new Map(groups.map((group) => [String(group.location_id), Number(group.n)]))
}

const pageSize = 1000

/** Returns the requested locations, without prospects. */
async function placesOf(ctx: ReadContext, location_id: string | undefined): Promise<Place[]> {
  const one = location_id === undefined ? [] : [where.eq('id', location_id)]
  const clients = where.and(where.ne('is_prospect', true), ...one)
  return Array.fromAsync(ctx.rows(BusinessLocation).each({ where: clients, size: pageSize }))
}
