import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const deflated = promisify(deflateRaw)

/** A file of an archive, in parts. */
export interface ZipFile {
  readonly path: string
  readonly parts: AsyncIterable<string> | Iterable<string>
}

/** 1 January 1980, the first day of the format: an archive does not depend on when it is written. */
const day = 0x21
/** The sizes follow the file (bit 3), and names are UTF-8 (bit 11). */
const flags = 0x808
const deflateMethod = 8
const needed = 20
/** Larger files need another format of the archive. */
const bytesMax = 0xffff_ffff

/**
 * Writes a ZIP archive in parts, without knowing the sizes of its files. The same files in the same parts give the same
 * bytes.
 */
export async function* zipParts(files: Iterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const entries: Buffer[] = []
  let at = 0
  for (const { path, parts } of files) {
    const name = Buffer.from(path)
    const head = localHead(name)
    const began = at
    yield head
    at += head.length
    let crc = 0
    let size = 0
    let packedSize = 0
    for await (const part of parts) {
      const plain = Buffer.from(part)
      crc = crc32(plain, crc)
      size += plain.length
      const packed = await deflated(plain, { finishFlush: constants.Z_SYNC_FLUSH })
      packedSize += packed.length
      checkSize(size)
      yield packed
    }
    yield lastBlock
    packedSize += lastBlock.length
    const sizes = { crc, size, packedSize }
    const foot = descriptor(sizes)
    yield foot
    at += packedSize + foot.length
    checkSize(at)
    entries.push(entryOf(name, sizes, began))
  }
  const directory = Buffer.concat(entries)
  yield directory
  yield endOf(entries.length, directory.length, at)
}

/** An empty last block, after the parts that end with a flush. */
const lastBlock = Buffer.from([0x03, 0x00])

function checkSize(size: number): void {
  if (size > bytesMax) throw new RangeError('The file is larger than 4 GB. Choose fewer rows.')
}

interface Sizes {
  readonly crc: number
  readonly size: number
  readonly packedSize: number
}

function localHead(name: Buffer): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(needed, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(deflateMethod, 8)
  head.writeUInt16LE(day, 12)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name])
}

function descriptor({ crc, size, packedSize }: Sizes): Buffer {
  const foot = Buffer.alloc(16)
  foot.writeUInt32LE(0x08074b50, 0)
  foot.writeUInt32LE(crc, 4)
  foot.writeUInt32LE(packedSize, 8)
  foot.writeUInt32LE(size, 12)
  return foot
}

function entryOf(name: Buffer, { crc, size, packedSize }: Sizes, began: number): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(needed, 4)
  entry.writeUInt16LE(needed, 6)
  entry.writeUInt16LE(flags, 8)
  entry.writeUInt16LE(deflateMethod, 10)
  entry.writeUInt16LE(day, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(packedSize, 20)
  entry.writeUInt32LE(size, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt32LE(began, 42)
  return Buffer.concat([entry, name])
}

function endOf(count: number, size: number, at: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(at, 16)
  return end
}
