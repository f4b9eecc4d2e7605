import { bodyBytesMax } from '../../core/requests/body'
import { textBodies } from '../ingest/support/hostile-bodies'
import type { HeldGateway } from './held-gateway-process'

/** A request that costs the gateway as much as it can. */
export interface CostlyRequest {
  readonly name: string
  readonly path: string
  readonly init: RequestInit
}

const kibibyte = 1_024
/** The limit of a form, less the fields that each form has. */
const formBytes = 64 * kibibyte - 200
const filled = (bytes: number, unit: string, start = '', end = '') =>
  start + unit.repeat(Math.floor((bytes - start.length - end.length) / Buffer.byteLength(unit))) + end
const listed = (count: number, unit: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => unit(n)).join(',')

/** Bodies of JSON near the limits of a body: bytes, values and depth. */
const jsonBodies: Readonly<Record<string, string>> = {
  'many values': `{"title":[${listed(19_900, () => '1')}]}`,
  'many names': `{${listed(19_900, (n) => `"name_${n}":1`)}}`,
  'escaped names': `{${listed(9_000, (n) => `"${'\\u0301'.repeat(15)}${n}":1`)}}`,
  'a long value': `{"title":"${filled(900 * kibibyte, 'x')}"}`,
  'escapes in a value': `{"title":"${filled(900 * kibibyte, '\\ud83d')}"}`,
  'combining marks': `{"title":"${filled(900 * kibibyte, '\u0301')}"}`,
  'deep arrays': `{"title":${listed(500, () => `${'['.repeat(29)}1${']'.repeat(29)}`)}}`,
}

