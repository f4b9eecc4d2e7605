import { defineOperation, field, periodInput, periodOf, periodSchema, todayOf } from 'renown'
import * as v from 'valibot'
import { emptiness, emptyFields } from '../sums/emptiness'
import { sourcesOf } from '../sums/named-sums'
import { choosing, narrowing } from '../sums/scope'
import { citedShare, type Source } from '../sums/sources'
import { spanOf, trackedBy } from '../sums/tracked'

const urlsMax = 5
const count = (description: string) => field.integer(description, { min: 0 })

/** Returns the sources that AI assistants cite. */
export const listCitedSources = defineOperation({
  name: 'listCitedSources',
  summary: 'Domains that AI assistants cite in their answers, and those they only consult',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    ...periodInput,
    ...choosing,
    ...narrowing,
    own: v.optional(field.flag("true: only the brands' own sites; false: only others")),
    limit: v.optional(field.integer('Maximum sources in the answer', { min: 1, max: 200 }), 50),
    skip: v.optional(field.integer('Number of sources to skip', { min: 0, max: 100_000 }), 0),
  }),
  output: v.object({
    period: periodSchema('The requested period. Default 28 days'),
    ...emptyFields,
    answers: count('Number of answers'),
    sources: v.pipe(
      v.array(
        v.object({
          domain: field.text('Domain of the source'),
          is_own: field.flag("It is a brand's own site"),
          cited: citedShare.schema,
          citations: count('Times it is cited; an answer may cite several of its pages'),
          consulted: count('Answers that consulted it without citing it'),
          avg_position: v.nullable(
            field.number('Average position among the sources, over citations with a position', { min: 1 }),
          ),
          engines: field.codes('Engines that cited or consulted it'),
          pages: v.pipe(
            v.array(v.object({ url: field.text('Page'), citations: count('Times it is cited') })),
            v.description(`Its most cited pages, at most ${urlsMax}`),
          ),
        }),
      ),
      v.description('Domains, most cited first, then most consulted'),
    ),
    total: count('Number of sources on all pages'),
    limit: field.integer('The limit applied'),
    skip: field.integer('The number left out'),
    has_more: field.flag('Whether there are more after these'),
  }),
  async run(ctx, { tracker_id, location_id, engine, country, own, limit, skip, ...input }) {
    const { period } = periodOf(input, { today: todayOf(ctx), days: 28 })
    const tracked = await trackedBy(ctx, { tracker_id, location_id, engine, country })
    const { answers, ranked, withPages } = await sourcesOf(ctx, spanOf(tracked, period))
    const all = ranked.filter(({ isOwn }) => own === undefined || isOwn === own)
    const page = await withPages(all.slice(skip, skip + limit))
    return {
      period,
      ...(await emptiness(ctx, tracked, period, answers)),
      answers,
      sources: page.map((source) => lineOf(source, answers)),
      total: all.length,
      limit,
      skip,
      has_more: skip + page.length < all.length,
    }
  },
})

const lineOf = (source: Source, answers: number) => ({
  domain: source.domain,
  is_own: source.isOwn,
  cited: citedShare.of(source.citedIn, answers),
  citations: source.citations,
  consulted: source.consulted,
  avg_position: source.placed === 0 ? null : Math.round((source.places / source.placed) * 1e4) / 1e4,
  engines: [...source.engines].sort(),
  pages: [...source.pages]
    .map(([url, citations]) => ({ url, citations }))
    .sort((a, b) => b.citations - a.citations || (a.url < b.url ? -1 : 1))
    .slice(0, urlsMax),
})
