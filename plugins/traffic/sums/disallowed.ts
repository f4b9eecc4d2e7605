import { field, type ReadContext, type Where } from 'renown'
import * as v from 'valibot'
import { AiTrafficDaily } from '../records/AiTrafficDaily'

const count = (description: string) => field.integer(description, { min: 0 })

/** A page that an agent fetched on days on which robots.txt disallowed it. */
export interface DisallowedPage {
  readonly path: string
  readonly agent: string
  readonly rule: string
  readonly hits: number
  readonly verified: number
}

/** The judgement of a period by the robots.txt of each day. */
export interface RobotsSums {
  readonly judged: number
  readonly disallowed: number
  readonly verified: number
  /** Most fetched pages first. */
  readonly pages: readonly DisallowedPage[]
}

const listedMax = 25

/** The judgement in the answer of an operation. */
export const robotsSums = {
  schema: v.pipe(
    v.object({
      judged: count('Hits of days whose robots.txt is known, without spoofed ones'),
      disallowed: count('Those on paths that every robots.txt of the day disallowed for the agent'),
      verified: count('Verified ones of those'),
      most: v.pipe(
        v.array(
          v.object({
            path: field.text('Path without query'),
            agent: field.code('Agent that fetched it'),
            rule: field.text('Rule of the robots.txt'),
            hits: count('Minimum number of such hits'),
            verified: count('Verified ones of those'),
          }),
        ),
        v.description(`The most fetched of these pages, at most ${listedMax}`),
      ),
    }),
    v.description('Pages that agents fetched although robots.txt disallowed it'),
  ),
  of: ({ pages, ...sums }: RobotsSums) => ({ ...sums, most: pages.slice(0, listedMax) }),
}

/** Reads the judgement of these days. */
export async function readDisallowed(ctx: ReadContext, where: Where): Promise<RobotsSums> {
  const rows = ctx.rows(AiTrafficDaily)
  const [[sums], pages] = await Promise.all([
    rows.group({
      where,
      by: [],
      measures: (['judged', 'disallowed', 'verified'] as const).map((name) => ({
        as: name,
        fn: 'sum' as const,
        field: `robots_check.${name}`,
      })),
    }),
    rows.groupEntries({
      where,
      of: 'robots_check.most',
      by: [
        { as: 'path', entry: 'value.path' },
        { as: 'agent', entry: 'value.agent' },
        { as: 'rule', entry: 'value.rule' },
      ],
      measures: [
        { as: 'hits', fn: 'sum', entry: 'value.hits' },
        { as: 'verified', fn: 'sum', entry: 'value.verified' },
      ],
    }),
  ])
  return {
    judged: Number(sums?.judged ?? 0),
    disallowed: Number(sums?.disallowed ?? 0),
    verified: Number(sums?.verified ?? 0),
    pages: pages
      .map(({ path, agent, rule, hits, verified }) => ({
        path: String(path),
        agent: String(agent),
        rule: String(rule),
        hits: Number(hits),
        verified: Number(verified),
      }))
      .sort((a, b) => b.hits - a.hits || order(a.path, b.path) || order(a.agent, b.agent)),
  }
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
