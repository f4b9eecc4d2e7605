import { Parser } from 'htmlparser2'
import { toStorable } from 'renown'

/** Number of bytes at the start of a page in which it may declare its encoding. */
const lookAt = 4_096
const labelMax = 40

/**
 * Decodes a page, without characters that no store can hold: by its byte order mark, then the header, then its own `meta`. Otherwise as UTF-8 if it is valid,
 * else in the most common encoding.
 */
export const decodePage = (body: Uint8Array, contentType: string): string =>
  toStorable(decoded(body, contentType))

function decoded(body: Uint8Array, contentType: string): string {
  const declared = marked(body) ?? charsetIn(contentType) ?? charsetOfMeta(body)
  if (declared !== null) return new TextDecoder(declared).decode(body)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return new TextDecoder('windows-1252').decode(body)
  }
}

function marked(body: Uint8Array): Encoding | null {
  const [a, b, c] = body
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  return a === 0xfe && b === 0xff ? 'utf-16be' : null
}

type Encoding = ConstructorParameters<typeof TextDecoder>[0] & string

/** Returns the encoding that a content type names, if it is known. */
function charsetIn(contentType: string): Encoding | null {
  for (const part of contentType.slice(0, 500).split(';').slice(1)) {
    const [name = '', value = ''] = part.split('=', 2)
    if (name.trim().toLowerCase() === 'charset') return encodingOf(value.replaceAll(/["']/g, ''))
  }
  return null
}

/** Returns the encoding with this label of the Encoding Standard, or null for an unknown label. */
function encodingOf(label: string): Encoding | null {
  const name = label.trim().toLowerCase()
  if (name === '' || name.length > labelMax) return null
  try {
    return new TextDecoder(name as Encoding).encoding as Encoding
  } catch {
    return null
  }
}

function charsetOfMeta(body: Uint8Array): Encoding | null {
  let found: Encoding | null = null
  const parser = new Parser({
    onopentag(name, { charset, 'http-equiv': equivalent, content = '' }) {
      if (name !== 'meta' || found !== null) return
      const told = charset === undefined ? null : encodingOf(charset)
      found = told ?? (equivalent?.toLowerCase() === 'content-type' ? charsetIn(content) : null)
    },
  })
  parser.end(new TextDecoder('latin1').decode(body.subarray(0, lookAt)))
  // Text that could be read byte by byte is not in a two-byte encoding, whatever it declares.
  const encoding = found as Encoding | null
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding
}
