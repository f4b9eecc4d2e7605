import { expect, test } from 'bun:test'
import { isWholeZstd } from '../../../ingest/http/zstd'

/** A frame by RFC 8878 of one raw block after another, the last of them marked. */
function frameOf(...sizes: number[]): Uint8Array {
  const blocks = sizes.map((size, at) => {
    const head = (size << 3) | (at === sizes.length - 1 ? 1 : 0)
    const block = Buffer.alloc(3 + size)
    block.writeUIntLE(head, 0, 3)
    return block
  })
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58]), ...blocks])
}

test('a frame is whole with blocks of every size that the format allows', () => {
  for (const sizes of [[4], [8_192], [70_000, 9], [131_072], [131_072, 65_536, 1]]) {
    const frame = frameOf(...sizes)
    expect([sizes, isWholeZstd(frame), isWholeZstd(frame.subarray(0, -1))]).toEqual([sizes, true, false])
  }
  expect(isWholeZstd(frameOf(131_073))).toBe(false)
})
