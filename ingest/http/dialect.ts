import type { BatchAnswer } from 'renown/contracts'
import type { BodyWishes, ReadBody } from './body'
import { headerOf } from './header'
import type { Problem } from './problem'

/** What a body may take while it is translated. */
export interface Room {
  readonly linesMax: number
  /** Reserves memory for this many bytes. Returns false if that is too much now. */
  readonly grow: (bytes: number) => boolean
}

/** How to answer a sender. */
export interface Dialect extends BodyWishes {
  /** Whether the sender limits its batches only by bytes. */
  readonly anyLines?: true
  /** Whether a hit without a time gets the time of its arrival, because hits are sent live. */
  readonly datesArrivals?: true
  /** Returns the sender's own id of a batch, the same for its retries. Empty if it has none. */
  batchId(headers: Headers): string
  /** Whether the sender's platform makes the id, so that two batches never share one. Then a retry may differ in its envelope. */
  readonly givesUniqueIds?: true
  /** Returns a problem of a body that is not in its content. */
  refuse?(request: Request, body: ReadBody, token: string): Problem | null | Promise<Problem | null>
  /** Returns the lines in a binary body, or why it cannot be read. */
  translate?(bytes: Uint8Array, room: Room): Promise<string | Problem>
  /** Returns the dialect of a body that only its content shows. */
  of?(text: string): Dialect | null
  /** Answers a request that has no lines. */
  reply?(body: ReadBody): Response
  accepted(answer: BatchAnswer, request: Request, now: () => Date): Response
  /** Returns the refusal in the sender's own format. */
  refused?(refused: Problem, plain: Response, request: Request, now: () => Date): Response
}

/** Headers of answers that no cache may store. */
export const unstored = { 'cache-control': 'no-store' }

/** Returns the id that a sender gives to a batch by the usual header. */
export const usualBatchId = (headers: Headers): string => headerOf(headers, 'idempotency-key')
