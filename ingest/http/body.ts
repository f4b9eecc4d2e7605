import { busy, slow, tooLarge, torn } from './body-refusals'
import { decodeText, nextImmediate } from './decoding/decode-text'
import type { Inflated, Packing } from './decoding/decoder-messages'
import { headerOf } from './header'
import { createInTime } from './in-time'
import { inflaters } from './inflaters'
import { type BodyMemory, type BodyMemoryLimits, createBodyMemory } from './limits'
import { type Problem, problem } from './problem'
import { copyInTurns, readStream } from './read-stream'

/** A body that was read. `release` frees its memory share. */
export interface ReadBody {
  readonly text: string
  /** The processor time that reading took, in milliseconds. That of other threads is an estimate. */
  readonly ms: number
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
  /** The processor time that reading took, in milliseconds. */
  readonly ms: number
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
export type BodyReader = (
  request: Request,
  wishes?: BodyWishes,
  of?: string,
) => Promise<ReadBody | RefusedBody>

/** What decodes the text of a body, and gives its sender's turn to other work. */
export interface BodyWork {
  text(bytes: Uint8Array): Promise<{ readonly decoded: string | Problem; readonly ms: number }>
  turn(of: string | undefined): Promise<void>
  /** Decompresses a large body. Default: like a small one, whose parts are joined at once. */
  inflate?(packing: Packing, bytes: Uint8Array, bytesMax: number): Promise<Inflated | Problem>
}

const ownWork: BodyWork = {
  text: async (bytes) => ({ decoded: await decodeText(bytes), ms: 0 }),
  turn: nextImmediate,
}

/** A refusal of a body that was read, with the processor time that reading took. */
export interface RefusedBody extends Problem {
  readonly ms?: number
}

/** Milliseconds of processor time that a mebibyte takes: on the wire, and decompressed in another thread. */
const wireMsPerMebibyte = 2
const inflateMsPerMebibyte = 4
const mebibyte = 2 ** 20
/** The text of larger bodies is decoded in turns or elsewhere. Bytes that are no UTF-8 take 20 ms for a mebibyte. */
const atOnceBytes = 256 * 1024

/** Reads bodies within limits: size on the wire, decompressed size, time, and memory of all bodies together. */
export function createBodyReader(limits: BodyLimits, now: () => Date, work: BodyWork = ownWork): BodyReader {
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
    of: string | undefined,
  ): Promise<string | RawBody | RefusedBody> {
    const { wireBytesMax, inflatedBytesMax } = sizes
    const declared = Number(request.headers.get('content-length') ?? Number.NaN)
    if (declared > wireBytesMax) return tooLarge(wireBytesMax, 'on the wire')
    if (declared && !memory.grow(declared)) return busy
    const said = inflaters[encoding.replace('x-', '')]
    const isDeclaredText = declared <= largeBytes && !said && !isRaw && !isBinary && !maySurprise
    if (isDeclaredText)
      return readDeclared(request, declared, wireBytesMax, (read, make) => inTime(read, arrivalMsMax, make))
    const until = now().getTime() + arrivalMsMax
    const turn = () => work.turn(of)
    const wire = await readStream(
      request,
      { bytesMax: wireBytesMax, declared, memory, turn },
      async (read) => {
        const left = until - now().getTime()
        return left < 0 ? null : inTime(read, left, (chunk) => chunk)
      },
    )
    // Without a declared length, it was read up to the limit.
    if (!(wire instanceof Uint8Array))
      return wire.code === 'payload_too_large' ? { ...wire, ms: wireMs(wireBytesMax) } : wire
    const inflater = said ?? ((isRaw || maySurprise) && inflaters[compressionOf(wire)])
    if (!inflater) return { wire, inflated: wire, ms: wireMs(wire.length) }
    const room = { bytesMax: inflatedBytesMax, largeBytes, memory }
    return unpacked(
      wire,
      (bytes, max, isLarge) => inflater(bytes, max, { turn, inflate: isLarge ? work.inflate : undefined }),
      room,
    )
  }

  /** Reads a body with a memory slot. */
  async function readPlaced(request: Request, encoding: string, wishes: BodyWishes, of?: string) {
    const memory = placeOf(of)
    // If a sender disconnects in the middle, the read fails.
    const body = await read(request, encoding, memory, wishes, of).catch(() => torn)
    if (typeof body === 'string') return { text: body, raw: null, ms: 0, ...memory }
    if ('code' in body) {
      memory.release()
      return body
    }
    if (wishes.isBinary) return { text: '', raw: body, ms: body.ms, ...memory }
    return decodedBody(body, wishes, memory, work, of)
  }

