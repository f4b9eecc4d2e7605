import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

const inflate = promisify(inflateRaw)
const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const fileSignature = 0x04034b50
const endLength = 22
const entryLength = 46
const fileLength = 30
const isStored = 0
const isDeflated = 8

/** Returns the first file of a ZIP archive. Throws a RangeError if it is damaged, or longer than `bytesMax`. */
export async function unzipFirst(archive: Uint8Array, bytesMax: number): Promise<Uint8Array> {
  const zip = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || end + endLength > zip.length || zip.readUInt32LE(end) !== endSignature) throw damaged()
  const entry = zip.readUInt32LE(end + 16)
  if (entry + entryLength > zip.length || zip.readUInt32LE(entry) !== entrySignature) throw damaged()
  const method = zip.readUInt16LE(entry + 10)
  const packed = zip.readUInt32LE(entry + 20)
  const length = zip.readUInt32LE(entry + 24)
  const file = zip.readUInt32LE(entry + 42)
  if (file + fileLength > zip.length || zip.readUInt32LE(file) !== fileSignature) throw damaged()
  const start = file + fileLength + zip.readUInt16LE(file + 26) + zip.readUInt16LE(file + 28)
  const data = zip.subarray(start, start + packed)
  if (length > bytesMax || data.length !== packed) throw damaged()
  const whole = await unpacked(method, data, bytesMax)
  if (whole.length !== length) throw damaged()
  return whole
}

async function unpacked(method: number, data: Uint8Array, maxOutputLength: number): Promise<Uint8Array> {
  if (method === isStored) return data
  if (method !== isDeflated) throw damaged()
  return inflate(data, { maxOutputLength }).catch(() => {
    throw damaged()
  })
}

const damaged = () => new RangeError('The archive is damaged or too long.')
