import type { CountedHit, TrafficCategory, Verdict } from 'renown/contracts'

/**
 * A counted request for the journal. `id` is the 53-bit hash that recognizes it. `sender_id` is one of its sender's id
 * alone, and is not stored.
 */
export type JournalHit = CountedHit & {
  readonly id?: number | undefined
  readonly sender_id?: number | undefined
}

/** A batch and its answer, stored next to its hits, so that a retry gets the same answer. */
export interface BatchRecord {
  readonly id: string
  readonly accepted: number
  readonly ignored: number
  readonly rejected: number
  readonly duplicate: number
  /** Time of acceptance, in milliseconds since the epoch. */
  readonly at: number
}

export interface SegmentFrame {
  readonly hits: readonly JournalHit[]
  readonly batchIds: readonly BatchRecord[]
  /**
   * For each batch, the number of hits in the frame before its record. The last `accepted` of them belong to
   * it.
   */
  readonly ends: readonly number[]
}

/** The ids of a site's batches and hits. */
export interface CountedIds {
  readonly batchIds: BatchRecord[]
  readonly hitIds: number[]
}

export interface Segment {
  readonly frames: readonly SegmentFrame[]
  /** End of the last complete frame. Later bytes are ignored. */
  readonly validBytes: number
  /** Whether bytes follow the last complete frame. */
  readonly torn: boolean
  /** Whether more is damaged than an end cut off by a crash. The damaged part may have been acknowledged. */
  readonly damaged: boolean
}

/** `u32 magic | u32 length | u32 crc32(payload) | u32 hits`, little endian, before each payload. */
export const frameHeaderBytes = 16
const magic = 0x314e5752 // "RWN1"
const magicBytes = Buffer.from('RWN1')

/** Reads the frames with matching checksums. Skips damaged parts between them. */
export function readSegment(bytes: Uint8Array): Segment {
  const frames: SegmentFrame[] = []
  const { validBytes, skippedBytes } = walkFrames(bytes, (payload, hits) => {
    const frame = readPayload(payload)
    if (frame.hits.length !== hits) return false
    frames.push(frame)
    return true
  })
  const torn = skippedBytes > 0 || validBytes !== bytes.length
  const damaged = skippedBytes > 0 || !isCutOff(bytes.subarray(validBytes))
  return { frames, validBytes, torn, damaged: torn && damaged }
}

/**
 * Reads only the ids of batches, hits and paths by site, which is much cheaper than the hits. Batches without a
 * counted hit are under `''`, because their site is unknown.
 */
export function readIds(
  bytes: Uint8Array,
  onPath: (siteId: string, date: string, path: string) => void = () => {},
): ReadonlyMap<string, CountedIds> {
  const found = new Map<string, CountedIds>()
  const of = (site: string) => {
    const known = found.get(site) ?? { batchIds: [], hitIds: [] }
    found.set(site, known)
    return known
  }
  walkFrames(bytes, (payload) => {
    const text = decoder.decode(payload)
    const heads: string[][] = []
    let start = 0
    // The record of a batch follows its hits.
    let last = ''
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (text.startsWith('b\t', start)) {
        const batch = readBatch(text.slice(start, end).split('\t'))
        of(batch.accepted > 0 ? last : '').batchIds.push(batch)
      } else if (text.startsWith('d\t', start)) heads.push(text.slice(start, end).split('\t', 4))
      else {
        const time = text.indexOf('\t', start) + 1
        const path = text.indexOf('\t', time) + 1
        const tab = text.indexOf('\t', path)
        const hasId = tab > 0 && tab < end
        const [, , site = '', date = ''] = heads[Number(text.slice(start, time - 1))] ?? []
        last = unescaped(site)
        if (hasId) of(last).hitIds.push(Number.parseInt(text.slice(tab + 1, end), 36))
        onPath(last, unescaped(date), unescaped(text.slice(path, hasId ? tab : end)))
      }
      start = end + 1
    }
    return true
  })
  return found
}

/**
 * Reads complete frames one by one. Returns the end of the last one, and how many bytes were skipped. Text
 * cannot look like a frame, because the length in a frame contains control characters.
 */
