import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { createSlots } from './limits'
import { type Problem, problem } from './problem'

/** A body that was read. `release` gives back its place among the large ones, once it is dealt with. */
export interface ReadBody {
  readonly text: string
  /** The bytes as they came inflated, for the hash that knows a repeated body. */
  readonly bytes: Uint8Array
  release(): void
}

export interface BodyLimits {
  readonly wireBytesMax: number
  readonly inflatedBytesMax: number
  /** Bodies above this, on the wire or inflated, need one of `largeBodiesMax` places. */
  readonly largeBytes?: number
  readonly largeBodiesMax?: number
  /** Longest time a body may take to arrive. */
  readonly arrivalMsMax?: number
}

export type BodyReader = (request: Request) => Promise<ReadBody | Problem>

/** Reads bodies within bounds: on the wire, inflated, in time, and in how many large ones there are at once. */
export function createBodyReader(limits: BodyLimits, now: () => Date): BodyReader {
  const { largeBytes = 4 * 2 ** 20, arrivalMsMax = 60_000 } = limits
  const slots = createSlots(limits.largeBodiesMax ?? 2)

  return async (request) => {
    const encoding = encodingOf(request.headers)
    const refused = unreadable(encoding, request.headers.get('content-type'))
    if (refused) return refused
    let release: (() => void) | null = null
    const admit = (bytes: number) => {
      if (bytes > largeBytes) release ??= slots.take()
      return bytes <= largeBytes || release !== null
    }
    const done = (outcome: Problem) => {
      release?.()
      return outcome
    }
    const declared = Number(request.headers.get('content-length') ?? Number.NaN)
    const wire =
      declared <= largeBytes
        ? await readAtOnce(request, limits.wireBytesMax)
        : await readStream(request, declared, limits.wireBytesMax, admit, deadlineIn(arrivalMsMax, now))
    if (!(wire instanceof Uint8Array)) return done(wire)
    const bytes = await inflate(wire, encoding, limits.inflatedBytesMax)
    if (!(bytes instanceof Uint8Array)) return done(bytes)
    if (!admit(bytes.length)) return done(busy)
    // Not fatal: servers log the bytes that clients sent, and those need not be UTF-8.
    return { text: decoder.decode(bytes), bytes, release: () => release?.() }
  }
}

const decoder = new TextDecoder()
const deadlineIn = (ms: number, now: () => Date) => {
  const deadline = now().getTime() + ms
  return () => now().getTime() > deadline
}

const busy = problem('unavailable', 'Other large batches are being read. Send this one again.', 1)
const slow = problem('unavailable', 'The body took too long to arrive. Send it again.', 1)
const tooLarge = (bytes: number, where: string) =>
  problem('payload_too_large', `A body may have ${bytes} bytes ${where}. Send it in parts.`)
const malformed = problem('malformed_body', 'The body does not decompress as its Content-Encoding says.')

const encodings = ['', 'identity', 'gzip', 'x-gzip', 'deflate', 'zstd']
const encodingOf = (headers: Headers) => (headers.get('content-encoding') ?? '').trim().toLowerCase()

function unreadable(encoding: string, contentType: string | null): Problem | null {
  if (!encodings.includes(encoding)) {
    return problem('unsupported_media_type', 'Content-Encoding may be gzip, deflate, zstd or absent.')
  }
  // Other types are not looked at: forwarders send plain log lines as forms, and JSON as octets.
  if (contentType && /msgpack|protobuf|multipart|avro|parquet/i.test(contentType)) {
    return problem('unsupported_media_type', 'Send JSON, JSON lines or the lines of an access log.')
  }
  return null
}

async function readAtOnce(request: Request, bytesMax: number): Promise<Uint8Array | Problem> {
  const bytes = await request.bytes()
  return bytes.length > bytesMax ? tooLarge(bytesMax, 'on the wire') : bytes
}

async function readStream(
  request: Request,
  declared: number,
  bytesMax: number,
  admit: (bytes: number) => boolean,
  isLate: () => boolean,
): Promise<Uint8Array | Problem> {
  if (declared > bytesMax) return tooLarge(bytesMax, 'on the wire')
  if (!request.body) return new Uint8Array()
  if (declared > 0 && !admit(declared)) return busy
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.length
    if (length > bytesMax) return tooLarge(bytesMax, 'on the wire')
    if (!admit(length)) return busy
    if (isLate()) return slow
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

const inflaters: Record<string, (bytes: Uint8Array, limits: { maxOutputLength: number }) => Promise<Buffer>> =
  {
    gzip: promisify(zlib.gunzip),
    deflate: promisify(zlib.inflate),
    zstd: promisify(zlib.zstdDecompress),
  }
const inflateRaw = promisify(zlib.inflateRaw)

async function inflate(wire: Uint8Array, encoding: string, bytesMax: number): Promise<Uint8Array | Problem> {
  const inflater = inflaters[encoding.replace('x-', '')]
  if (!inflater || wire.length === 0) return wire
  const limits = { maxOutputLength: bytesMax }
  try {
    return await inflater(wire, limits)
  } catch (error) {
    if (isTooLarge(error)) return tooLarge(bytesMax, 'inflated')
    if (encoding !== 'deflate') return malformed
  }
  try {
    // Some senders mean the bare stream by `deflate`.
    return await inflateRaw(wire, limits)
  } catch (error) {
    return isTooLarge(error) ? tooLarge(bytesMax, 'inflated') : malformed
  }
}

const isTooLarge = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
