import zlib from 'node:zlib'
import { startWork } from '../../count/measured-work'
import { decodeBody } from './decode-body'
import { nextImmediate } from './decode-text'
import type { Decoded, DecodeJob, Inflated, InflatedBody, InflateJob } from './decoder-messages'

declare const self: Worker

/** The thread that decompresses and decodes large bodies. Bodies take turns in it. */
self.onmessage = async ({ data }: MessageEvent<DecodeJob | InflateJob>) => {
  if ('packing' in data) return inflate(data)
  const work = startWork(nextImmediate)
  let decoded: Decoded['decoded']
  try {
    decoded = await decodeBody(data, work.turn)
  } catch (error) {
    decoded = { failed: String(error) }
  }
  const answer: Decoded = { id: data.id, decoded, ms: work.spent() }
  self.postMessage(answer)
}

const unpack = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  bare: zlib.inflateRawSync,
  zstd: zlib.zstdDecompressSync,
}

function inflate({ id, packing, bytes, bytesMax }: InflateJob) {
  let inflated: Inflated
  try {
    const unpacked = unpack[packing](bytes, { maxOutputLength: bytesMax })
    // A small one may be a part of a shared buffer, which cannot be given away.
    inflated = unpacked.byteLength === unpacked.buffer.byteLength ? unpacked : new Uint8Array(unpacked)
  } catch (error) {
    inflated = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'malformed'
  }
  const answer: InflatedBody = { id, inflated }
  self.postMessage(answer, inflated instanceof Uint8Array ? [inflated.buffer as ArrayBuffer] : [])
}
