import { toStorable } from 'renown'
import { FeedError } from './feed-item'

type Encoding = ConstructorParameters<typeof TextDecoder>[0] & string

const declared = /^<\?xml[^>]{0,100}encoding=["']([\w.:-]{1,40})["']/

/** Decodes a feed, without characters that no store can hold: by its byte order mark, then its content type, then its XML declaration. Default: UTF-8. */
export const decodeFeed = (body: Uint8Array, contentType: string): string =>
  toStorable(decoded(body, contentType))

function decoded(body: Uint8Array, contentType: string): string {
  const [a, b, c] = body
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(body)
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(body)
  const isMarked = a === 0xef && b === 0xbb && c === 0xbf
  const start = new TextDecoder('latin1').decode(body.subarray(0, 200))
  const label = isMarked
    ? 'utf-8'
    : (charsetIn(contentType) ?? declared.exec(start.trimStart())?.[1] ?? 'utf-8')
  try {
    return new TextDecoder(label.toLowerCase() as Encoding).decode(body)
  } catch {
    throw new FeedError('has an unknown encoding')
  }
}

function charsetIn(contentType: string): string | undefined {
  for (const part of contentType.slice(0, 300).split(';').slice(1)) {
    const [name = '', value = ''] = part.split('=', 2)
    if (name.trim().toLowerCase() === 'charset') return value.replaceAll(/["']/g, '').trim() || undefined
  }
  return undefined
}
