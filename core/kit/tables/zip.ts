import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'

const deflated = promisify(deflateRaw)

/** A file of an archive, in parts. */
export interface ZipFile {
  readonly path: string
  readonly parts: AsyncIterable<string> | Iterable<string>
}

const deflateMethod = 8
/** Larger files need another format of the archive. */
const bytesMax = 0xffff_ffff

/**
 * Writes a ZIP archive in parts, without knowing the sizes of its files. The same files in the same parts give the same
 * bytes. fflate writes the archive, and zlib packs the files, because it does so outside the thread that answers.
 */
export async function* zipParts(files: Iterable<ZipFile>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let size = 0
  const zip = new Zip((error, part) => {
    if (error) throw error
    waiting.push(part)
    size += part.length
  })
  const written = () => {
    if (size > bytesMax) throw tooLarge()
    const parts = waiting
    waiting = []
    return parts
  }
  for (const { path, parts } of files) {
    const file = zipFile(path)
    zip.add(file)
    for await (const part of parts) {
      file.ondata?.(null, await packed(file, part), false)
      yield* written()
    }
    file.ondata?.(null, lastBlock, true)
    yield* written()
  }
  zip.end()
  yield* written()
}

const zipFile = (filename: string): ZipInputFile => ({
  filename,
  // The first day of the format, because an archive must not depend on when it is written.
  mtime: new Date(1980, 0, 1),
  compression: deflateMethod,
  crc: 0,
  size: 0,
})

/** Packs a part of a file, and adds it to the size and the checksum of the file. */
async function packed(file: ZipInputFile, part: string): Promise<Uint8Array<ArrayBuffer>> {
  const plain = Buffer.from(part)
  file.crc = crc32(plain, file.crc)
  file.size += plain.length
  if (file.size > bytesMax) throw tooLarge()
  return new Uint8Array(await deflated(plain, { finishFlush: constants.Z_SYNC_FLUSH }))
}

/** An empty last block, after the parts that end with a flush. */
const lastBlock = Buffer.from([0x03, 0x00])

const tooLarge = () => new RangeError('The file is larger than 4 GB. Choose fewer rows.')
