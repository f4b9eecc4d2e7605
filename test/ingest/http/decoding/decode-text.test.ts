import { expect, spyOn, test } from 'bun:test'
import { decodeText } from '../../../../ingest/http/decoding/decode-text'

const piece = 256 * 1024

test.each([
  ['ASCII', new Uint8Array(3 * piece + 7).fill(65)],
  ['no UTF-8', new Uint8Array(3 * piece + 7).fill(0xff)],
  ['characters cut by the pieces', new TextEncoder().encode(`x${'€😀é'.repeat(piece)}`)],
  ['a character that never ends', new Uint8Array([...new Uint8Array(piece + 3).fill(65), 0xf0, 0x9f])],
  ['a mark of the byte order', new TextEncoder().encode(`\ufeff${'a'.repeat(piece + 1)}`)],
  ['nothing', new Uint8Array()],
])('a body of %s is decoded as a whole one would be', async (_, bytes) => {
  const text = await decodeText(bytes)
  expect(text === new TextDecoder().decode(bytes)).toBe(true)
})

test('others get their turns while a large body is decoded', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await decodeText(new Uint8Array(20 * piece).fill(0xff))
  isDone = true
  expect(turns).toBeGreaterThanOrEqual(19)
})

test.each([
  [piece, 0],
  [piece + 1, 2],
  [2 * piece, 2],
  [2 * piece + 1, 3],
])('a body of %i bytes is decoded in turns: %i', async (bytes, turns) => {
  const given = spyOn(globalThis, 'setImmediate')
  try {
    await decodeText(new Uint8Array(bytes))
    expect(given).toHaveBeenCalledTimes(turns)
  } finally {
    given.mockRestore()
  }
})
