import type { BatchAnswer } from 'renown/contracts'
import type { BodyWishes, RawBody } from './body'
import type { BodyForm } from './decoding/decoder-messages'
import { headerOf } from './header'
import type { Problem } from './problem'

/** How to answer a sender. */
export interface Dialect extends BodyWishes {
  /** What a binary body is. */
  readonly form?: BodyForm
  /** Whether the sender limits its batches only by bytes. */
  readonly anyLines?: true
  /** Whether a hit without a time gets the time of its arrival, because hits are sent live. */
  readonly datesArrivals?: true
  /** Returns the sender's own id of a batch, the same for its retries. Empty if it has none. */
  batchId(headers: Headers): string
  /** Whether the sender's platform makes the id, so that two batches never share one. Then a retry may differ in its envelope. */
  readonly givesUniqueIds?: true
  /** Returns a problem of the bytes of a body, before they are decoded. */
  refuseBytes?(
    request: Request,
    raw: RawBody,
    token: string,
    turn: () => Promise<void>,
  ): Promise<Problem | null>
  /** Returns a problem of the text of a body. */
  refuse?(text: string, turn: () => Promise<void>): Promise<Problem | null>
  /** Returns the memory that decoding the bytes takes. Default: none besides their own. */
  bytesOf?(bytes: Uint8Array): number
  /** Returns the dialect of a body that only its content shows. */
  of?(text: string): Dialect | null
  /** Answers a request that has no lines. */
  reply?(text: string): Response
  accepted(answer: BatchAnswer, request: Request, now: () => Date): Response
  /** Returns the refusal in the sender's own format. */
  refused?(refused: Problem, plain: Response, request: Request, now: () => Date): Response
}

/** Headers of answers that no cache may store. */
export const unstored = { 'cache-control': 'no-store' }

/** Returns the id that a sender gives to a batch by the usual header. */
export const usualBatchId = (headers: Headers): string => headerOf(headers, 'idempotency-key')
