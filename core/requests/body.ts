import { JsonExcess, parseJson } from '../contracts/bounded-json'
import { Refusal } from '../contracts/errors'
import { paid } from '../work/loop-time'
import { headerText } from './headers'

/** The largest body of an operation. */
export const bodyBytesMax = 1024 * 1024

const strict = new TextDecoder('utf-8', { fatal: true })
const lenient = new TextDecoder()

/** Throws if the declared length is too large, before the body is read. */
export function checkLength(request: Request): void {
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) > bodyBytesMax) throw tooLarge(bodyBytesMax)
}

/** Reads the body of an operation as a JSON object. An empty body is `{}`. */
export async function readObject(request: Request): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request)
  if (bytes.length === 0) return {}
  checkType(request)
  const value = paid(bytes.length, () => parse(bytes))
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Refusal('malformed_body', 'The body is JSON, but not a JSON object.')
  }
  return value as Record<string, unknown>
}

/** Reads a body as text and as JSON. The value is undefined when the text is not JSON. */
export async function readJson(
  request: Request,
  parsed: (text: string) => unknown = parseJson,
): Promise<{ text: string; value: unknown }> {
  const bytes = await readBytes(request)
  checkType(request)
  return paid(bytes.length, () => {
    const text = lenient.decode(bytes)
    try {
      return { text, value: parsed(text) }
    } catch (error) {
      throwExcess(error)
      return { text, value: undefined }
    }
  })
}

function throwExcess(error: unknown) {
  if (error instanceof JsonExcess) throw new Refusal('payload_too_large', `The body ${error.message}.`)
}

function checkType(request: Request) {
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding !== 'identity') {
    throw new Refusal('unsupported_media_type', 'Send the body without a Content-Encoding.')
  }
  const sent = headerText(request.headers, 'content-type')
  if (sent === 'application/json') return
  const [type = '', ...parameters] = sent.toLowerCase().split(';')
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='))
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  if (type.trim() === 'application/json' && utf8) return
  throw new Refusal('unsupported_media_type', 'Send the body with Content-Type: application/json.')
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(strict.decode(bytes))
  } catch (error) {
    throwExcess(error)
    throw new Refusal('malformed_body', 'The body is not JSON in UTF-8.')
  }
}

/**
 * Reads a body. A declared length was checked before, and the server enforces it. A chunked body has no
 * declared length and is counted while it arrives.
 */
export async function readBytes(request: Request, bytesMax = bodyBytesMax): Promise<Uint8Array> {
  if (!declaresLength(request.headers)) return readCounted(request, bytesMax)
  const bytes = await request.bytes()
  if (bytes.length > bytesMax) throw tooLarge(bytesMax)
  return bytes
}

const declaresLength = (headers: Headers) =>
  headers.has('content-length') && !headers.has('transfer-encoding')

async function readCounted(request: Request, bytesMax: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += part.length
    if (length > bytesMax) throw tooLarge(bytesMax)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const tooLarge = (bytesMax: number) =>
  new Refusal('payload_too_large', `The body is larger than ${bytesMax.toLocaleString('en')} bytes.`)