  return (request, wishes = {}, of) => {
    const { headers } = request
    const encoding = headerOf(headers, 'content-encoding').trim().toLowerCase()
    const type = headerOf(headers, 'content-type')
    const refused = unreadable(encoding, type, wishes)
    if (refused) return Promise.resolve(refused)
    const isPlain = encoding === '' && !wishes.isRaw && !wishes.isBinary
    // A missing header (`null`) does not count as a small size.
    const maySurprise = isPlain && (wishes.maySurprise === true || !saysText.test(type))
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

type WaitFor = <Value, Made>(read: Promise<Value>, make: (value: Value | null) => Made) => Promise<Made>

/** Reads a text of a declared length. The server limits it by that. Without a server, it is limited here. */
function readDeclared(request: Request, declared: number, bytesMax: number, wait: WaitFor) {
  if (declared <= atOnceBytes) {
    return wait(request.text(), (text) =>
      text === null ? slow : text.length > bytesMax ? tooLarge(bytesMax, 'on the wire') : text,
    )
  }
  return wait(request.bytes(), (bytes): RawBody | Problem => {
    if (bytes === null) return slow
    if (bytes.length > bytesMax) return tooLarge(bytesMax, 'on the wire')
    return { wire: bytes, inflated: bytes, ms: 0 }
  })
}

/**
 * Decodes the text of a body. Invalid UTF-8 does not fail, because servers log the bytes that clients sent. The bytes cannot be used
 * afterwards, so a raw body gives a copy.
 */
async function decodedBody(
  body: RawBody,
  { isRaw }: BodyWishes,
  memory: BodyMemory,
  work: BodyWork,
  of: string | undefined,
): Promise<ReadBody | RefusedBody> {
  const bytes = isRaw ? await copyInTurns(body.inflated, () => work.turn(of)) : body.inflated
  const { decoded, ms } = await work.text(bytes)
  if (typeof decoded === 'string')
    return { text: decoded, raw: isRaw ? body : null, ms: body.ms + ms, ...memory }
  memory.release()
  return { ...decoded, ms: body.ms + ms }
}

interface InflateRoom {
  readonly bytesMax: number
  readonly largeBytes: number
  readonly memory: BodyMemory
}

type InflateSized = Parameters<typeof inflate>[0]

/** Decompresses a body, with what that took. */
async function unpacked(
  wire: Uint8Array,
  inflater: InflateSized,
  { bytesMax, largeBytes, memory }: InflateRoom,
): Promise<RawBody | RefusedBody> {
  const inflated = await inflate(inflater, wire, bytesMax, memory, largeBytes)
  if (inflated instanceof Uint8Array)
    return { wire, inflated, ms: wireMs(wire.length) + inflateMs(inflated.length) }
  // It was decompressed up to a limit, which is unknown here.
  const most = Math.min(bytesMax, wire.length * ratioMax)
  return { ...inflated, ms: wireMs(wire.length) + inflateMs(most) }
}

/** Decompresses a body. A large one needs a memory slot. */
async function inflate(
  inflater: (bytes: Uint8Array, bytesMax: number, isLarge: boolean) => Promise<Inflated | Problem>,
  wire: Uint8Array,
  bytesMax: number,
  memory: BodyMemory,
  largeBytes: number,
): Promise<Uint8Array | Problem> {
  if (wire.length === 0) return wire
  // Most bodies stay small. A larger one is decompressed again once it has a memory slot.
  const small = await inflater(wire, Math.min(largeBytes, bytesMax), false)
  if (small instanceof Uint8Array) return memory.grow(small.length) ? small : busy
  if (small === 'malformed') return malformed
  if (typeof small === 'object') return small
  const most = Math.min(bytesMax, wire.length * ratioMax)
  const refused = most < bytesMax ? tooDense : tooLarge(bytesMax, 'inflated')
  if (largeBytes >= most) return refused
  if (!memory.grow(most)) return busy
  const large = await inflater(wire, most, true)
  if (large instanceof Uint8Array || typeof large === 'object') return large
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
  text === null ? slow : { text, raw: null, ms: 0, grow: always, release: nothing }

/** Returns the compression of a file that a sender compressed without a header. */
function compressionOf(wire: Uint8Array): string {
  if (wire[0] === 0x1f && wire[1] === 0x8b && wire[2] === 8) return 'gzip'
  const isZstd = wire[0] === 0x28 && wire[1] === 0xb5 && wire[2] === 0x2f && wire[3] === 0xfd
  return isZstd ? 'zstd' : ''
}

/** A large body may expand to this many times its compressed size. Logs compress 5 to 60 times. */
const ratioMax = 250
const tooDense = problem(
  'payload_too_large',
  `A large body may inflate to ${ratioMax} times its size on the wire. Send it in parts, or without compression.`,
)
const malformed = problem('malformed_body', 'The body does not decompress as its Content-Encoding says.')
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

const wireMs = (bytes: number) => (bytes / mebibyte) * wireMsPerMebibyte
const inflateMs = (bytes: number) => (bytes / mebibyte) * inflateMsPerMebibyte
