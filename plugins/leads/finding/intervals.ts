import { hourMs } from 'renown'

/** A term or feed that is read, and the workspaces whose trackers want it. */
export interface WantedTarget {
  readonly key: string
  readonly workspaces: ReadonlySet<string>
}

/**
 * Returns the interval of each target in milliseconds, so that all of them together need at most `perHour` readings an hour. If
 * everything does not fit, each workspace gets the same share of the budget, and what one does not need goes to the others. A
 * target of several workspaces is read once, and each of them pays a part.
 */
export function fairIntervals(
  targets: readonly WantedTarget[],
  everyMs: number,
  perHour: number,
): ReadonlyMap<string, number> {
  const wished = hourMs / everyMs
  const demands = new Map<string, number>()
  for (const { workspaces } of targets) {
    for (const id of workspaces) demands.set(id, (demands.get(id) ?? 0) + wished / workspaces.size)
  }
  const shares = fairShares(demands, perHour)
  const shareOf = (id: string) => (shares.get(id) ?? 0) / (demands.get(id) ?? 1)
  return new Map(
    targets.map(({ key, workspaces }) => {
      const parts = [...workspaces].map((id) => (wished / workspaces.size) * shareOf(id))
      const rate = parts.reduce((sum, part) => sum + part, 0)
      return [key, Math.min(Math.ceil(hourMs / rate), intervalMaxMs)]
    }),
  )
}

/** A later time counts as stored by a wrong clock. */
const intervalMaxMs = 40 * hourMs

/** Divides a budget: the smallest demands are met first, and the rest is divided equally. */
function fairShares(demands: ReadonlyMap<string, number>, budget: number): ReadonlyMap<string, number> {
  const shares = new Map<string, number>()
  let left = budget
  const waiting = [...demands].toSorted(([, a], [, b]) => a - b)
  for (const [index, [id, demand]] of waiting.entries()) {
    const share = Math.min(demand, left / (waiting.length - index))
    shares.set(id, share)
    left -= share
  }
  return shares
}

/** A count of readings that fills up again over time. */
export interface ReadingBudget {
  /** Uses one reading. Returns 0, or how many milliseconds to wait for the next one. */
  use(perHour: number, nowMs: number): number
}

/** The readings that may follow each other at once after a pause. */
const burstOf = (perHour: number) => Math.max(10, perHour / 60)

/** Creates the budget of one host. A clock that goes back fills nothing. */
export function newBudget(): ReadingBudget {
  let left: number | null = null
  let atMs = 0
  return {
    use(perHour, nowMs) {
      const filled = (Math.max(0, nowMs - atMs) / hourMs) * perHour
      left = Math.min(burstOf(perHour), left === null ? burstOf(perHour) : left + filled)
      atMs = nowMs
      if (left < 1) return Math.ceil(((1 - left) / perHour) * hourMs)
      left -= 1
      return 0
    },
  }
}
