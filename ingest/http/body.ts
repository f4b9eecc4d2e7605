import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { decodeText } from './decode-text'
import { headerOf } from './header'
import { createInTime } from './in-time'
import { type BodyMemory, type BodyMemoryLimits, createBodyMemory } from './limits'
import { type Problem, problem } from './problem'
import { isWholeZstd } from './zstd'

/** A body that was read. `release` frees its memory share. */
export interface ReadBody {
  readonly text: string
  /** The raw bytes, if requested. */
  readonly raw: RawBody | null
  /** Reserves memory for more bytes. Returns false if that is too much. */
  readonly grow: (bytes: number) => boolean
  release(): void
}

export interface RawBody {
  /** The bytes as received. */
  readonly wire: Uint8Array
  readonly inflated: Uint8Array
}

export interface BodySizes {
  readonly wireBytesMax: number
  readonly inflatedBytesMax: number
}

export interface BodyLimits extends Partial<BodyMemoryLimits>, BodySizes {
  /** Longest time a body may take to arrive. */
  readonly arrivalMsMax?: number
  /** Interval of checks of waiting bodies. */
  readonly lookMs?: number
}

/** How to read one body. */
export interface BodyWishes {
  /** Replaces the reader's own sizes. All bodies share its slots. */
  readonly sizes?: BodySizes
  /** Whether to return the raw bytes too, and to detect compression by them. */
  readonly isRaw?: true
  /** Whether to detect compression by the first bytes. Nothing else shows it if a file is sent as it is. */
  readonly maySurprise?: boolean
  /** Whether the body is not text. Only its raw bytes are returned. */
  readonly isBinary?: true
}

/**
 * Reads a body. `of` names the sender. A sender cannot take the last slot for a large body while another of
 * its bodies is read.
 */
export type BodyReader = (request: Request, wishes?: BodyWishes, of?: string) => Promise<ReadBody | Problem>

/** Reads bodies within limits: size on the wire, decompressed size, time, and memory of all bodies together. */
export function createBodyReader(limits: BodyLimits, now: () => Date): BodyReader {
  const { arrivalMsMax = 60_000, lookMs = 1_000 } = limits
  const { largeBytes = 4 * 2 ** 20, largeBodiesMax = 2 } = limits
  const { sharedBytesMax = 16 * largeBytes } = limits
  const placeOf = createBodyMemory({ largeBytes, largeBodiesMax, sharedBytesMax })
  const inTime = createInTime(now, lookMs)

  async function read(
    request: Request,
    encoding: string,
    memory: BodyMemory,
    { sizes = limits, isRaw, isBinary, maySurprise }: BodyWishes,
  ): Promise<string | RawBody | Problem> {
    const { wireBytesMax, inflatedBytesMax } = sizes
    const declared = Number(request.headers.get('content-length') ?? Number.NaN)
    if (declared > wireBytesMax) return tooLarge(wireBytesMax, 'on the wire')
    if (declared && !memory.grow(declared)) return busy
    const said = inflaters[encoding.replace('x-', '')]
    if (declared <= largeBytes && !said && !isRaw && !isBinary && !maySurprise) {
      // The server limits the body by its declared length. Without a server, it is limited here.
      return inTime(request.text(), arrivalMsMax, (text) =>
        text === null ? slow : text.length > wireBytesMax ? tooLarge(wireBytesMax, 'on the wire') : text,
      )
    }
    const until = now().getTime() + arrivalMsMax
    const wire = await readStream(request, wireBytesMax, memory, async (read) => {
      const left = until - now().getTime()
      return left < 0 ? null : inTime(read, left, (chunk) => chunk)
    })
    if (!(wire instanceof Uint8Array)) return wire
    const inflater = said ?? ((isRaw || maySurprise) && inflaters[compressionOf(wire)])
    const inflated = inflater ? await inflate(inflater, wire, inflatedBytesMax, memory, largeBytes) : wire
    return inflated instanceof Uint8Array ? { wire, inflated } : inflated
  }

  /** Reads a body with a memory slot. */
  async function readPlaced(request: Request, encoding: string, wishes: BodyWishes, of?: string) {
    const memory = placeOf(of)
    // If a sender disconnects in the middle, the read fails.
    const body = await read(request, encoding, memory, wishes).catch(() => torn)
    if (typeof body === 'string') return { text: body, raw: null, ...memory }
    if ('code' in body) {
      memory.release()
      return body
    }
    if (wishes.isBinary) return { text: '', raw: body, ...memory }
    // Invalid UTF-8 does not fail, because servers log the bytes that clients sent.
    const text = await decodeText(body.inflated)
    return { text, raw: wishes.isRaw ? body : null, ...memory }
  }

  return (request, wishes = {}, of) => {
    const { headers } = request
    const encoding = headerOf(headers, 'content-encoding').trim().toLowerCase()
    const type = headerOf(headers, 'content-type')
    const refused = unreadable(encoding, type, wishes)
    if (refused) return Promise.resolve(refused)
    const isPlain = encoding === '' && !wishes.isRaw && !wishes.isBinary
    // A missing header (`null`) does not count as a small size.
    const maySurprise = isPlain && !saysText.test(type)
    if (isPlain && Number(headers.get('content-length') ?? Number.NaN) <= smallBytes) {
      if (maySurprise) {
        const bytes = of === undefined ? inTime(request.bytes(), arrivalMsMax, asItIs) : request.bytes()
        return readSmall(bytes, (packed) => readPlaced(packed, '', { ...wishes, maySurprise }, of)).catch(
          tornBody,
        )
      }
      // A known sender may send slowly, because the body holds only a connection.
      if (of !== undefined) return request.text().then(smallBody, tornBody)
      return inTime(request.text(), arrivalMsMax, smallBody, tornBody)
    }
    return readPlaced(request, encoding, maySurprise ? { ...wishes, maySurprise } : wishes, of)
  }
}

