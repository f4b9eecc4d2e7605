import { afterEach, describe, expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { zipParts } from '../../../../core/kit/tables/zip'

const zone = process.env.TZ
const files = [
  { path: 'a/ü.txt', parts: ['one ', '', 'zwö'] },
  { path: 'empty.txt', parts: [] },
]
const archive = async () => Buffer.concat(await Array.fromAsync(zipParts(files)))

afterEach(() => {
  process.env.TZ = zone
})

describe('an archive', () => {
  test('has every file whole, also an empty one', async () => {
    const found = Object.entries(unzipSync(await archive()))
    expect(found.map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])).toEqual([
      ['a/ü.txt', 'one zwö'],
      ['empty.txt', ''],
    ])
  })

  test('is the same in every time zone', async () => {
    const written = []
    for (const TZ of ['UTC', 'America/New_York', 'Asia/Tokyo']) {
      process.env.TZ = TZ
      written.push((await archive()).toString('hex'))
    }
    expect(new Set(written).size).toBe(1)
  })

  test('is written while its files are read, one part after another', async () => {
    let read = 0
    const parts = async function* () {
      for (; read < 100; read++) yield 'x'.repeat(1_000)
    }
    const written = zipParts([{ path: 'a', parts: parts() }])
    await written.next()
    await written.next()
    expect(read).toBeLessThan(3)
  })
})
