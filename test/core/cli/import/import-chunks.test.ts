import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { splitJsonArray } from '../../../../core/cli/data/json-array'
import { type Chunk, chunksOf } from '../../../../core/cli/import/import-chunks'

const bytes = (text: string) => new TextEncoder().encode(text)
async function* pieces(text: string, size: number) {
  const all = bytes(text)
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
}
const cut = (
  text: string,
  size: number,
  limits = { bytes: 30, lines: 4 },
  start = 0,
  ends: readonly number[] = [],
) => Array.fromAsync(chunksOf(pieces(text, size), start, ends, limits))
const textOf = (chunk: Chunk) => new TextDecoder().decode(chunk.bytes)
const log = fc
  .array(fc.string({ maxLength: 25 }).map((line) => line.replaceAll('\n', ' ')))
  .map((lines) => lines.join('\n'))

test('chunks are whole lines, follow each other, and lose nothing', async () => {
  await fc.assert(
    fc.asyncProperty(log, fc.integer({ min: 1, max: 50 }), async (text, size) => {
      const chunks = await cut(text, size)
      expect(chunks.map(textOf).join('')).toBe(text)
      let at = 0
      for (const chunk of chunks) {
        expect(chunk.start).toBe(at)
        at = chunk.end
        if (chunk !== chunks.at(-1)) expect(textOf(chunk).endsWith('\n')).toBe(true)
        expect(chunk.lines).toBeLessThanOrEqual(4)
      }
    }),
  )
})

test('where a text is cut does not depend on how it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(log, fc.integer({ min: 1, max: 50 }), async (text, size) => {
      const ends = (chunks: Chunk[]) => chunks.map(({ end }) => end)
      expect(ends(await cut(text, size))).toEqual(ends(await cut(text, 1_000_000)))
    }),
  )
})

test('the first cuts can be forced to where an earlier run had cut', async () => {
  const chunks = await cut('aa\nbb\ncc\ndd\nee\nff\n', 5, { bytes: 30, lines: 3 }, 100, [106, 109])
  expect(chunks.map(textOf)).toEqual(['aa\nbb\n', 'cc\n', 'dd\nee\nff\n'])
  expect(chunks[0]).toMatchObject({ start: 100, end: 106, lines: 2 })
  expect(chunks[1]).toMatchObject({ start: 106, end: 109, lines: 1 })
})

test('a JSON array becomes one element a line, however it arrives and is spaced', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(0, 2),
      async (elements, size, indent) => {
        const text = JSON.stringify(elements, null, indent)
        const out = await Array.fromAsync(splitJsonArray(pieces(text, size)))
        const lines = Buffer.concat(out).toString().trim().split('\n')
        expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(text))
      },
    ),
  )
})
