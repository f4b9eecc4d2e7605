import type { Month } from './month'
import { monthKey, type StoredMonth, type SumStore } from './store'

/** Characters of the stored months whose parsed form stays in memory. */
const charactersMax = 6_000_000

/** Reads stored months, and keeps the last ones in memory. */
export interface MonthCache {
  /** Returns the sums of a month. Null if it is no longer stored, so that its rows must be counted. */
  read(month: StoredMonth): Month | null
}

/** Creates a cache that is emptied when it is full. */
export function createMonthCache({ text: textOf }: Pick<SumStore, 'text'>): MonthCache {
  const known = new Map<string, { readonly stamp: string; readonly sums: Month }>()
  let characters = 0
  return {
    read(month) {
      const key = monthKey(month)
      const cached = known.get(key)
      if (cached?.stamp === month.stamp) return cached.sums
      const text = textOf(month)
      if (text === null) return null
      const sums = JSON.parse(text) as Month
      characters += text.length
      if (characters > charactersMax) {
        known.clear()
        characters = text.length
      }
      known.set(key, { stamp: month.stamp, sums })
      return sums
    },
  }
}
