import { expect, test } from 'bun:test'
import { isWholeZstd } from '../../../../ingest/http/decoding/zstd'

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

/** RFC 8878 §3.1.1.1: the bytes of the window, the dictionary's id and the content's size. */
function headOf(descriptor: number): Uint8Array {
  const isSingle = (descriptor & 32) !== 0
  const sizes = { window: isSingle ? 0 : 1, dictionary: 0, content: 0 }
  if ((descriptor & 3) === 1) sizes.dictionary = 1
  if ((descriptor & 3) === 2) sizes.dictionary = 2
  if ((descriptor & 3) === 3) sizes.dictionary = 4
  if (descriptor < 64) sizes.content = isSingle ? 1 : 0
  else if (descriptor < 128) sizes.content = 2
  else sizes.content = descriptor < 192 ? 4 : 8
  const fields = Buffer.alloc(sizes.window + sizes.dictionary + sizes.content, 0xff)
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, descriptor]), fields])
}

/** A raw block, and one that repeats a byte. A size is of 21 bits, of which these need eight. */
const raw = (size: number, isLast: boolean) =>
  Buffer.concat([Buffer.from([((size << 3) | Number(isLast)) & 255, size >> 5, 0]), Buffer.alloc(size, 0xff)])
const repeated = (size: number, isLast: boolean) =>
  Buffer.from([((size << 3) | 2 | Number(isLast)) & 255, size >> 5, 0, 0xff])
const skipped = (nibble: number, size: number) =>
  Buffer.concat([Buffer.from([0x50 + nibble, 0x2a, 0x4d, 0x18, size, 0, 0, 0]), Buffer.alloc(size, 0xff)])

/** Whole as it is, and not when any number of bytes is missing or one is too many. */
function expectWhole(frame: Uint8Array, rest: Uint8Array = new Uint8Array()) {
  const bytes = Buffer.concat([frame, rest])
  const isWhole = Array.from(bytes, (_, end) => isWholeZstd(bytes.subarray(0, end)))
  const wanted = isWhole.map((_, end) => end === 0 || (rest.length > 0 && end === frame.length))
  expect(isWhole).toEqual(wanted)
  expect([isWholeZstd(bytes), isWholeZstd(Buffer.concat([bytes, Buffer.from([0])]))]).toEqual([true, false])
}

test('a frame is whole by its descriptor, its blocks and its checksum, to the byte', () => {
  for (let descriptor = 0; descriptor < 256; descriptor++) {
    const checksum = Buffer.alloc((descriptor & 4) === 0 ? 0 : 4, 0xff)
    const blocks = [raw(7, false), repeated(100, false), raw(0, false), raw(33, true)]
    expectWhole(Buffer.concat([headOf(descriptor), ...blocks, checksum]))
    expectWhole(Buffer.concat([headOf(descriptor), repeated(9, true), checksum]))
    expectWhole(Buffer.concat([headOf(descriptor), raw(0, true), checksum]))
  }
})

test('a frame may follow another, and may be one that is skipped', () => {
  const frame = Buffer.concat([headOf(0), raw(5, true)])
  expectWhole(frame, frame)
  for (let nibble = 0; nibble < 16; nibble++) expectWhole(skipped(nibble, 9), frame)
  expectWhole(frame, skipped(3, 0))
  for (const other of [0x28b52ffc, 0x28b42ffd, 0x29b52ffd, 0x402a4d18, 0x602a4d18, 0x502a4d19, 0x502b4d18]) {
    const wrong = Buffer.from(skipped(0, 9))
    wrong.writeUInt32BE(other)
    expect([other, isWholeZstd(wrong)]).toEqual([other, false])
  }
})

test('a block that is longer than the format allows ends no frame', () => {
  const blockOf = (size: number) => {
    const head = Buffer.alloc(3)
    head.writeUIntLE((size << 3) | 3, 0, 3)
    return Buffer.concat([headOf(0), head, Buffer.from([0xff])])
  }
  expect([131_071, 131_072, 131_073, 2 ** 20].map((size) => isWholeZstd(blockOf(size)))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