/** Decompresses a body. A large one needs a memory slot. */
async function inflate(
  inflater: Inflater,
  wire: Uint8Array,
  bytesMax: number,
  memory: BodyMemory,
  largeBytes: number,
): Promise<Uint8Array | Problem> {
  if (wire.length === 0) return wire
  // Most bodies stay small. A larger one is decompressed again once it has a memory slot.
  const small = await inflater(wire, Math.min(largeBytes, bytesMax))
  if (small instanceof Uint8Array) return memory.grow(small.length) ? small : busy
  if (small === 'malformed') return malformed
  const most = Math.min(bytesMax, wire.length * ratioMax)
  const refused = most < bytesMax ? tooDense : tooLarge(bytesMax, 'inflated')
  if (largeBytes >= most) return refused
  if (!memory.grow(most)) return busy
  const large = await inflater(wire, most)
  if (large instanceof Uint8Array) return large
  return large === 'malformed' ? malformed : refused
}

const asItIs = (bytes: Uint8Array | null) => bytes

/** Reads a small body whose first bytes may show that it is compressed. `unpack` reads such a body. */
async function readSmall(
  read: Promise<Uint8Array | null>,
  unpack: (request: Request) => Promise<ReadBody | Problem>,
): Promise<ReadBody | Problem> {
  const bytes = await read
  if (bytes === null || compressionOf(bytes) === '') return smallBody(bytes && utf8.decode(bytes))
  return unpack(new Request('http://localhost', { method: 'POST', body: bytes as Uint8Array<ArrayBuffer> }))
}

/** Types of bodies that are surely text. Forms are not, because curl calls every file one. */
const saysText = /json|text/i
// Invalid UTF-8 does not throw, because servers log the bytes that clients sent.
const utf8 = new TextDecoder()

const smallBytes = 4 * 1024
const nothing = () => {}
const always = () => true
/** Reads a small body, which needs no memory slot. */
const smallBody = (text: string | null): ReadBody | Problem =>
  text === null ? slow : { text, raw: null, grow: always, release: nothing }

