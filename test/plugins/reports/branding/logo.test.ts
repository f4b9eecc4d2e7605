import { describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { rewrittenLogo } from '../../../../plugins/reports/branding/logo'
import { pngChunk as chunk } from '../../../support/logo-png'

const head = (width: number, height: number, [depth, color, interlace = 0]: readonly number[]) => {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([depth ?? 8, color ?? 2, 0, 0, interlace], 8)
  return chunk('IHDR', data)
}
const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const rows = (width: number, height: number, bytes = 3) => Buffer.alloc(height * (1 + width * bytes))
const png = ({
  ihdr = head(16, 16, [8, 2]),
  pixels = rows(16, 16),
  more = [] as Buffer[],
  after = Buffer.alloc(0),
} = {}) =>
  Buffer.concat([
    signature,
    ihdr,
    ...more,
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
    after,
  ])
const faultOf = (file: Uint8Array) => {
  try {
    rewrittenLogo(file)
    return 'accepted'
  } catch (error) {
    const { code, details } = error as { code: string; details: { errors: { pointer: string }[] } }
    return `${code} ${details.errors[0]?.pointer}`
  }
}
const refused = 'invalid_field /logo'

describe('a PNG logo', () => {
  test('is written again from its pixels, without texts, profiles or anything after its end', () => {
    const secret = Buffer.from('GPS 51.5 <script>alert(1)</script>')
    const more = ['tEXt', 'eXIf', 'iCCP', 'acTL', 'prVt'].map((type) => chunk(type, secret))
    const logo = rewrittenLogo(png({ more, after: Buffer.concat([Buffer.from('PK\u0003\u0004'), secret]) }))
    expect(logo).toMatchObject({ type: 'image/png', width: 16, height: 16 })
    expect(logo.bytes.includes('script')).toBe(false)
    expect(logo.bytes).toEqual(rewrittenLogo(png()).bytes)
    expect(rewrittenLogo(logo.bytes).bytes).toEqual(logo.bytes)
  })

  test('may be interlaced, gray, with a palette or transparent', () => {
    const palette = chunk('PLTE', Buffer.alloc(6))
    // Interlaced, 16 × 16 in one byte a pixel: 2×2, 2×2, 4×2, 4×4, 8×4, 8×8 and 16×8 pixels, each row with its filter.
    const passes = [2 * 3, 2 * 3, 2 * 5, 4 * 5, 4 * 9, 8 * 9, 8 * 17].reduce((sum, size) => sum + size, 0)
    const good = [
      png({ ihdr: head(16, 16, [8, 0]), pixels: rows(16, 16, 1) }),
      png({ ihdr: head(16, 16, [8, 6]), pixels: rows(16, 16, 4) }),
      png({ ihdr: head(16, 16, [1, 3]), pixels: Buffer.alloc(16 * 3), more: [palette] }),
      png({ ihdr: head(16, 16, [8, 0, 1]), pixels: Buffer.alloc(passes) }),
    ]
    expect(good.map(faultOf)).toEqual(good.map(() => 'accepted'))
  })

  test('is refused if it is cut off, damaged, too large, or says something else than it has', () => {
    const whole = png()
    const damaged = Buffer.from(whole)
    damaged[20] = 99
    const bad = [
      ...[20, 40, whole.length - 13, whole.length - 1].map((length) => whole.subarray(0, length)),
      damaged,
      png({ pixels: rows(16, 15) }),
      png({ pixels: rows(16, 17) }),
      png({ pixels: Buffer.alloc(rows(16, 16).length, 9) }),
      png({ ihdr: head(15, 16, [8, 2]), pixels: rows(15, 16) }),
      png({ ihdr: head(2_001, 16, [8, 2]), pixels: rows(2_001, 16) }),
      png({ ihdr: head(2_000, 1_500, [8, 2]), pixels: rows(16, 16) }),
      png({ ihdr: head(16, 16, [3, 2]) }),
      png({ ihdr: head(16, 16, [8, 3]), pixels: rows(16, 16, 1) }),
      png({ more: [chunk('EVIL', Buffer.alloc(0))] }),
      png({ more: [head(16, 16, [8, 2])] }),
      png({ more: [chunk('tEXt', Buffer.alloc(200_001))] }),
    ]
    expect(bad.map(faultOf)).toEqual(bad.map(() => refused))
  })

  test('that unpacks to far more than its header says is refused without unpacking it', () => {
    const bomb = png({ pixels: Buffer.alloc(50_000_000) })
    expect(bomb.length).toBeLessThan(200_000)
    expect(faultOf(bomb)).toBe(refused)
  })
})

const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
const frame = (width: number, height: number, components = 3) => {
  const data = Buffer.alloc(6 + components * 3)
  data[0] = 8
  data.writeUInt16BE(height, 1)
  data.writeUInt16BE(width, 3)
  data[5] = components
  return data
}
const jpeg = ({ sof = 0xc0, size = frame(40, 20), more = [] as Buffer[], after = '' } = {}) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...more,
    segment(0xdb, Buffer.alloc(65)),
    segment(sof, size),
    segment(0xc4, Buffer.alloc(20)),
    segment(0xda, Buffer.alloc(10)),
    Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd0, 4, 0xff, 0xd9]),
    Buffer.from(after),
  ])

