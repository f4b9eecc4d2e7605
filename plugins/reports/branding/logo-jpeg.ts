import { type LogoImage, logoFault, sidesOf } from './logo-limits'

/** Tables and frames of a picture: quantization, Huffman, restart interval. */
const tables = new Set([0xdb, 0xc4, 0xdd])
/** Progressive pictures have about ten scans. Each can cost as much as the whole picture. */
const scansMax = 64
/** Frames: baseline, extended and progressive. */
const frames = new Set([0xc0, 0xc1, 0xc2])

export const isJpeg = (bytes: Buffer): boolean => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))

/**
 * Checks the parts of a JPEG and writes it again with its picture alone: without texts, profiles, thumbnails, places or
 * anything after its end. Throws a Refusal if a part is missing or unknown.
 */
export function rewrittenJpeg(bytes: Buffer): LogoImage {
  const parts: Buffer[] = [bytes.subarray(0, 2)]
  let size: { readonly width: number; readonly height: number } | undefined
  let scans = 0
  for (let at = 2; ; ) {
    const { marker, from } = markerAt(bytes, at)
    if (marker === 0xd9) break
    const end = endOfSegment(bytes, from)
    const segment = bytes.subarray(from - 2, end)
    if (frames.has(marker)) {
      if (size) throw logoFault('The JPEG has more than one picture.')
      size = frameOf(bytes.subarray(from + 2, end))
    }
    at = end
    if (marker === 0xda) {
      if (!size) throw logoFault('The JPEG has no frame.')
      scans++
      if (scans > scansMax) throw logoFault('The JPEG has too many scans. Save it as a normal JPEG or PNG.')
      at = endOfScan(bytes, end)
      parts.push(segment, bytes.subarray(end, at))
    } else if (frames.has(marker) || tables.has(marker) || isAdobe(marker, bytes.subarray(from + 2, end))) {
      parts.push(segment)
    } else if (!isComment(marker)) {
      throw logoFault('The JPEG has a part that Renown does not know. Save it as a normal JPEG or PNG.')
    }
  }
  if (!size || scans === 0) throw logoFault('The JPEG has no picture.')
  return { type: 'image/jpeg', bytes: Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]), ...size }
}

function markerAt(bytes: Buffer, start: number): { readonly marker: number; readonly from: number } {
  if (bytes[start] !== 0xff) throw logoFault('The JPEG is damaged or cut off.')
  let at = start
  while (bytes[at] === 0xff) at++
  const marker = bytes[at]
  if (marker === undefined || marker === 0) throw logoFault('The JPEG is damaged or cut off.')
  return { marker, from: at + 1 }
}

function endOfSegment(bytes: Buffer, from: number): number {
  const length = from + 2 <= bytes.length ? bytes.readUInt16BE(from) : 0
  if (length < 2 || from + length > bytes.length) throw logoFault('The JPEG is damaged or cut off.')
  return from + length
}

/** Returns where the packed pixels of a scan end: at the next marker that is neither stuffing nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    const next = bytes[at + 1] ?? 0
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  throw logoFault('The JPEG is damaged or cut off.')
}

function frameOf(frame: Buffer) {
  const components = frame[5] ?? 0
  if (frame.length !== 6 + 3 * components || frame[0] !== 8)
    throw logoFault('The frame of the JPEG is not valid.')
  if (components !== 1 && components !== 3)
    throw logoFault('The JPEG is not in RGB or gray. Save it in RGB, or as PNG.')
  return sidesOf(frame.readUInt16BE(3), frame.readUInt16BE(1))
}

/** Adobe's part says how colors are stored, so the picture needs it. */
const isAdobe = (marker: number, data: Buffer) =>
  marker === 0xee && data.length === 12 && data.toString('latin1', 0, 5) === 'Adobe'

/** Application data and comments, which the picture does not need. */
const isComment = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe
