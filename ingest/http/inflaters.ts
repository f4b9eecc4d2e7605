import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Inflated, Packing } from './decoding/decoder-messages'
import { isWholeZstdInTurns } from './decoding/zstd'
import type { Problem } from './problem'

/** How a body may be decompressed. `inflate` is for large ones. */
export interface InflateWays {
  turn(): Promise<void>
  readonly inflate:
    | ((packing: Packing, bytes: Uint8Array, bytesMax: number) => Promise<Inflated | Problem>)
    | undefined
}

type Inflater = (bytes: Uint8Array, bytesMax: number, ways: InflateWays) => Promise<Inflated | Problem>

const gunzip = inflaterOf('gzip', promisify(zlib.gunzip))
const unwrap = inflaterOf('deflate', promisify(zlib.inflate))
const unzstd = inflaterOf('zstd', promisify(zlib.zstdDecompress))
const inflateBare = inflaterOf('bare', promisify(zlib.inflateRaw))
/** The decompression for each `Content-Encoding`. */
export const inflaters: Readonly<Record<string, Inflater>> = {
  gzip: gunzip,
  zstd: async (bytes, bytesMax, ways) => {
    const inflated = await unzstd(bytes, bytesMax, ways)
    if (!(inflated instanceof Uint8Array)) return inflated
    return (await isWholeZstdInTurns(bytes, ways.turn)) ? inflated : 'malformed'
  },
  // Some senders use `deflate` for a stream without zlib header.
  deflate: async (bytes, bytesMax, ways) => {
    const wrapped = await unwrap(bytes, bytesMax, ways)
    return wrapped === 'malformed' ? inflateBare(bytes, bytesMax, ways) : wrapped
  },
}

function inflaterOf(
  packing: Packing,
  call: (bytes: Uint8Array, limits: { maxOutputLength: number }) => Promise<Uint8Array>,
): Inflater {
  return async (bytes, bytesMax, { inflate }) => {
    if (inflate) return inflate(packing, bytes, bytesMax)
    try {
      return await call(bytes, { maxOutputLength: bytesMax })
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'malformed'
    }
  }
}
