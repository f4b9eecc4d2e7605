import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { createPlaces, type Place, type PlaceLimits } from './limits'
import { type Problem, problem } from './problem'

/** A body that was read. `release` gives its place back once it is dealt with. */
export interface ReadBody {
  readonly text: string
  release(): void
}

export interface BodyLimits extends Partial<PlaceLimits> {
  readonly wireBytesMax: number
  readonly inflatedBytesMax: number
  /** Longest time a large body, or one of unknown length, may take to arrive. */
  readonly arrivalMsMax?: number
}

export type BodyReader = (request: Request) => Promise<ReadBody | Problem>

/** Reads bodies within bounds: on the wire, inflated, in time, and in what all of them hold at once. */
export function createBodyReader(limits: BodyLimits, now: () => Date): BodyReader {
  const { wireBytesMax, inflatedBytesMax, arrivalMsMax = 60_000 } = limits
  const { largeBytes = 4 * 2 ** 20, largeBodiesMax = 2 } = limits
  const { sharedBytesMax = 16 * largeBytes } = limits
  const placeOf = createPlaces({ largeBytes, largeBodiesMax, sharedBytesMax })

  async function read(
    request: Request,
    encoding: string,
    place: Place,
  ): Promise<string | Uint8Array | Problem> {
    const declared = Number(request.headers.get('content-length') ?? Number.NaN)
    if (declared > wireBytesMax) return tooLarge(wireBytesMax, 'on the wire')
    if (declared > 0 && !place.grow(declared)) return busy
    const inflater = inflaters[encoding.replace('x-', '')]
    if (declared <= largeBytes && !inflater) return readText(request, wireBytesMax)
    const wire = await readStream(request, wireBytesMax, place, deadlineIn(arrivalMsMax, now))
    if (!(wire instanceof Uint8Array) || !inflater || wire.length === 0) return wire
    // Most stay small: a larger one is inflated anew once it has a place for that.
    const small = await inflater(wire, Math.min(largeBytes, inflatedBytesMax))
    if (small instanceof Uint8Array) return place.grow(small.length) ? small : busy
    if (small === 'malformed') return malformed
    if (largeBytes >= inflatedBytesMax) return tooLarge(inflatedBytesMax, 'inflated')
    if (!place.grow(largeBytes + 1)) return busy
    const large = await inflater(wire, inflatedBytesMax)
    if (large instanceof Uint8Array) return large
    return large === 'malformed' ? malformed : tooLarge(inflatedBytesMax, 'inflated')
  }

  return async (request) => {
    const encoding = (request.headers.get('content-encoding') ?? '').trim().toLowerCase()
    const refused = unreadable(encoding, request.headers.get('content-type'))
    if (refused) return refused
    const place = placeOf()
    // A sender that goes away in the middle fails the read.
    const body = await read(request, encoding, place).catch(() => torn)
    // Not fatal: servers log the bytes that clients sent, and those need not be UTF-8.
    const text = body instanceof Uint8Array ? decoder.decode(body) : body
    if (typeof text === 'string') return { text, release: place.release }
    place.release()
    return text
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
const torn = problem('malformed_body', 'The body did not arrive whole.')

const encodings = ['', 'identity', 'gzip', 'x-gzip', 'deflate', 'zstd']

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

/** The server has bounded it by the length declared; whoever calls without a server is bounded here. */
async function readText(request: Request, bytesMax: number): Promise<string | Problem> {
  const text = await request.text()
  return text.length > bytesMax ? tooLarge(bytesMax, 'on the wire') : text
}

async function readStream(
  request: Request,
  bytesMax: number,
  place: Place,
  isLate: () => boolean,
): Promise<Uint8Array | Problem> {
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.length
    if (length > bytesMax) return tooLarge(bytesMax, 'on the wire')
    if (!place.grow(length)) return busy
    if (isLate()) return slow
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

type Inflated = Uint8Array | 'too large' | 'malformed'
type Inflater = (bytes: Uint8Array, bytesMax: number) => Promise<Inflated>

const gunzip = inflaterOf(promisify(zlib.gunzip))
const inflate = inflaterOf(promisify(zlib.inflate))
const inflateRaw = inflaterOf(promisify(zlib.inflateRaw))
const inflaters: Readonly<Record<string, Inflater>> = {
  gzip: gunzip,
  zstd: inflaterOf(promisify(zlib.zstdDecompress)),
  // Some senders mean the bare stream by `deflate`.
  deflate: async (bytes, bytesMax) => {
    const wrapped = await inflate(bytes, bytesMax)
    return wrapped === 'malformed' ? inflateRaw(bytes, bytesMax) : wrapped
  },
}

function inflaterOf(
  call: (bytes: Uint8Array, limits: { maxOutputLength: number }) => Promise<Uint8Array>,
): Inflater {
  return async (bytes, bytesMax) => {
    try {
      return await call(bytes, { maxOutputLength: bytesMax })
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'malformed'
    }
  }
}
