import type { Problem } from '../problem'

/** What the bytes of a body are: text in UTF-8, or messages of Protocol Buffers. Those of Loki are a block of Snappy. */
export type BodyForm = 'text' | 'otlp' | 'loki'

/** A body for the thread that decodes. */
export interface DecodeJob {
  readonly id: number
  readonly form: BodyForm
  readonly bytes: Uint8Array
  readonly linesMax: number
}

/** The answer to a job, with the processor time that it took, in milliseconds. */
export interface Decoded {
  readonly id: number
  readonly decoded: string | Problem | { readonly failed: string }
  readonly ms: number
}
