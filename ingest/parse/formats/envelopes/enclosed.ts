import type { Readings } from '../readings'
import { outcomes, unfinished } from '../readings'
import type { ParsedHit, Refusal } from '../text/reading'
import { instantOf } from '../text/time'

/** What a log service wrapped: a raw line or a record, with its time and its id. */
export interface Enclosed {
  readonly content: unknown
  /** When the line was written, in any form that `instantOf` reads. Used if the content has no time. */
  readonly time?: unknown
  /** The service's own id of the line. Used if the content has none. */
  readonly id?: string | undefined
}

/** A body or record that contains many lines in arrays. */
export interface Envelope {
  /** The names of the arrays, from the outside in. */
  readonly path: readonly string[]
  /** Returns what an element of the innermost array wraps. */
  readonly open: (element: unknown) => Enclosed | Refusal
}

/** Adds the time and the id of an envelope to the hits that have none of their own. */
export function completed(readings: Readings, { time, id }: Enclosed): Readings {
  const ts = time === undefined ? null : instantOf(time)
  return ts === null && id === undefined ? readings : completedHits(readings, ts, id)
}

function* completedHits(
  readings: Readings,
  time: number | null,
  id: string | undefined,
): Generator<ParsedHit> {
  let nth = 0
  for (const one of outcomes(readings)) {
    if (!('ts' in one)) {
      if (one !== unfinished) nth++
      yield one
      continue
    }
    const { undated, ...hit } = one
    const own =
      id === undefined || hit.id !== undefined ? hit : { ...hit, id: nth === 0 ? id : `${id} ${nth}` }
    nth++
    yield undated && time === null
      ? { ...own, undated }
      : undated && time !== null
        ? { ...own, ts: time }
        : own
  }
}