const operationOf = (body: string) => body
const callOf = (body: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"countNotes","arguments":${body}}}`
const batchOf = (count: number) =>
  `[${listed(count, (n) => `{"jsonrpc":"2.0","id":${n},"method":"tools/call","params":{"name":"x","arguments":{}}}`)}]`
const itemsOf = (text: string) =>
  `[${listed(100, (n) => `{"id":"${n}","url":"https://x.example/${n}","content_html":${JSON.stringify(text)}}`)}]`

/** Messages of a service outside. */
const messages: Readonly<Record<string, string>> = {
  ...jsonBodies,
  'items of tags': itemsOf('<b>northgate '.repeat(700)),
  'items of brackets': itemsOf('<'.repeat(9_000)),
  'items of comments': itemsOf('<!--'.repeat(2_200)),
  'items of entities': itemsOf('&amp;&#x301;'.repeat(750)),
  'items of keywords': itemsOf('northgate '.repeat(900)),
  'items of combining marks': itemsOf('\u0301'.repeat(4_500)),
}

/** Bodies of forms. */
const forms: Readonly<Record<string, string>> = {
  'many fields': filled(formBytes, 'a=b&'),
  'fields within the limit': Array.from({ length: 199 }, (_, n) => `f${n}=${'%C3%A9'.repeat(50)}`).join('&'),
  'one field of escapes': filled(formBytes, '%F0%9F%98%80', 'lines='),
  'one field of broken escapes': filled(formBytes, '%', 'lines='),
  'lines of JSON': `lines=${encodeURIComponent('{"a":{"b":[1,2,3]}}\n'.repeat(900))}`,
}

/** Query strings. */
const queries: Readonly<Record<string, string>> = {
  'many comparisons': `q=${encodeURIComponent(`{"$or":[${listed(100, (n) => `{"title":{"$contains":"${n}"}}`)}]}`)}`,
  'a long list': `q=${encodeURIComponent(`{"title":{"$in":[${listed(900, (n) => `"t${n}"`)}]}}`)}`,
  'a deep filter': `q=${encodeURIComponent(`${'{"$and":['.repeat(30)}{"title":"x"}${']}'.repeat(30)}`)}`,
  brackets: `q=${'['.repeat(14_000)}`,
  'many parameters': filled(14_000, 'a=b&'),
  'a wide filter': `q=${encodeURIComponent('{"title":{"$contains":"nowhere"}}')}&limit=500`,
  'a long page': 'limit=500',
}

const multipart = (bytes: number, part: (n: number) => string) => {
  const parts: string[] = []
  for (let n = 0, length = 0; length < bytes; n++) {
    const made = `--x\r\n${part(n)}\r\n`
    parts.push(made)
    length += made.length
  }
  return `${parts.join('')}--x--\r\n`
}
const field = (name: string, value: string) =>
  `content-disposition: form-data; name="${name}"\r\n\r\n${value}`

/** Bodies of forms with a file. */
const uploads: Readonly<Record<string, string>> = {
  'many parts': multipart(240_000, (n) => field(`f${n}`, 'x')),
  'one part of line ends': multipart(200_000, () => field('logo', '\r\n--'.repeat(50_000))),
  'a file': multipart(
    1_000,
    () =>
      `content-disposition: form-data; name="logo"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n${'\x89PNG\r\n\x1a\n'}${'\0'.repeat(190_000)}`,
  ),
}

/** Every costly request of a sender. */
export function costlyRequests({ loud, inbound, origin, site }: HeldGateway): CostlyRequest[] {
  const key = { authorization: `Bearer ${loud.key}` }
  const json = { 'content-type': 'application/json' }
  const own = { cookie: loud.cookie, origin, accept: 'text/html' }
  const post = (path: string, headers: Record<string, string>, bodies: Readonly<Record<string, string>>) =>
    Object.entries(bodies).map(([name, body]) => ({
      name: `POST ${path.replace(/rnw_.*/, '…')}, ${name}`,
      path,
      init: { method: 'POST', headers, body },
    }))
  const raw = Object.fromEntries(
    textBodies.map(({ name, make }) => [name, make(bodyBytesMax).subarray(0, bodyBytesMax)]),
  ) as unknown as Record<string, string>
  const map = (of: (body: string) => string) =>
    Object.fromEntries(Object.entries(jsonBodies).map(([name, body]) => [name, of(body)]))
  const form = { ...own, 'content-type': 'application/x-www-form-urlencoded' }
  const reads = (path: string, headers: Record<string, string>) =>
    Object.entries(queries).map(([name, query]) => ({
      name: `GET ${path}, ${name}`,
      path: `${path}?${query}`,
      init: { headers },
    }))
  const mcp = { ...key, ...json, accept: 'application/json, text/event-stream' }
  const withToken = Object.fromEntries(
    Object.entries(forms).map(([name, body]) => [
      `${name}, with the token`,
      `csrf=${loud.csrf}&id=${site}&${body}`,
    ]),
  )
  const pages = `/app/w/${loud.workspaceId}`
  const files = Object.fromEntries(
    Object.entries(uploads).map(([name, body]) => [name, `--x\r\n${field('csrf', loud.csrf)}\r\n${body}`]),
  )
  return [
    ...post('/api/functions/countNotes', { ...key, ...json }, { ...map(operationOf), ...raw }),
    ...post('/api/functions/draftNote', { ...key, ...json }, map(operationOf)),
    ...post('/api/mcp', mcp, { ...map(callOf), ...raw, 'a long batch': batchOf(3_900) }),
    ...post(inbound, json, { ...messages, ...raw }),
    ...post(`${pages}/sites/mapping/propose?site=${site}`, form, { ...forms, ...withToken }),
    ...post(
      `${pages}/settings/branding`,
      { ...own, 'content-type': 'multipart/form-data; boundary=x' },
      files,
    ),
    ...post('/app/sign-in', { ...form, cookie: '' }, forms),
    ...post('/oauth/token', { 'content-type': 'application/x-www-form-urlencoded' }, forms),
    ...post('/oauth/register', json, { ...jsonBodies }),
    ...reads('/api/entities/Note', key),
    ...reads(`${pages}/reviews`, own),
  ]
}
