import { shiftDay } from 'renown'

/** Shortest baseline, in days. */
const baselineDays = 14
/** Fewest days with answers, in the baseline and in what is compared with it. A weekly tracker needs five weeks. */
const roundsMin = 5
/** After this many days without a change, they become the baseline, so that it never gets old. */
const renewDays = 60

/** A period of days, both included. */
export interface Days {
  readonly from: string
  readonly until: string
}

const inside = ({ from, until }: Days, days: readonly string[]) =>
  days.filter((day) => day >= from && day <= until)

/** Returns the last day of a baseline that begins on a day; null while too few days have answers. */
export function closingDay(from: string, answered: readonly string[], until: string): string | null {
  const last = shiftDay(from, baselineDays - 1)
  const fifth = answered.filter((day) => day >= from)[roundsMin - 1]
  if (fifth === undefined) return null
  const [, closing = last] = [fifth, last].sort()
  return closing <= until ? closing : null
}

/** Whether the days since a baseline replace it: after 60 of them, or after 14 that cannot be compared with it. */
export function isRenewed(since: Days, answered: readonly string[], isComparable: boolean): boolean {
  if (inside(since, answered).length < roundsMin) return false
  return shiftDay(since.from, (isComparable ? renewDays : baselineDays) - 1) <= since.until
}
