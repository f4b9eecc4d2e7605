import { describe, expect, test } from 'bun:test'
import { statedLength, TooLong, unsnappy } from '../../../../ingest/parse/binary/snappy'

const text = (block: number[], bytesMax = 1_000) =>
  Buffer.from(unsnappy(Uint8Array.from(block), bytesMax)).toString('latin1')
const letters = (written: string) => [...Buffer.from(written, 'latin1')]
/** A literal of a short or a long text. */
const literal = (written: string, bytes = 0) => {
  const count = written.length - 1
  if (bytes === 0) return [count << 2, ...letters(written)]
  return [
    (59 + bytes) << 2,
    ...Array.from({ length: bytes }, (_, n) => (count >> (8 * n)) & 255),
    ...letters(written),
  ]
}
const near = (count: number, offset: number) => [1 | ((count - 4) << 2) | ((offset >> 8) << 5), offset & 255]
const far = (count: number, offset: number) => [2 | ((count - 1) << 2), offset & 255, offset >> 8]
const farther = (count: number, offset: number) => [3 | ((count - 1) << 2), offset & 255, offset >> 8, 0, 0]

describe('a block', () => {
  test('has literals with their length in the tag, or in one to four bytes after it', () => {
    expect(text([3, ...literal('abc')])).toBe('abc')
    expect(text([60, ...literal('x'.repeat(60))])).toBe('x'.repeat(60))
    for (const bytes of [1, 2, 3, 4])
      expect(text([61, ...literal('y'.repeat(61), bytes)])).toBe('y'.repeat(61))
    expect(text([0x80 | 44, 2, ...literal('z'.repeat(300), 2)])).toBe('z'.repeat(300))
  })

  test('has copies of what stands before, near, far and farther, which may overlap what they make', () => {
    for (const copy of [near, far, farther]) {
      expect(text([8, ...literal('abcd'), ...copy(4, 4)])).toBe('abcdabcd')
      expect(text([8, ...literal('abcd'), ...copy(4, 1)])).toBe('abcddddd')
      expect(text([9, ...literal('abcd'), ...copy(5, 2)])).toBe('abcdcdcdc')
    }
    const long = 'a'.repeat(299)
    const stated = [0x80 | (304 & 127), 304 >> 7]
    expect(text([...stated, ...literal(`b${long}`, 2), ...near(4, 300)])).toBe(`b${long}baaa`)
    expect(text([...stated, ...literal(`b${long}`, 2), ...far(4, 300)])).toBe(`b${long}baaa`)
  })

  test('states its length in up to five bytes', () => {
    const of = (...bytes: number[]) => statedLength(Uint8Array.from(bytes))
    expect([of(0), of(127), of(128, 1), of(255, 127)]).toEqual([
      { length: 0, at: 1 },
      { length: 127, at: 1 },
      { length: 128, at: 2 },
      { length: 16_383, at: 2 },
    ])
    expect(of(255, 255, 255, 255, 15)).toEqual({ length: 2 ** 32 - 1, at: 5 })
    for (const bytes of [[], [128], [255, 255, 255, 255, 255, 1]])
      expect(() => of(...bytes)).toThrow('the block states no length')
  })

  test.each([
    ['a literal is too long', [3, 12, 97, 98]],
    ['a literal is too long', [2, ...literal('abc')]],
    ['a copy is out of range', [8, ...literal('abcd'), ...near(4, 5)]],
    ['a copy is out of range', [8, ...literal('abcd'), ...near(4, 0)]],
    ['a copy is out of range', [7, ...literal('abcd'), ...near(4, 4)]],
    ['the block ends early', [8, ...literal('abcd')]],
    ['the block ends early', [8, ...literal('abcd'), 1]],
    ['the block ends early', [61, 60 << 2]],
    ['the block is shorter than it states', [0x80 | 65, 1, 0]],
  ])('is refused where %s', (words, block) => {
    expect(() => text(block)).toThrow(words)
  })

  test('is left where it would be longer than allowed, before anything is made', () => {
    expect(text([3, ...literal('abc')], 3)).toBe('abc')
    expect(() => text([3, ...literal('abc')], 2)).toThrow(TooLong)
    expect(() => text([255, 255, 255, 255, 15])).toThrow(TooLong)
  })
})
