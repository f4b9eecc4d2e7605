import { expect } from 'bun:test'
import type { Hit } from 'renown/contracts'
import { readBody, unfinished } from '../../../ingest/parse/formats'

/** When a body is read in the tests of formats. */
export const now = 1_795_000_000_000
/** When the requests of their records were made. */
export const ts = Date.UTC(2026, 10, 20, 16, 42, 52)
export const ua =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)'
export const ip = '192.0.2.7'
/** A request as most records tell it. */
export const plain = { ts, ip, method: 'GET', ua }

/** What became of each line of a body. */
export type ParsedLine = { readonly line: number } & (
  | { readonly hit: Hit }
  | { readonly rejected: string }
  | { readonly ignored: string }
)

/** A hit without what only tells it from others: whose time it has, and its line. */
export const requestIn = ({ written: _, enveloped: __, ...hit }: Hit): Hit => hit

/** What became of the lines of a body that is read at a moment. */
export function readLines(text: string, at: number, lineMax = 2 ** 16): ParsedLine[] {
  const body = readBody(text, at, lineMax)
  const lines: ParsedLine[] = []
  for (let one = body.next(); one; one = body.next()) {
    if (one === unfinished) continue
    lines.push('target' in one ? { line: body.line, hit: requestIn(one) } : { line: body.line, ...one })
  }
  return lines
}

/** What a body is read as, record by record. */
export const read = (body: unknown) =>
  readLines(typeof body === 'string' ? body : JSON.stringify(body), now).map((one) =>
    'hit' in one ? one.hit : 'rejected' in one ? { rejected: one.rejected } : { ignored: one.ignored },
  )
/** The only record of a body. */
export const one = (body: unknown) => {
  const all = read(body)
  expect(all.length).toBe(1)
  return all[0] as Hit & { ignored?: string; rejected?: string }
}
export const notARequest = { ignored: 'Not a request' }
/** The same request as a line of a combined log. */
export const line = `${ip} - - [20/Nov/2026:16:42:52 +0000] "GET /a HTTP/1.1" 200 5 "-" "${ua}"`
