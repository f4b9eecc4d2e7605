import { deflateSync } from 'node:zlib'
import type { Picture } from './read-png'

/** Writes the 64 commonest colours by number, and the nearest of them for what is left: a tenth of the bytes. */
export function smallPng({ width, height, data }: Picture): Uint8Array {
  const count = new Map<number, number>()
  const colourAt = (pixel: number) =>
    ((data[pixel * 4] ?? 0) << 16) | ((data[pixel * 4 + 1] ?? 0) << 8) | (data[pixel * 4 + 2] ?? 0)
  for (let pixel = 0; pixel < width * height; pixel++)
    count.set(colourAt(pixel), (count.get(colourAt(pixel)) ?? 0) + 1)
  const commonest = [...count].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 64)
  const palette = commonest.map(([colour]) => colour)
  const numbers = new Map([...count.keys()].map((colour) => [colour, nearest(palette, colour)]))
  const raw = new Uint8Array((width + 1) * height)
  for (let pixel = 0; pixel < width * height; pixel++)
    raw[pixel + Math.floor(pixel / width) + 1] = numbers.get(colourAt(pixel)) ?? 0
  const head = new DataView(new ArrayBuffer(13))
  head.setUint32(0, width)
  head.setUint32(4, height)
  for (const [at, value] of [8, 3, 0, 0, 0].entries()) head.setUint8(8 + at, value)
  return Buffer.concat([
    Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', new Uint8Array(head.buffer)),
    chunk('PLTE', new Uint8Array(palette.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]))),
    chunk('IDAT', deflateSync(raw, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}

function nearest(palette: readonly number[], colour: number): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (const [number, one] of palette.entries()) {
    const apart = [16, 8, 0].reduce((sum, by) => sum + (((one >> by) & 255) - ((colour >> by) & 255)) ** 2, 0)
    if (apart < least) [best, least] = [number, apart]
    if (apart === 0) break
  }
  return best
}

function chunk(name: string, body: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body])
  const around = new DataView(new ArrayBuffer(8))
  around.setUint32(0, body.length)
  around.setUint32(4, Bun.hash.crc32(named))
  const bytes = new Uint8Array(around.buffer)
  return Buffer.concat([bytes.subarray(0, 4), named, bytes.subarray(4)])
}
