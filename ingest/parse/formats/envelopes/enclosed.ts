import type { Hit } from 'renown/contracts'
import type { Readings } from '../readings'
import { outcomes, unfinished } from '../readings'
import type { ParsedHit, Refusal } from '../text/reading'
import { instantOf } from '../text/time'

/** What a log service wrapped: a raw line or a record, with its time and its id. */
export interface Enclosed {
  readonly content: unknown
  /** When the line was written, in any form that `instantOf` reads. Used if the content has no time. */
  readonly time?: unknown
  /** Whether the time is part of the log, such as in the files of a container runtime, and the same in every delivery. */
  readonly isLogged?: boolean | undefined
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
export function completed(readings: Readings, { content, time, id, isLogged = false }: Enclosed): Readings {
  const ts = time === undefined ? null : instantOf(time)
  if (ts === null && id === undefined) return readings
  return completedHits(readings, { ts, id, isLogged, line: isOneLine(content) ? content : undefined })
}

/** Whether a content is one record or one line, with empty ones around it or not. */
const isOneLine = (content: unknown): boolean => typeof content !== 'string' || !content.trim().includes('\n')

interface Completion {
  readonly ts: number | null
  readonly id: string | undefined
  readonly isLogged: boolean
  readonly line: unknown
}

function* completedHits(readings: Readings, envelope: Completion): Generator<ParsedHit> {
  const { ts, id } = envelope
  let nth = 0
  for (const one of outcomes(readings)) {
    if (!('ts' in one)) {
      if (one !== unfinished) nth++
      yield one
      continue
    }
    const own =
      id === undefined || one.id !== undefined ? one : { ...one, id: nth === 0 ? id : `${id} ${nth}` }
    nth++
    yield own.undated && ts === null ? own : completedHit(own, ts ?? own.ts, envelope)
  }
}

/** Returns a hit with its own time, or with the time of its envelope. */
function completedHit(hit: Hit, ts: number, { isLogged, line: written }: Completion): Hit {
  if (!hit.undated) return hit.id === undefined && !isLogged ? { ...hit, written } : hit
  const { undated: _, written: own, ...dated } = hit
  return isLogged ? { ...dated, ts } : { ...dated, ts, enveloped: true, written: own }
}
