import { createReadStream, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { messageOf } from '../../contracts/errors'
import { splitJsonArray } from '../data/json-array'

/** A log: its text in pieces, and the position in the bytes of the file. */
export interface Source {
  readonly name: string
  /** Size on disk, or null if unknown. */
  readonly size: number | null
  /** Bytes of the file that were read so far. */
  position(): number
  text(): AsyncIterable<Uint8Array>
}

/** Size of pieces, of the file and after decompression. Small pieces cost more CPU. */
const pieceBytes = 256 * 1024

/** Opens a file, or standard input for `-`. Detects gzip and zstd by their first bytes, a JSON array by its bracket. */
export function openSource(name: string, standardInput: () => AsyncIterable<Uint8Array>): Source {
  const isFile = name !== '-'
  if (isFile) mustBeFile(name)
  let read = 0
  const raw = async function* () {
    const input = isFile ? createReadStream(name, { highWaterMark: pieceBytes }) : standardInput()
    for await (const piece of input as AsyncIterable<Uint8Array>) {
      read += piece.byteLength
      yield piece
    }
  }
  return {
    name: isFile ? name : 'standard input',
    size: isFile ? statSync(name).size : null,
    position: () => read,
    text: () => asLines(inflated(raw())),
  }
}

function mustBeFile(name: string): void {
  const found = statSync(name, { throwIfNoEntry: false })
  if (!found) throw new Error(`The file ${name} does not exist.`)
  if (found.isDirectory()) throw new Error(`${name} is a folder, not a file.`)
}

async function* inflated(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const [head, all] = await peek(pieces, 4)
  const inflate = decompressor(head)
  if (!inflate) return yield* all
  const input = Readable.from(all)
  input.on('error', (error) => inflate.destroy(error))
  input.pipe(inflate)
  try {
    yield* inflate as AsyncIterable<Uint8Array>
  } catch (error) {
    const reason = messageOf(error)
    throw new Error(`The file cannot be decompressed (${reason}). It is damaged or incomplete.`)
  }
}

function decompressor(head: Uint8Array) {
  if (head[0] === 0x1f && head[1] === 0x8b) return createGunzip({ chunkSize: pieceBytes })
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd)
    return createZstdDecompress({ chunkSize: pieceBytes })
  return null
}

async function* asLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const [head, all] = await peek(pieces, 64)
  const first = new TextDecoder()
    .decode(head)
    .replace(/^\uFEFF/, '')
    .trimStart()
  yield* first.startsWith('[{') || /^\[\s*$/.test(first) || /^\[\s+\{/.test(first) ? splitJsonArray(all) : all
}

/** Returns the first bytes, and a stream that includes them. */
async function peek(
  pieces: AsyncIterable<Uint8Array>,
  wanted: number,
): Promise<[Uint8Array, AsyncIterable<Uint8Array>]> {
  const iterator = pieces[Symbol.asyncIterator]()
  let head = new Uint8Array(0)
  while (head.byteLength < wanted) {
    const next = await iterator.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  const rest = async function* () {
    yield head
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }
  return [head.subarray(0, wanted), rest()]
}
