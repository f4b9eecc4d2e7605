import type { Problem } from '../problem'

/** What the bytes of a body are: text in UTF-8, or messages of Protocol Buffers. Those of Loki are a block of Snappy. */
export type BodyForm = 'text' | 'otlp' | 'loki'

/** How a body is compressed. `bare` is deflate without a header. */
export type Packing = 'gzip' | 'deflate' | 'bare' | 'zstd'

/** The bytes of a body, or why there are none. */
export type Inflated = Uint8Array | 'too large' | 'malformed'

/** A compressed body for the thread that decodes. */
export interface InflateJob {
  readonly id: number
  readonly packing: Packing
  readonly bytes: Uint8Array
  readonly bytesMax: number
}

/** The answer to such a job. */
export interface InflatedBody {
  readonly id: number
  readonly inflated: Inflated
}

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
