import {
  defineOperation,
  defineRate,
  field,
  periodInput,
  periodOf,
  periodSchema,
  type ReadContext,
  todayOf,
  type Where,
} from 'renown'
import * as v from 'valibot'
import { emptiness, emptyFields } from '../sums/emptiness'
import { answered, choosing, everyRun, narrowing, runsOf } from '../sums/scope'
import { trackedBy } from '../sums/tracked'

const citedShare = defineRate(
  'visibility.cited_share@1',
  'Answers that cite this source, among all answers. Sources that were consulted and not cited do not count',
)

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
    limit: v.optional(field.integer('Most sources to answer', { min: 1, max: 200 }), 50),
    skip: v.optional(field.integer('Number of sources to skip', { min: 0, max: 100_000 }), 0),
  }),
  output: v.object({
    period: periodSchema('The requested period. Default 30 days'),
    ...emptyFields,
    answers: count('Answers that were looked at'),
    sources: v.pipe(
      v.array(
        v.object({
          domain: field.text('Domain of the source'),
          is_own: field.flag("It is a brand's own site"),
          cited: citedShare.schema,
          citations: count('Times it is cited; an answer may cite several of its pages'),
          consulted: count('Answers that consulted it without citing it'),
          avg_position: v.nullable(
            field.number('Average place among the sources, over citations that have one', { min: 1 }),
          ),
          engines: field.texts('Engines that cited or consulted it'),
          pages: v.pipe(
            v.array(v.object({ url: field.text('Page'), citations: count('Times it is cited') })),
            v.description(`Its most cited pages, at most ${urlsMax}`),
          ),
        }),
      ),
      v.description('Domains, the most cited first, then the most consulted'),
    ),
    total: count('Sources, on all pages'),
    limit: field.integer('The limit applied'),
    skip: field.integer('The number left out'),
    has_more: field.flag('There are more after these'),
  }),
  async run(ctx, { tracker_id, location_id, engine, country, own, limit, skip, ...input }) {
    const { period } = periodOf(input, { today: todayOf(ctx), days: 30 })
    const tracked = await trackedBy(ctx, { tracker_id, location_id, engine, country })
    const matching = runsOf(ctx, tracked.scope, period, answered)
    const { answers, sources } = await gather(ctx, matching)
    const all = [...sources.values()]
      .filter(({ isOwn }) => own === undefined || isOwn === own)
      .sort((a, b) => b.citedIn - a.citedIn || b.consulted - a.consulted || (a.domain < b.domain ? -1 : 1))
    const page = all.slice(skip, skip + limit)
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

interface Source {
  readonly domain: string
  isOwn: boolean
  citedIn: number
  citations: number
  consulted: number
  placed: number
  places: number
  readonly engines: Set<string>
  readonly pages: Map<string, number>
}

async function gather(ctx: ReadContext, matching: Where) {
  const sources = new Map<string, Source>()
  let answers = 0
  for await (const { engine, citations } of everyRun(ctx, matching)) {
    answers++
    for (const [domain, mine] of Map.groupBy(citations, (citation) => citation.domain)) {
      const source = sourceIn(sources, domain)
      const cited = mine.filter((citation) => citation.cited)
      source.engines.add(engine)
      source.isOwn ||= mine.some((citation) => citation.is_own)
      if (cited.length > 0) source.citedIn++
      else source.consulted++
      source.citations += cited.length
      for (const { url, position } of cited) {
        if (url !== undefined) source.pages.set(url, (source.pages.get(url) ?? 0) + 1)
        if (position === undefined) continue
        source.placed++
        source.places += position
      }
    }
  }
  return { answers, sources }
}

function sourceIn(sources: Map<string, Source>, domain: string): Source {
  const known = sources.get(domain)
  if (known) return known
  const counts = { citedIn: 0, citations: 0, consulted: 0, placed: 0, places: 0 }
  const made = { domain, isOwn: false, ...counts, engines: new Set<string>(), pages: new Map() }
  sources.set(domain, made)
  return made
}

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
