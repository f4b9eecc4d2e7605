import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate as inflateZlib } from 'node:zlib'
import type { ServiceFault } from '../contracts/service-fault'
import { outboundFault } from './fault'

/** How each encoding is undone. Only gzip is asked for, but some servers send another one to everybody. */
type Undo = (wire: Uint8Array, limit: { readonly maxOutputLength: number }) => Promise<Uint8Array>
const undo = new Map<string, Undo>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflateZlib)],
  ['br', promisify(brotliDecompress)],
])

/** Reads the body of an answer, decompressed if it is compressed. More than `maxBytes`, compressed or not, is a fault. */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => outboundFault('too_large', `The host's answer is larger than ${maxBytes} bytes.`)
  const announced = Number(response.headers.get('content-length') ?? 0)
  if (announced > maxBytes) {
    await response.body?.cancel()
    throw tooLarge()
  }
  const encoding = response.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  const wire = await readWire(response, maxBytes, tooLarge)
  if (encoding === 'identity' || wire.length === 0) return wire
  const inflate = undo.get(encoding)
  if (inflate === undefined)
    throw outboundFault('malformed', "The host's answer uses an encoding that was not requested.")
  try {
    return await inflate(wire, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw outboundFault('malformed', "The body of the host's answer is damaged.")
  }
}

async function readWire(response: Response, maxBytes: number, tooLarge: () => ServiceFault) {
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw tooLarge()
    }
    parts.push(value)
  }
  return Buffer.concat(parts)
}