describe('a JPEG logo', () => {
  test('keeps its picture alone: no place, thumbnail, comment or appended file', () => {
    const place = Buffer.from('Exif\0\0 GPS 51.5')
    const more = [segment(0xe1, place), segment(0xfe, place), segment(0xe2, place), segment(0xe0, place)]
    const logo = rewrittenLogo(jpeg({ more, after: 'PK\u0003\u0004 GPS' }))
    expect(logo).toMatchObject({ type: 'image/jpeg', width: 40, height: 20 })
    expect(logo.bytes.includes('GPS')).toBe(false)
    expect(logo.bytes).toEqual(rewrittenLogo(jpeg()).bytes)
  })

  test('is refused if it is cut off, in CMYK, has two frames, or a frame that browsers do not read', () => {
    const whole = jpeg()
    const bad = [
      ...[3, 30, 100, whole.length - 2, whole.length - 1].map((length) => whole.subarray(0, length)),
      jpeg({ size: frame(40, 20, 4) }),
      jpeg({ sof: 0xc3 }),
      jpeg({ more: [segment(0xc0, frame(40, 20))] }),
      jpeg({ size: frame(0, 20) }),
      jpeg({ size: frame(65_535, 65_535) }),
      jpeg({ more: [segment(0x01, Buffer.alloc(4))] }),
    ]
    expect(bad.map(faultOf)).toEqual(bad.map(() => refused))
  })
})

test('a JPEG that is painted again and again is refused, because each time costs as much as the picture', () => {
  const scan = Buffer.concat([segment(0xda, Buffer.alloc(10)), Buffer.from([1])])
  const scans = (count: number) => {
    const whole = jpeg({ sof: 0xc2, size: frame(1_900, 1_000) })
    const end = Buffer.from([0xff, 0xd9])
    return Buffer.concat([whole.subarray(0, -2), ...Array.from({ length: count }, () => scan), end])
  }
  expect([10, 30, 100, 5_000].map((count) => faultOf(scans(count)))).toEqual([
    'accepted',
    'accepted',
    refused,
    refused,
  ])
})

test('a PNG whose palette or transparency does not fit its colors is refused', () => {
  const part = (type: string, length: number) => chunk(type, Buffer.alloc(length))
  const one = (depth: number, color: number, ...more: Buffer[]) => {
    const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color] ?? 1
    return faultOf(png({ ihdr: head(16, 16, [depth, color]), pixels: rows(16, 16, samples), more }))
  }
  expect([
    one(8, 0, part('tRNS', 2)),
    one(8, 2, part('tRNS', 6)),
    one(8, 3, part('PLTE', 9), part('tRNS', 3)),
    one(8, 6, part('PLTE', 9)),
  ]).toEqual(Array(4).fill('accepted'))
  expect([
    one(8, 0, part('tRNS', 1)),
    one(8, 2, part('tRNS', 256)),
    one(8, 3, part('PLTE', 9), part('tRNS', 4)),
    one(8, 6, part('tRNS', 2)),
    one(8, 0, part('PLTE', 9)),
  ]).toEqual(Array(5).fill(refused))
})

test('other formats are refused by their content, whatever they are called', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const others = [svg, 'GIF89a', '', '%PDF-1.7', 'RIFF....WEBP', `\u0089PNG\r\n${svg}`, 'x'.repeat(200_001)]
  expect(others.map((text) => faultOf(Buffer.from(text, 'latin1')))).toEqual(others.map(() => refused))
})
