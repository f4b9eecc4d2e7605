import {
  defineOperation,
  field,
  ours,
  periodInput,
  periodOf,
  periodSchema,
  type Rate,
  type ReadContext,
  Refusal,
  todayOf,
  where,
} from 'renown'
import * as v from 'valibot'
import { pageAddress } from '../journey/page-address'
import { citationsOf, pageCitations } from '../journey/page-citations'
import { type JourneyFigures, type JourneyQuestion, journeyStage, type journeyStages } from '../journey/stage'
import { answerStatuses } from '../records/runStatus'
import { emptiness, emptyFields } from '../sums/emptiness'
import { runsOf } from '../sums/scope'
import { trackedBy } from '../sums/tracked'

const scopes = ['page', 'site', 'location'] as const
const count = (description: string) => field.integer(description, { min: 0 })
const verified = v.nullable(
  v.pipe(
    v.object({
      definition: field.code('How the rate is counted, with a version'),
      k: count('Verified'),
      n: count('All'),
      rate: v.nullable(field.number('k / n; null where n is 0', { min: 0, max: 1 })),
      ci95: v.nullable(v.pipe(v.array(v.number()), v.length(2), v.description('95 % interval'))),
    }),
    v.description(
      'Share whose address is in the published ranges of its operator. Null where this is not known',
    ),
  ),
)

const stage = (description: string) =>
  v.pipe(
    v.nullable(
      v.object({
        scope: field.oneOf(scopes, 'What the total belongs to'),
        total: count('How many in the period'),
        is_at_least: field.flag('The true number may be higher'),
        first_day: v.nullable(field.day('First day with any')),
        last_day: v.nullable(field.day('Last day with any')),
        by: v.array(
          v.object({
            name: field.code('Purpose, agent or source'),
            scope: field.oneOf(scopes, 'What the count belongs to'),
            count: count('How many'),
            verified,
          }),
        ),
        notes: ours(field.texts('What these figures do not include')),
      }),
    ),
    v.description(description),
  )

/** Returns what happened to a page: crawls, citations, visits and leads of the same period. */
export const getPageJourney = defineOperation({
  name: 'getPageJourney',
  summary:
    'A page from crawl to lead: which AI agents fetch it, which answers cite it, and the visits and leads of the same period. No causes',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    path: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(2_000),
      v.description(
        'Path such as /services, or the whole address of the page. Query and fragment are ignored',
      ),
    ),
    location_id: v.optional(field.text('Only this business location')),
    ...periodInput,
  }),
  output: v.object({
    path: field.text('Path of the page, without query and without a slash at its end'),
    domain: v.nullable(field.text('Host of the page. Null: pages of all own sites with this path')),
    period: periodSchema('The requested period. Default 90 days'),
    relation: v.pipe(
      v.literal('co_occurrence'),
      v.description('The figures are of the same period. None is the cause of another'),
    ),
    says: ours(field.text('The same in a sentence')),
    crawls: stage('Fetches by AI agents. Null if no site is counted'),
    citations: v.pipe(pageCitations, v.description('Answers that cite the page')),
    ...emptyFields,
    visits: stage('People who came from an AI assistant. Null if no site is counted'),
    leads: stage('Leads of the location, not of the page. Null if there are none'),
  }),
  async run(ctx, { path: given, location_id, ...input }) {
    const page = pageAddress(given)
    if (!page) throw wrong('is neither a path such as /services nor a web address')
    const { period } = periodOf(input, { today: todayOf(ctx), days: 90 })
    const tracked = await trackedBy(ctx, { location_id })
    const asked = { ...page, location_id, period }
    const [citations, crawls, visits, leads] = await Promise.all([
      citationsOf(ctx, runsOf(ctx, tracked.scope, period, where.in('status', answerStatuses)), page),
      figuresOf(ctx, 'crawls', asked),
      figuresOf(ctx, 'visits', asked),
      figuresOf(ctx, 'leads', asked),
    ])
    return {
      ...page,
      period,
      relation: 'co_occurrence' as const,
      says: 'These figures are of the same period. They do not show that one led to another.',
      crawls,
      citations,
      ...(await emptiness(ctx, tracked, period, citations.cited.n)),
      visits,
      leads,
    }
  },
})

async function figuresOf(ctx: ReadContext, name: (typeof journeyStages)[number], asked: JourneyQuestion) {
  const found = ctx.extensions(journeyStage).find((one) => one.stage === name)
  const figures = await found?.read(ctx, asked)
  return figures ? mutable(figures) : null
}

const mutable = ({ by, notes, ...figures }: JourneyFigures) => ({
  ...figures,
  by: by.map((one) => ({ ...one, verified: one.verified && wholeRate(one.verified) })),
  notes: [...notes],
})

const wholeRate = ({ definition, k, n, rate, ci95 }: Rate) => ({
  definition,
  k,
  n,
  rate,
  ci95: ci95 && [...ci95],
})

const wrong = (message: string) =>
  new Refusal('invalid_field', `The field path ${message}.`, {
    errors: [{ pointer: '/path', code: 'invalid', message }],
  })
