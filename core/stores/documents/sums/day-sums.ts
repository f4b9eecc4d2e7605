import type { GroupQuery, GroupRow } from '../../../contracts/context'
import { where } from '../../../contracts/where'
import { daysAround, daysFrom, daysOfMonth, localDays, monthOf, monthsBetween, stretchesOf } from './days'
import { emptyMonth, type Month, withDays } from './month'
import { createMonthCache, type MonthCache } from './month-cache'
import { type JointSum, jointQuery, jointSums, requestOf, type Shape } from './shape'
import { type DaySums, monthKey, type NewMonth, type StoredMonth, type SumStore } from './store'
import { createTotals } from './totals'

/** Months of workspaces that one question reads. Beyond that it counts the rows. */
const monthsMax = 50_000
/** Months and days that one question computes. Beyond that it counts the rows, and the sweep computes the sums. */
const computedMax = 4_000
/** Workspaces whose rows are read at once. */
const workspacesAtOnce = 50

interface Parts {
  readonly shape: Shape
  readonly store: SumStore
  /** Reads groups of the rows. */
  readonly group: (query: GroupQuery) => Promise<GroupRow[]>
}

interface Wanted {
  readonly workspaces: readonly string[]
  readonly timezone: string
  readonly months: readonly string[]
  /** Whether any amount may be computed. */
  readonly isSweep: boolean
}

/** Creates the sums of an entity. */
export function createDaySums(parts: Parts): DaySums {
  const { shape, store } = parts
  const cache = createMonthCache(store)
  return {
    async read(query) {
      const asked = requestOf(shape, query)
      if (asked === null) return null
      const { workspaces, within } = asked
      const { date_from, date_to, timezone } = within
      const totals = createTotals(shape, asked)
      if (date_from > date_to) return []
      const months = monthsBetween(monthOf(date_from), monthOf(date_to))
      if (workspaces.length * months.length > monthsMax) return null
      const found = await upToDate(parts, cache, { workspaces, timezone, months, isSweep: false })
      if (found === null) return null
      for (const { workspace, month, sums } of found)
        totals.addMonth(workspace, month, sums, (day) => day >= date_from && day <= date_to)
      return totals.result()
    },
    async repair(workspace, timezone) {
      const days = store.touched([workspace]).flatMap(({ day }) => daysAround(day))
      const months = [...new Set(days.map(monthOf))].toSorted()
      if (months.length > 0)
        await upToDate(parts, cache, { workspaces: [workspace], timezone, months, isSweep: true })
    },
    touchedWorkspaces: store.touchedWorkspaces,
    forget: store.forget,
  }
}

interface MonthSums {
  readonly workspace: string
  readonly month: string
  readonly sums: Month
}

/**
 * Returns the months with all changes that were written before. What is missing is computed from the rows and stored. Null if that
 * is too much for one question, or if a month was removed in between.
 */
async function upToDate(parts: Parts, cache: MonthCache, wanted: Wanted): Promise<MonthSums[] | null> {
  const { shape, store } = parts
  const { workspaces, timezone, months, isSweep } = wanted
  // Marks first: a month that is read later has at least the changes whose marks are gone.
  const touched = store.touched(workspaces)
  const stored = new Map(
    store
      .months(workspaces, months[0] ?? '', months.at(-1) ?? '')
      .map((one) => [monthKey(one), one] as const),
  )
  const keptOf = (workspace: string, month: string) => {
    const one = stored.get(monthKey({ workspace, month }))
    return one?.timezone === timezone ? one : undefined
  }
  const inside = new Set(months)
  const changed = touched
    .flatMap(({ workspace, day }) => localDays(day, timezone).map((one) => ({ workspace, day: one })))
    .filter(({ workspace, day }) => inside.has(monthOf(day)) && keptOf(workspace, monthOf(day)))
  const absent = months.flatMap((month) => {
    const without = workspaces.filter((workspace) => !keptOf(workspace, month))
    return without.length === 0 ? [] : [{ ...daysOfMonth(month), workspaces: without }]
  })
  const effort = absent.reduce((sum, one) => sum + one.workspaces.length, changed.length)
  if (effort > computedMax && !isSweep) return null
  const computed = new Map<string, Map<string, JointSum[]>>()
  for (const stretch of [...absent, ...stretchesOf(changed)])
    for (let from = 0; from < stretch.workspaces.length; from += workspacesAtOnce) {
      const some = stretch.workspaces.slice(from, from + workspacesAtOnce)
      const days = { ...stretch, timezone }
      const rows = await parts.group(jointQuery(shape, days, where.in('workspace_id', some)))
      take(computed, { ...stretch, workspaces: some }, jointSums(shape, rows))
    }
  const fresh = new Map<string, Month>()
  const saved: NewMonth[] = []
  for (const [key, days] of computed) {
    const [workspace = '', month = ''] = key.split(' ')
    const kept = keptOf(workspace, month)
    const others = kept ? cache.read(kept) : emptyMonth()
    if (others === null) return null
    const sums = withDays(others, shape, days)
    fresh.set(key, sums)
    const before = stored.get(key)?.stamp ?? null
    saved.push({ workspace, month, timezone, text: JSON.stringify(sums), before })
  }
  const done = touched.filter(({ day }) => daysAround(day).every((one) => inside.has(monthOf(one))))
  if (saved.length + done.length > 0) await store.save(saved, done)
  const found: MonthSums[] = []
  for (const workspace of workspaces)
    for (const month of months) {
      const key = monthKey({ workspace, month })
      const sums = fresh.get(key) ?? cache.read(stored.get(key) as StoredMonth)
      if (sums === null) return null
      found.push({ workspace, month, sums })
    }
  return found
}

/** Adds the days of a stretch. A day without rows gets empty sums, so that rows which are gone no longer count. */
function take(
  computed: Map<string, Map<string, JointSum[]>>,
  stretch: { readonly date_from: string; readonly date_to: string; readonly workspaces: readonly string[] },
  sums: readonly JointSum[],
): void {
  const month = monthOf(stretch.date_from)
  const days = daysFrom(stretch)
  for (const workspace of stretch.workspaces) {
    const key = monthKey({ workspace, month })
    const known = computed.get(key) ?? new Map<string, JointSum[]>()
    computed.set(key, known)
    for (const day of days) known.set(day, [])
  }
  for (const sum of sums)
    computed
      .get(monthKey({ workspace: sum.workspace, month }))
      ?.get(sum.day)
      ?.push(sum)
}
