import { type Doubt, dayMs, hourMs } from 'renown/contracts'
import * as v from 'valibot'

/**
 * Decides whether the addresses of an operator are in doubt. Lists are published by people, and late. When most hits of an
 * operator suddenly come from other addresses, its crawlers have probably moved. Then nobody is called spoofed by its list.
 */
export interface ListDoubts {
  /**
   * Records that a hit came from an address of the operator, or from another one. `at` is the time of arrival. Returns
   * whether a doubt began or ended with it.
   */
  note(operator: string, isInside: boolean, at: number): boolean
  has(operator: string): boolean
  of(operator: string): Doubt | null
  /** Ends the doubt, because the operator published other addresses. */
  renewed(operator: string): void
  /** Returns what to store. */
  state(): ListDoubtsState
}

const count = v.pipe(v.number(), v.finite(), v.minValue(0))
const instant = v.pipe(v.number(), v.finite())
const operatorSchema = v.object({
  /** Hits from the list before the latest ones, of which half are forgotten each day, and since when. */
  usual: v.object({ inside: count, at: instant, from: instant }),
  /** Hits since the first of the latest ones from other addresses. */
  latest: v.nullable(v.object({ inside: count, outside: count, since: instant })),
  doubtedAt: v.nullable(instant),
  /** Until then, the list was proven right, so others are spoofed. */
  provenUntil: instant,
})
/** The stored form, by operator. */
export const listDoubtsSchema = v.record(v.string(), operatorSchema)
export type ListDoubtsState = v.InferOutput<typeof listDoubtsSchema>
type Operator = v.InferOutput<typeof operatorSchema>

/** A list that was right for fewer hits cannot become wrong: then the log of the site may lack the visitor's address. */
const usualMin = 10
/** Fewer than six hits from other addresses may be a single fake. */
const outsideMin = 6
/** The list is proven right only by hits at least this much later. */
const proofMs = hourMs
const provenMs = dayMs

/** Creates the decisions from the stored form of an earlier process. */
export function createListDoubts(stored: ListDoubtsState = {}): ListDoubts {
  const operators = new Map<string, Operator>(Object.entries(structuredClone(stored)))

  return {
    note(operator, isInside, at) {
      const known = operators.get(operator) ?? unknown(at)
      operators.set(operator, known)
      const { doubtedAt } = known
      if (isInside) noteInside(known, at)
      else noteOutside(known, at)
      return doubtedAt !== known.doubtedAt
    },
    has: (operator) => isDoubted(operators.get(operator)),
    of(operator) {
      const known = operators.get(operator)
      return known && isDoubted(known) ? doubtOf(operator, known) : null
    },
    renewed(operator) {
      const known = operators.get(operator)
      if (known) operators.set(operator, { ...known, latest: null, doubtedAt: null, provenUntil: 0 })
    },
    state: () => Object.fromEntries(operators),
  }
}

const isDoubted = (known: Operator | undefined): boolean => known !== undefined && known.doubtedAt !== null

const unknown = (at: number): Operator => ({
  usual: { inside: 0, at, from: at },
  latest: null,
  doubtedAt: null,
  provenUntil: 0,
})

function noteInside(known: Operator, at: number): void {
  const { latest } = known
  if (!latest) {
    addUsual(known, 1, at)
    return
  }
  latest.inside++
  if (known.doubtedAt === null && latest.inside >= latest.outside + outsideMin) {
    addUsual(known, latest.inside, at)
    known.latest = null
    return
  }
  if (at - latest.since < proofMs) return
  // Its crawlers still come from the list as often as they did, so the others are fakes.
  const isProven = latest.inside >= latest.outside || latest.inside * 2 >= expectedInside(known, at)
  if (!isProven) return
  if (known.doubtedAt !== null) known.provenUntil = at + provenMs
  addUsual(known, latest.inside, at)
  known.latest = null
  known.doubtedAt = null
}

function noteOutside(known: Operator, at: number): void {
  known.latest ??= { inside: 0, outside: 0, since: at }
  const { latest, usual } = known
  latest.outside++
  if (known.doubtedAt !== null || at < known.provenUntil) return
  const isMost = latest.outside >= outsideMin && latest.outside > latest.inside
  if (isMost && usual.inside >= usualMin) known.doubtedAt = at
}

/** Returns how many hits from the list were usual in the time of the latest ones. */
function expectedInside({ usual, latest }: Operator, at: number): number {
  const hours = Math.max(hourMs, usual.at - usual.from) / hourMs
  return (usual.inside / hours) * ((at - (latest?.since ?? at)) / hourMs)
}

function addUsual({ usual }: Operator, inside: number, at: number): void {
  if (at - usual.from >= dayMs) {
    usual.inside /= 2
    usual.from += (at - usual.from) / 2
  }
  usual.inside += inside
  usual.at = at
}

function doubtOf(operator: string, { latest, doubtedAt }: Operator): Doubt {
  const { inside = 0, outside = 0, since = 0 } = latest ?? {}
  return {
    since: new Date(doubtedAt ?? 0).toISOString(),
    about: 'addresses',
    why: `Since ${new Date(since).toISOString()}, ${outside} of ${inside + outside} hits of ${operator} came from addresses outside its list. Before, most came from inside. Its list may be out of date, so these hits count as unchecked.`,
  }
}
