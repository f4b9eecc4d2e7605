import { type Period, shiftDay } from 'renown'
import type { DayCounts } from './summedDays'

/** Hits of an operator: one number for each day of a period. */
export interface OperatorDays {
  readonly verified: number[]
  readonly unchecked: number[]
  readonly spoofed: number[]
}

/** Adds to each operator its hits by day. */
export function withDays<T extends { readonly operator: string }>(
  operators: readonly T[],
  rows: readonly DayCounts[],
  period: Period,
): (T & { readonly by_day: OperatorDays })[] {
  const places = new Map(
    Array.from({ length: period.days }, (_, day) => [shiftDay(period.date_from, day), day]),
  )
  const none = () => Array.from({ length: period.days }, () => 0)
  const days = new Map(
    operators.map(({ operator }) => [operator, { verified: none(), unchecked: none(), spoofed: none() }]),
  )
  for (const { date, by_agent } of rows) {
    const day = places.get(date)
    for (const { operator, hits, verified, spoofed } of Object.values(by_agent)) {
      const into = days.get(operator)
      if (day === undefined || !into) continue
      into.verified[day] = (into.verified[day] ?? 0) + verified
      into.spoofed[day] = (into.spoofed[day] ?? 0) + spoofed
      into.unchecked[day] = (into.unchecked[day] ?? 0) + hits - verified - spoofed
    }
  }
  return operators.map((one) => ({
    ...one,
    by_day: days.get(one.operator) ?? { verified: none(), unchecked: none(), spoofed: none() },
  }))
}
