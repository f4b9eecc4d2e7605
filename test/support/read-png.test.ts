import { describe, expect, test } from 'bun:test'
import { PNG } from 'pngjs'
import { smallPng } from './png'
import { type Picture, readPng } from './read-png'

const width = 37
const height = 29
/** Smooth, noisy and plain parts, so that each filter is the best one of some row. */
const byteAt = (i: number) => (i % 4 === 3 ? 255 : i < 900 ? i * 3 : i < 2_000 ? (i * i * 31) >> 3 : 200)
const picture: Picture = {
  width,
  height,
  data: Uint8Array.from({ length: width * height * 4 }, (_, i) => byteAt(i)),
}

/** A writer that does not share code with the reader. */
const written = (colorType: 0 | 2 | 4 | 6, filterType: number) =>
  PNG.sync.write({ ...picture, data: Buffer.from(picture.data) } as PNG, { colorType, filterType })

describe('reading a PNG', () => {
  test.each([0, 1, 2, 3, 4, -1])('with rows of filter %i gives every pixel', (filter) => {
    for (const kind of [2, 6] as const)
      expect(Buffer.from(readPng(written(kind, filter)).data).equals(Buffer.from(picture.data))).toBe(true)
  })

  test('of shades of grey gives what a reader of every kind gives', () => {
    const file = written(0, 4)
    expect(Buffer.from(readPng(file).data).equals(PNG.sync.read(file).data)).toBe(true)
  })

  test('with a palette gives the colours that were written', () => {
    const few = { width, height, data: picture.data.map((byte, i) => (i % 4 === 3 ? 255 : byte & 192)) }
    const read = readPng(smallPng(few))
    expect([read.width, read.height]).toEqual([width, height])
    expect(Buffer.from(read.data).equals(Buffer.from(few.data))).toBe(true)
  })
})