function walkFrames(bytes: Uint8Array, accept: (payload: Uint8Array, hits: number) => boolean) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let validBytes = 0
  let skippedBytes = 0
  for (let at = 0; at >= 0 && at + frameHeaderBytes <= buffer.length; ) {
    const payload = payloadAt(buffer, at)
    if (payload && accept(payload, buffer.readUInt32LE(at + 12))) {
      skippedBytes += at - validBytes
      at += frameHeaderBytes + payload.length
      validBytes = at
    } else at = buffer.indexOf(magicBytes, at + 1)
  }
  return { validBytes, skippedBytes }
}

/** Returns the payload of a complete frame that starts here, or undefined. */
function payloadAt(buffer: Buffer, at: number): Uint8Array | null {
  if (buffer.readUInt32LE(at) !== magic) return null
  const end = at + frameHeaderBytes + buffer.readUInt32LE(at + 4)
  if (end > buffer.length) return null
  const payload = buffer.subarray(at + frameHeaderBytes, end)
  return Bun.hash.crc32(payload) === buffer.readUInt32LE(at + 8) ? payload : null
}

/** Whether only the beginning of a frame is left, as after an interrupted write. Zeros may follow. */
function isCutOff(rest: Uint8Array): boolean {
  if (rest.length < frameHeaderBytes || rest.every((byte) => byte === 0)) return true
  const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength)
  return view.getUint32(0, true) === magic && frameHeaderBytes + view.getUint32(4, true) > rest.length
}

/** Writes the header before the payload of a frame. */
export function writeFrameHeader(frame: Uint8Array, hits: number): void {
  const payload = frame.subarray(frameHeaderBytes)
  const view = new DataView(frame.buffer, frame.byteOffset, frameHeaderBytes)
  view.setUint32(0, magic, true)
  view.setUint32(4, payload.length, true)
  view.setUint32(8, Bun.hash.crc32(payload), true)
  view.setUint32(12, hits, true)
}

const decoder = new TextDecoder()

function readPayload(payload: Uint8Array): SegmentFrame {
  const text = decoder.decode(payload)
  const hits: JournalHit[] = []
  const batchIds: BatchRecord[] = []
  const ends: number[] = []
  const heads: Omit<CountedHit, 'path' | 'ts'>[] = []
  let ts = 0
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    const parts = text.slice(start, end).split('\t')
    start = end + 1
    if (parts[0] === 'd') heads.push(readHead(parts))
    else if (parts[0] === 'b') {
      batchIds.push(readBatch(parts))
      ends.push(hits.length)
    } else {
      const head = heads[Number(parts[0])]
      if (!head) break
      if (parts[1]) ts = Number.parseInt(parts[1], 36)
      hits.push({
        kind: head.kind,
        site_id: head.site_id,
        date: head.date,
        agent: head.agent,
        category: head.category,
        operator: head.operator,
        verdict: head.verdict,
        status: head.status,
        signer: head.signer,
        verified_by: head.verified_by,
        ts,
        path: unescaped(parts[2] ?? ''),
        id: parts[3] === undefined ? undefined : Number.parseInt(parts[3], 36),
      })
    }
  }
  return { hits, batchIds, ends }
}

function readHead(parts: readonly string[]): Omit<CountedHit, 'path' | 'ts'> {
  const [, kind = '', site = '', date = '', agent = '', category = '', operator = '', verdict = ''] = parts
  // Journals of earlier versions have none of these.
  const [status, signer, verifiedBy] = parts.slice(8)
  return {
    kind: kind as CountedHit['kind'],
    site_id: unescaped(site),
    date: unescaped(date),
    agent: unescaped(agent),
    category: category as TrafficCategory | '',
    operator: unescaped(operator),
    verdict: verdict as Verdict,
    status: status ? Number(status) : undefined,
    signer: signer === undefined ? undefined : unescaped(signer),
    verified_by: verifiedBy === 'signature' || verifiedBy === 'both' ? verifiedBy : undefined,
  }
}

function readBatch(parts: readonly string[]): BatchRecord {
  return {
    id: unescaped(parts[1] ?? ''),
    accepted: Number(parts[2]),
    ignored: Number(parts[3]),
    rejected: Number(parts[4]),
    duplicate: Number(parts[5]),
    at: Number(parts[6]),
  }
}

const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\([tn\\])/g, (_, char) => (char === 't' ? '\t' : char === 'n' ? '\n' : '\\'))
    : text
