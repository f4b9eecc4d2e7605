import { busy, slow, tooLarge, torn } from './body-refusals'
import type { BodyMemory } from './limits'
import type { Problem } from './problem'

/** A part of a body. The end has no value. */
type Chunk = { readonly value?: Uint8Array | undefined }

/** The limits of a stream. */
export interface StreamRoom {
  readonly bytesMax: number
  /** The length that the sender declared, or NaN. */
  readonly declared: number
  readonly memory: BodyMemory
  turn(): Promise<void>
}

/** Reads a body as it arrives. */
export async function readStream(
  request: Request,
  { bytesMax, declared, memory, turn }: StreamRoom,
  inTime: (read: Promise<Chunk>) => Promise<Chunk | null>,
): Promise<Uint8Array | Problem> {
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  // Chunks of a declared body are put in their place as they arrive, because joining a large body takes long.
  const whole = declared > smallStream ? new Uint8Array(declared) : null
  let length = 0
  const refuse = (refused: Problem) => {
    void reader.cancel().catch(() => {})
    return refused
  }
  for (;;) {
    const chunk = await inTime(reader.read())
    if (!chunk) return refuse(slow)
    if (!chunk.value) return whole ? whole.subarray(0, length) : joinedInTurns(chunks, length, turn)
    const { value } = chunk
    if (length + value.length > bytesMax) return refuse(tooLarge(bytesMax, 'on the wire'))
    if (!memory.grow(length + value.length)) return refuse(busy)
    if (!whole) chunks.push(value)
    else if (length + value.length > whole.length) return refuse(torn)
    else await putInTurns(whole, value, length, turn)
    length += value.length
  }
}

/** Parts of smaller bodies are joined. */
const smallStream = 256 * 1024
const mebibyte = 2 ** 20
/** Copying this number of bytes into fresh memory takes a few milliseconds. */
const copiedAtOnce = 4 * mebibyte

async function putInTurns(into: Uint8Array, bytes: Uint8Array, at: number, turn: () => Promise<void>) {
  for (let from = 0; from < bytes.length; from += copiedAtOnce) {
    if (from > 0) await turn()
    into.set(bytes.subarray(from, from + copiedAtOnce), at + from)
  }
}

/** Copies the bytes of a body. */
export async function copyInTurns(bytes: Uint8Array, turn: () => Promise<void>): Promise<Uint8Array> {
  const copy = new Uint8Array(bytes.length)
  await putInTurns(copy, bytes, 0, turn)
  return copy
}

async function joinedInTurns(chunks: readonly Uint8Array[], length: number, turn: () => Promise<void>) {
  if (length <= copiedAtOnce) return Buffer.concat(chunks, length)
  const joined = new Uint8Array(length)
  let at = 0
  let copied = 0
  for (const chunk of chunks) {
    await putInTurns(joined, chunk, at, turn)
    at += chunk.length
    copied += chunk.length
    if (copied < copiedAtOnce) continue
    copied = 0
    await turn()
  }
  return joined
}