/** Returns the compression of a file that a sender compressed without a header. */
function compressionOf(wire: Uint8Array): string {
  if (wire[0] === 0x1f && wire[1] === 0x8b && wire[2] === 8) return 'gzip'
  const isZstd = wire[0] === 0x28 && wire[1] === 0xb5 && wire[2] === 0x2f && wire[3] === 0xfd
  return isZstd ? 'zstd' : ''
}

const busy = problem('unavailable', 'Other large batches are being read. Send this batch again.', 1)
const slow = problem('unavailable', 'The body took too long to arrive. Send it again.', 1)
const tooLarge = (bytes: number, where: string) =>
  problem('payload_too_large', `A body may have ${bytes} bytes ${where}. Send it in parts.`)
/** A large body may expand to this many times its compressed size. Logs compress 5 to 60 times. */
const ratioMax = 250
const tooDense = problem(
  'payload_too_large',
  `A large body may inflate to ${ratioMax} times its size on the wire. Send it in parts, or without compression.`,
)
const malformed = problem('malformed_body', 'The body does not decompress as its Content-Encoding says.')
const torn = problem('malformed_body', 'The body is incomplete.')
const tornBody = () => torn

const encodings = ['identity', 'gzip', 'x-gzip', 'deflate', 'zstd']

function unreadable(encoding: string, contentType: string, { isBinary }: BodyWishes): Problem | null {
  // A binary dialect decompresses Snappy itself, which its senders do not always announce.
  if (isBinary && encoding === 'snappy') return null
  if (encoding !== '' && !encodings.includes(encoding)) {
    return problem('unsupported_media_type', 'Content-Encoding may be gzip, deflate, zstd or absent.')
  }
  // Ignores other types, because forwarders send plain log lines as forms and JSON as octets.
  if (!isBinary && /msgpack|protobuf|multipart|avro|parquet/i.test(contentType)) {
    return problem(
      'unsupported_media_type',
      'Send JSON, JSON lines or the lines of an access log (Fluent Bit: `format json_lines`).',
    )
  }
  return null
}

/** A part of a body. The end has no value. */
type Chunk = { readonly value?: Uint8Array | undefined }

async function readStream(
  request: Request,
  bytesMax: number,
  memory: BodyMemory,
  inTime: (read: Promise<Chunk>) => Promise<Chunk | null>,
): Promise<Uint8Array | Problem> {
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  const refuse = (refused: Problem) => {
    void reader.cancel().catch(() => {})
    return refused
  }
  for (;;) {
    const chunk = await inTime(reader.read())
    if (!chunk) return refuse(slow)
    if (!chunk.value) return Buffer.concat(chunks, length)
    length += chunk.value.length
    if (length > bytesMax) return refuse(tooLarge(bytesMax, 'on the wire'))
    if (!memory.grow(length)) return refuse(busy)
    chunks.push(chunk.value)
  }
}

type Inflated = Uint8Array | 'too large' | 'malformed'
type Inflater = (bytes: Uint8Array, bytesMax: number) => Promise<Inflated>

const gunzip = inflaterOf(promisify(zlib.gunzip))
const unwrap = inflaterOf(promisify(zlib.inflate))
const unzstd = inflaterOf(promisify(zlib.zstdDecompress))
const inflateBare = inflaterOf(promisify(zlib.inflateRaw))
const inflaters: Readonly<Record<string, Inflater>> = {
  gzip: gunzip,
  zstd: async (bytes, bytesMax) => {
    const inflated = await unzstd(bytes, bytesMax)
    return inflated instanceof Uint8Array && !isWholeZstd(bytes) ? 'malformed' : inflated
  },
  // Some senders use `deflate` for a stream without zlib header.
  deflate: async (bytes, bytesMax) => {
    const wrapped = await unwrap(bytes, bytesMax)
    return wrapped === 'malformed' ? inflateBare(bytes, bytesMax) : wrapped
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
