import { field } from 'renown'
import * as v from 'valibot'

const definition = 'ai_traffic.crawls_per_visit@1'

/** The number of verified crawls by an operator's agents per visit from its assistant, with both counts. */
export interface CrawlsPerVisit {
  readonly definition: typeof definition
  readonly crawls: number
  readonly visits: number
  /** crawls / visits. Null without visits. */
  readonly ratio: number | null
}

export const crawlsPerVisit = {
  definition,
  schema: v.pipe(
    v.object({
      definition: v.pipe(v.literal(definition), v.description('How the ratio is counted, with a version')),
      crawls: field.integer("Verified crawls of the operator's agents", { min: 0 }),
      visits: field.integer('Visits from its assistant. A floor', { min: 0 }),
      ratio: v.nullable(field.number('crawls / visits; null without visits', { min: 0 })),
    }),
    v.description("Verified crawls of an operator's agents for each visit that its assistant sent"),
    v.examples([{ definition, crawls: 1_520, visits: 10, ratio: 152 }]),
  ),
  of: (crawls: number, visits: number): CrawlsPerVisit => ({
    definition,
    crawls,
    visits,
    ratio: visits > 0 ? Math.round((crawls / visits) * 1e4) / 1e4 : null,
  }),
}
