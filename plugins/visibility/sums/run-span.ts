import { instantsOf, type Period, type ReadContext, shiftDay, type Where, where } from 'renown'
import type { SumKind } from '../records/VisibilitySum'
import { runsEver, type Scope } from './scope'
import type { Sealed } from './sealed'

/** An engine on a day, such as that of an incident. */
export interface EngineDate {
  readonly engine: string
  readonly day: string
}

/** Which runs are summed: those of a period, without some days of engines. */
export interface RunSpan {
  readonly scope: Scope
  readonly sealed: Sealed | null
  readonly period: Pick<Period, 'date_from' | 'date_to'>
  readonly without?: readonly EngineDate[]
}

type Days = RunSpan['period']

/** Returns the condition for the runs of a span in documents. `isOpen`: only of days that are not sealed. */
export function documentsOf(ctx: ReadContext, span: RunSpan, isOpen: boolean): Where {
  const inDays = (days: Days): Where => {
    const { from, before } = instantsOf(days, ctx.workspace.timezone)
    return where.and(where.gte('started_at', from), where.lt('started_at', before))
  }
  const left = (span.without ?? []).map(({ engine, day }) =>
    where.not(where.and(where.eq('engine', engine), inDays({ date_from: day, date_to: day }))),
  )
  const days = isOpen ? [where.or(...stretches(openDays(span)).map(inDays))] : []
  return where.and(runsEver(span.scope), inDays(span.period), ...days, ...left)
}

/** The days of a span whose runs are only in documents. */
export const openDays = ({ sealed, period: { date_from, date_to } }: RunSpan): string[] =>
  [...(sealed?.open ?? [])].filter((day) => date_from <= day && day <= date_to).sort()

/**
 * Returns the condition for the rows of columns that sum a span: whole months where none of their days is open, and
 * days otherwise. Engines have only rows of days. `isDaily`: only days.
 */
export function columnsOf(span: RunSpan, kind: SumKind, isDaily: boolean): Where {
  const { scope, without = [] } = span
  const { months, days } = coverOf(span, isDaily || kind === 'engine')
  const ofEngine = ({ engine, day }: EngineDate) =>
    where.and(where.eq('engine', engine), where.eq('start', day))
  // Of an engine with an incident, the days of the month are read instead of the month.
  const cut = without
    .map(({ engine, day }) => ({ engine, day: monthOf(day) }))
    .filter(({ day }) => months.includes(day))
  const left = without.map((one) => where.not(ofEngine(one)))
  const parts = [
    where.and(
      where.eq('grain', 'month'),
      where.in('start', months),
      ...cut.map((one) => where.not(ofEngine(one))),
    ),
    where.and(where.eq('grain', 'day'), where.or(...days.map(inStarts)), ...left),
    ...unique(cut).map(({ engine, day }) =>
      where.and(
        where.eq('grain', 'day'),
        where.eq('engine', engine),
        inStarts({ date_from: day, date_to: shiftDay(nextMonth(day), -1) }),
        ...left,
      ),
    ),
  ]
  return where.and(where.eq('kind', kind), runsEver(scope), where.or(...parts))
}

const inStarts = ({ date_from, date_to }: Days): Where =>
  where.and(where.gte('start', date_from), where.lte('start', date_to))

const unique = (cut: readonly EngineDate[]): EngineDate[] => [
  ...new Map(cut.map((one) => [JSON.stringify([one.engine, one.day]), one])).values(),
]

/** Splits the sealed days of a period into whole months, and stretches of days. */
export function coverOf(
  { sealed, period: { date_from, date_to } }: RunSpan,
  isDaily: boolean,
): { readonly months: string[]; readonly days: Days[] } {
  const open = [...(sealed?.open ?? [])].filter((day) => date_from <= day && day <= date_to)
  if (isDaily && open.length === 0) return { months: [], days: [{ date_from, date_to }] }
  const months: string[] = []
  const days: string[] = []
  for (let month = monthOf(date_from); month <= date_to; month = nextMonth(month)) {
    const last = shiftDay(nextMonth(month), -1)
    const isWhole = date_from <= month && last <= date_to && !open.some((day) => month <= day && day <= last)
    if (isWhole && !isDaily) months.push(month)
    else
      for (let day = month; day <= last; day = shiftDay(day, 1))
        if (date_from <= day && day <= date_to && sealed?.open.has(day) === false) days.push(day)
  }
  return { months, days: stretches(days) }
}

/** Joins days that follow each other. */
function stretches(days: readonly string[]): Days[] {
  const found: { date_from: string; date_to: string }[] = []
  for (const day of days) {
    const last = found.at(-1)
    if (last && shiftDay(last.date_to, 1) === day) last.date_to = day
    else found.push({ date_from: day, date_to: day })
  }
  return found
}

/** Returns the first day of the month of a day. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`
/** Returns the first day of the next month. */
export const nextMonth = (month: string): string => `${shiftDay(month, 32).slice(0, 7)}-01`
