import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { type LogoImage, logoFault, pixelsMax, sidesOf } from './logo-limits'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
/** The parts that a logo keeps. Texts, profiles, times, animations and unknown parts are left out. */
const kept = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
/** Samples of a pixel by color type, and the bit depths that the type allows. */
const colorTypes: Readonly<Record<number, readonly [samples: number, depths: readonly number[]]>> = {
  0: [1, [1, 2, 4, 8, 16]],
  2: [3, [8, 16]],
  3: [1, [1, 2, 4, 8]],
  4: [2, [8, 16]],
  6: [4, [8, 16]],
}
/** First column, first row, and steps of each pass of an interlaced picture. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(signature)

/**
 * Checks a PNG completely and writes it again from its pixels, so that nothing else of the file is left. Throws a Refusal
 * if it is not a complete PNG.
 */
export function rewrittenPng(bytes: Buffer): LogoImage {
  const chunks = chunksOf(bytes)
  const [head] = chunks
  if (head?.type !== 'IHDR' || head.data.length !== 13) throw logoFault('The PNG has no header.')
  if (chunks.at(-1)?.type !== 'IEND') throw logoFault('The PNG is cut off.')
  const picture = headOf(head.data)
  const one = (type: string) => {
    const found = chunks.filter((chunk) => chunk.type === type)
    if (found.length > 1) throw logoFault(`The PNG has more than one ${type} part.`)
    return found[0]?.data
  }
  const palette = one('PLTE')
  const transparent = one('tRNS')
  one('IHDR')
  one('IEND')
  checkPalette(picture, palette, transparent)
  const pixels = pixelsOf(chunks, picture)
  const written = Buffer.concat([
    signature,
    chunkOf('IHDR', head.data),
    ...(palette ? [chunkOf('PLTE', palette)] : []),
    ...(transparent ? [chunkOf('tRNS', transparent)] : []),
    chunkOf('IDAT', deflateSync(pixels, { level: 9 })),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
  return { type: 'image/png', bytes: written, width: picture.width, height: picture.height }
}

/** Readers refuse some pictures whose palette or transparency does not fit their colors, and then a report has no PDF. */
function checkPalette(
  { colorType }: Picture,
  palette: Buffer | undefined,
  transparent: Buffer | undefined,
): void {
  if (colorType === 3 && !palette) throw logoFault('The PNG has no palette.')
  const isGray = colorType === 0 || colorType === 4
  if (palette && (isGray || palette.length === 0 || palette.length % 3 !== 0 || palette.length > 768))
    throw logoFault('The palette of the PNG is not valid.')
  if (!transparent) return
  const isFine =
    colorType === 3
      ? transparent.length * 3 <= (palette?.length ?? 0)
      : transparent.length === (transparencySizes[colorType] ?? 0)
  if (!isFine || transparent.length === 0) throw logoFault('The transparency of the PNG is not valid.')
}

/** Bytes of the transparent color by color type. Pictures with an alpha channel have none. */
const transparencySizes: Readonly<Record<number, number>> = { 0: 2, 2: 6 }

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

/** Reads the parts of the file up to its end part. Each checksum must be right. */
function chunksOf(bytes: Buffer): Chunk[] {
  const found: Chunk[] = []
  for (let at = 8; at < bytes.length; ) {
    if (at + 12 > bytes.length) throw logoFault('The PNG is cut off.')
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) throw logoFault('The PNG is cut off.')
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw logoFault('The PNG is damaged: a checksum is wrong.')
    // A part with a small first letter may be left out by readers. Others change how the picture looks.
    if (kept.has(type)) found.push({ type, data: bytes.subarray(at + 8, end - 4) })
    else if (!/^[a-z][a-zA-Z]{3}$/.test(type)) throw logoFault(`The PNG has an unknown part ${safe(type)}.`)
    if (type === 'IEND') return found
    at = end
  }
  throw logoFault('The PNG is cut off.')
}

const safe = (type: string) => type.replaceAll(/[^a-zA-Z]/g, '?')

interface Picture {
  readonly width: number
  readonly height: number
  readonly colorType: number
  readonly bitsPerPixel: number
  readonly isInterlaced: boolean
}

function headOf(data: Buffer): Picture {
  const { width, height } = sidesOf(data.readUInt32BE(0), data.readUInt32BE(4))
  const [depth = 0, colorType = 0, compression = 0, filter = 0, interlace = 0] = data.subarray(8)
  const [samples, depths] = colorTypes[colorType] ?? [0, []]
  if (!depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    throw logoFault('The header of the PNG is not valid.')
  return { width, height, colorType, bitsPerPixel: samples * depth, isInterlaced: interlace === 1 }
}

/** Unpacks the pixels. They must have exactly the size that the header says. */
function pixelsOf(chunks: readonly Chunk[], picture: Picture): Buffer {
  const packed = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])))
  const rows = rowsOf(picture)
  const size = rows.reduce((sum, [count, length]) => sum + count * length, 0)
  if (size > pixelsMax * 9) throw logoFault('The PNG has too many pixels.')
  let pixels: Buffer
  try {
    pixels = inflateSync(packed, { maxOutputLength: size + 1 })
  } catch {
    throw logoFault('The pixels of the PNG cannot be read.')
  }
  if (pixels.length !== size) throw logoFault('The PNG has another number of pixels than its header says.')
  let at = 0
  for (const [count, length] of rows) {
    for (let row = 0; row < count; row++, at += length) {
      if ((pixels[at] ?? 5) > 4) throw logoFault('The pixels of the PNG cannot be read.')
    }
  }
  return pixels
}

/** Returns how many rows of which length the pixels have, with the byte of the filter of each row. */
function rowsOf({ width, height, bitsPerPixel, isInterlaced }: Picture): (readonly [number, number])[] {
  const length = (columns: number) => 1 + Math.ceil((columns * bitsPerPixel) / 8)
  if (!isInterlaced) return [[height, length(width)]]
  return passes.flatMap(([x, y, dx, dy]) => {
    const columns = Math.ceil((width - x) / dx)
    const rows = Math.ceil((height - y) / dy)
    return columns > 0 && rows > 0 ? [[rows, length(columns)] as const] : []
  })
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  const sum = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
