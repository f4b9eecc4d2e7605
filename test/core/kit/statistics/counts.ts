import type { Cell } from '../../../../core/kit/statistics/cells'
import type { Round } from '../../../../core/kit/statistics/day-shift'
import type { Said } from './world'

/** The name of a day. */
export const dayName = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)

/** What the product reads: counts of cells, and of rounds. */
export function countsOf(said: readonly Said[], isHit: (one: Said) => boolean = (one) => one.isNamed) {
  const cells = new Map<number, { -readonly [name in keyof Cell]: Cell[name] }>()
  const rounds = new Map<string, { -readonly [name in keyof Round]: Round[name] }>()
  for (const one of said) {
    const series = `assistant ${one.assistant}`
    const cell = cells.get(one.cell) ?? { key: String(one.cell), series, k: 0, n: 0 }
    cells.set(one.cell, cell)
    const name = `${one.assistant} ${one.day}`
    const round = rounds.get(name) ?? { series, day: dayName(one.day), k: 0, n: 0 }
    rounds.set(name, round)
    for (const counts of [cell, round]) {
      counts.n++
      if (isHit(one)) counts.k++
    }
  }
  return { cells: [...cells.values()], rounds: [...rounds.values()] }
}

/** Shares in words. */
export const shown = (shares: Record<string, number>) =>
  Object.entries(shares)
    .map(([name, share]) => `${name} ${(share * 100).toFixed(2)} %`)
    .join(', ')
