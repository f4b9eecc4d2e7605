import { field, type ReadContext, type Where } from 'renown'
import * as v from 'valibot'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import type { AnswerTally } from './tally'

const count = (description: string) => field.integer(description, { min: 0 })

/** An error of a page, as a crawler got it. */
export interface CrawlerError {
  readonly path: string
  readonly agent: string
  readonly status: number
  readonly hits: number
  readonly verified: number
}

/** Maximum errors in an answer of an operation. */
const listedMax = 25

/** The errors in the answer of an operation. */
export const crawlerErrors = {
  schema: v.pipe(
    v.object({
      hits: count('Crawler hits of the period without spoofed ones'),
      with_status: count('Those with a known HTTP status. Nothing is known about the others'),
      client_errors: count('Answers with a 4xx, among those with a status'),
      server_errors: count('Answers with a 5xx, among those with a status'),
      most: v.pipe(
        v.array(
          v.object({
            path: field.text('Path without query'),
            agent: field.code('Agent that got the error'),
            status: count('HTTP status'),
            hits: count('Minimum number of such answers, from the days that list it'),
            verified: count('Those to verified hits'),
          }),
        ),
        v.description(`The most frequent errors, at most ${listedMax}`),
      ),
    }),
    v.description('Errors that crawlers got'),
  ),
  of: (answers: AnswerTally, errors: readonly CrawlerError[]) => ({
    ...answers,
    most: errors.slice(0, listedMax),
  }),
}

/** Reads the errors in the lists of these days, most frequent first. */
export async function readErrors(ctx: ReadContext, where: Where): Promise<CrawlerError[]> {
  const found = await ctx.rows(AiTrafficDaily).groupEntries({
    where,
    of: 'crawler_errors',
    by: [
      { as: 'path', entry: 'value.path' },
      { as: 'agent', entry: 'value.agent' },
      { as: 'status', entry: 'value.status' },
    ],
    measures: [
      { as: 'hits', fn: 'sum', entry: 'value.hits' },
      { as: 'verified', fn: 'sum', entry: 'value.verified' },
    ],
  })
  return found
    .map(({ path, agent, status, hits, verified }) => ({
      path: String(path),
      agent: String(agent),
      status: Number(status),
      hits: Number(hits),
      verified: Number(verified),
    }))
    .sort(
      (a, b) => b.hits - a.hits || order(a.path, b.path) || order(a.agent, b.agent) || a.status - b.status,
    )
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
