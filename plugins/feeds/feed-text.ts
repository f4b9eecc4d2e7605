import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { toStorable } from 'renown'
import { FeedError } from './feed-item'

type Encoding = ConstructorParameters<typeof TextDecoder>[0] & string

const declared = /^<\?xml[^>]{0,100}encoding=["']([\w.:-]{1,40})["']/
const inflate = promisify(gunzip)

/** Returns the feed of a file that is compressed, as some servers store it. Other bodies stay unchanged. */
export async function unpacked(body: Uint8Array, bytesMax: number): Promise<Uint8Array> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  try {
    return await inflate(body, { maxOutputLength: bytesMax })
  } catch (error) {
    const isLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE'
    throw new FeedError(isLarge ? `is larger than ${bytesMax} bytes` : 'is a damaged archive')
  }
}

/**
 * Decodes a feed, and removes characters that no store can hold. What decides is, in this order: its byte order mark, its zeros,
 * whether it is valid UTF-8, its content type, its XML declaration. Servers and programs often name an encoding that the text does not
 * have, so a text that is valid UTF-8 is read as that.
 */
export const decodeFeed = (body: Uint8Array, contentType: string): string =>
  toStorable(decoded(body, contentType))

function decoded(body: Uint8Array, contentType: string): string {
  const wide = wideOf(body)
  if (wide) return new TextDecoder(wide).decode(body)
  const start = new TextDecoder('latin1').decode(body.subarray(0, 1_000)).trimStart()
  const labels = [charsetIn(contentType), declared.exec(start)?.[1]].filter((label) => label !== undefined)
  const named = labels.map(decoderOf).find((decoder) => decoder !== undefined)
  // Texts in this encoding consist of ASCII, which is UTF-8 too.
  if (named?.encoding === 'iso-2022-jp') return named.decode(body)
  const utf8 = new TextDecoder('utf-8').decode(body)
  const broken = count(utf8, '\ufffd')
  if (broken === 0) return utf8
  if (named && named.encoding !== 'utf-8') return named.decode(body)
  if (labels.length > 0 && named === undefined) throw new FeedError('has an unknown encoding')
  // One broken place among many right ones is a mistake. Many are another encoding.
  return broken * 2 > marked(utf8) ? new TextDecoder('windows-1252').decode(body) : utf8
}

/** The byte order mark, or the zeros between the first two characters, of UTF-16. */
function wideOf([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le'
  return a === 0 && b !== 0 && c === 0 && d !== 0 ? 'utf-16be' : undefined
}

/** Returns the decoder of a name. Undefined if it is unknown, or of two bytes for a text that has none. */
function decoderOf(label: string): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(label.toLowerCase() as Encoding)
    return decoder.encoding.startsWith('utf-16') ? undefined : decoder
  } catch {
    return undefined
  }
}

function count(text: string, sign: string): number {
  let found = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) found++
  return found
}

/** Number of characters outside ASCII. */
function marked(text: string): number {
  let found = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) found++
  return found
}

function charsetIn(contentType: string): string | undefined {
  for (const part of contentType.slice(0, 300).split(';').slice(1)) {
    const [name = '', value = ''] = part.split('=', 2)
    if (name.trim().toLowerCase() === 'charset') return value.replaceAll(/["']/g, '').trim() || undefined
  }
  return undefined
}
