import { type Period, type ReadContext, where } from 'renown'
import { type TrafficCategory, trafficCategories } from 'renown/traffic'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { type Day, daysWhere, type SiteInput } from '../records/days'
import type { TrafficFilters } from './traffic-filters'

/** A page with a lower limit of its hits. */
export interface PathLine {
  readonly path: string
  readonly hits: number
  readonly category: TrafficCategory | null
}

/** The rows that the lists are computed from. */
export interface Shown {
  readonly input: SiteInput
  readonly asked: TrafficFilters
  readonly period: Period
  /** Whether the period has no daily row. */
  readonly isEmpty: boolean
}

/** A page of the ranking, and the first day that lists it. */
export interface RankedPath {
  readonly path: string
  readonly hits: number
  readonly first: string
}

/** Returns all listed pages, most fetched first. Null if path lists do not support the filter. */
export async function rankedPaths(ctx: ReadContext, shown: Shown): Promise<RankedPath[] | null> {
  const { input, asked, period, isEmpty } = shown
  if (asked.agent !== null || asked.operator !== null) return null
  if (isEmpty) return []
  const wanted = categoryOf(asked)
  const found = await ctx.rows(AiTrafficDaily).groupEntries({
    where: daysWhere(input, period),
    of: wanted ? `paths_by_category.${wanted}` : 'top_paths',
    by: [{ as: 'path', entry: 'value.path' }],
    measures: [
      { as: 'hits', fn: 'sum', entry: 'value.hits' },
      { as: 'first', fn: 'min', field: 'date' },
    ],
  })
  return found
    .map(({ path, hits, first }) => ({ path: String(path), hits: Number(hits), first: String(first) }))
    .filter(({ path }) => asked.page === null || path === asked.page)
    .sort((a, b) => b.hits - a.hits || (a.path < b.path ? -1 : 1))
}

/** Adds the main purpose to pages. It reads whole rows, so pass only the pages that are shown. */
export async function withCategories(
  ctx: ReadContext,
  { input, asked }: Shown,
  top: readonly RankedPath[],
): Promise<PathLine[]> {
  const wanted = categoryOf(asked)
  const mostlyOf = wanted ? () => wanted : await firstCategories(ctx, input, top)
  return top.map(({ path, hits, first }) => ({ path, hits, category: mostlyOf(path, first) }))
}

const categoryOf = ({ category }: TrafficFilters) => trafficCategories.find((known) => known === category)

/** Returns the main purpose of a page on the first day that lists it. */
async function firstCategories(
  ctx: ReadContext,
  input: SiteInput,
  top: readonly { readonly first: string }[],
): Promise<(path: string, first: string) => TrafficCategory | null> {
  const dates = [...new Set(top.map(({ first }) => first))].sort()
  if (dates.length === 0) return () => null
  const within = daysWhere(input, { date_from: dates[0] ?? '', date_to: dates.at(-1) ?? '' })
  const days = await ctx.rows(AiTrafficDaily).list({
    where: where.and(within, where.in('date', dates)),
    fields: ['date', 'top_paths', 'paths_by_category'],
    sort: [{ field: 'date', direction: 'asc' }],
  })
  return (path, first) => {
    const day = days.find(
      ({ date, top_paths }) => date === first && top_paths.some((top) => top.path === path),
    )
    return day ? mostly(day.paths_by_category, path) : null
  }
}

function mostly(lists: Day['paths_by_category'], path: string): TrafficCategory | null {
  let most: { category: TrafficCategory; hits: number } | null = null
  for (const category of trafficCategories) {
    const found = lists[category]?.find((entry) => entry.path === path)
    if (found && found.hits > (most?.hits ?? 0)) most = { category, hits: found.hits }
  }
  return most?.category ?? null
}

/** Returns the landing pages of visits from assistants. Null if they do not support the filter. */
export async function landingLines(
  ctx: ReadContext,
  { input, asked, period, isEmpty }: Shown,
): Promise<{ path: string; visits: number }[] | null> {
  if (asked.agent !== null || asked.category !== null || asked.operator !== null) return null
  if (isEmpty) return []
  const found = await ctx.rows(AiTrafficDaily).groupEntries({
    where: daysWhere(input, period),
    of: 'referral_paths',
    by: [{ as: 'path', entry: 'value.path' }],
    measures: [{ as: 'visits', fn: 'sum', entry: 'value.visits' }],
  })
  return found
    .map(({ path, visits }) => ({ path: String(path), visits: Number(visits) }))
    .filter(({ path }) => asked.page === null || path === asked.page)
    .sort((a, b) => b.visits - a.visits || (a.path < b.path ? -1 : 1))
}
