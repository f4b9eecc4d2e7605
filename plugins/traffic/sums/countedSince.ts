import { type Period, type ReadContext, where } from 'renown'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { type SiteInput, siteWhere } from '../records/days'

/** The first days with counts, the latest of the sites. Null if nothing was ever counted. */
export interface CountedSince {
  /** First day with crawler hits. */
  readonly hits: string | null
  /** First day with visits. */
  readonly visits: string | null
}

/** Returns the first day from which every site that has counts was counted. Ignores sites without counts. */
export async function countedSince(ctx: ReadContext, input: SiteInput): Promise<CountedSince> {
  const [hits, visits] = await Promise.all([
    firstDay(ctx, input, 'crawler_hits'),
    firstDay(ctx, input, 'referral_visits'),
  ])
  return { hits, visits }
}

/**
 * Whether every day of the period was counted completely. The first counted day is not, because counting may
 * have started at any hour of it.
 */
export const isCounted = (since: string | null, { date_from }: Pick<Period, 'date_from'>): boolean =>
  since !== null && since < date_from

/** Returns the warning that the previous period has days without counts. Empty if all days were counted. */
export const uncountedFloor = (isWhole: boolean): readonly string[] =>
  isWhole
    ? []
    : [
        'Not every day of the previous period was counted: its figures are too low, and 0 where nothing was counted.',
      ]

async function firstDay(
  ctx: ReadContext,
  input: SiteInput,
  field: 'crawler_hits' | 'referral_visits',
): Promise<string | null> {
  const firsts = await ctx.rows(AiTrafficDaily).group({
    where: where.and(siteWhere(input), where.gt(field, 0)),
    by: ['site_id'],
    measures: [{ as: 'first', fn: 'min', field: 'date' }],
  })
  return (
    firsts
      .map(({ first }) => String(first))
      .sort()
      .at(-1) ?? null
  )
}
