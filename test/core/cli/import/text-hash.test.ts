import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createTextHash } from '../../../../core/cli/import/text-hash'

const block = 64 * 1024
const text = Buffer.from(Array.from({ length: 3 * block + 100 }, (_, at) => (at * 7919) % 251))
const whole = (bytes: Uint8Array) => createTextHash().update(bytes).digest()

test('is the same however the text is cut, and whether or not it was asked for in between', () => {
  const place = fc.oneof(fc.nat(text.length), fc.constantFrom(0, block - 1, block, block + 1, 2 * block))
  fc.assert(
    fc.property(fc.array(place, { maxLength: 5 }), fc.boolean(), (places, asks) => {
      const hash = createTextHash()
      const cuts = [0, ...places.sort((a, b) => a - b), text.length]
      for (const [at, cut] of cuts.entries()) {
        hash.update(text.subarray(cuts[at - 1] ?? 0, cut))
        if (asks) expect(hash.digest()).toBe(whole(text.subarray(0, cut)))
      }
      expect(hash.digest()).toBe(whole(text))
    }),
  )
})

test('is another for another byte, another length, and blocks in another order', () => {
  const first = text.subarray(0, block)
  const second = text.subarray(block, 2 * block)
  const texts = [
    text,
    text.subarray(1),
    text.subarray(0, -1),
    Buffer.concat([text, Buffer.of(0)]),
    Buffer.concat([first, second]),
    Buffer.concat([second, first]),
    first,
    Buffer.alloc(0),
    Buffer.alloc(1),
    Buffer.alloc(block),
    Buffer.alloc(2 * block),
    ...[0, 1, block - 1, block, text.length - 1].map((at) => {
      const changed = Buffer.from(text)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      return changed
    }),
  ]
  const hashes = texts.map(whole)
  expect(new Set(hashes).size).toBe(texts.length)
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{32}$/)
})
