import { describe, expect, test } from 'bun:test'
import { readCookie } from '../core/auth/cookies'
import { redirectFault } from '../core/auth/oauth/clients/redirect-uri'
import { parseParams } from '../core/auth/oauth/params'
import { chunksOf } from '../core/cli/import/import-chunks'
import { hasTooManyPairs } from '../core/contracts/bounded-form'
import { checkJson, parseJson } from '../core/contracts/bounded-json'
import { oneLine } from '../core/contracts/one-line'
import { withoutSecrets } from '../core/contracts/secret-text'
import { trimTrailing } from '../core/contracts/trim-trailing'
import { normaliseInstant } from '../core/contracts/values'
import { parseRobots } from '../core/kit/robots'
import { redact } from '../core/outbound/model/redact'
import { checkNames, listParameters, parseListQuery } from '../core/query/parse'
import { readObject } from '../core/requests/body'
import { createClientAddress } from '../core/requests/client-address'
import { readTarget } from '../core/requests/request'
import { tokenOf } from '../ingest/http/credentials'
import { assistantOf } from '../ingest/judge/assistant'
import { classify } from '../ingest/judge/classify'
import { readRangeList } from '../ingest/judge/range-list'
import { parseAddress, parsePrefix } from '../ingest/parse/address'
import { readBody } from '../ingest/parse/formats'
import { instantOf } from '../ingest/parse/formats/text/time'
import { hostOf, pathOf } from '../ingest/parse/paths'
import { isOfSite, isOriginOfSite } from '../ingest/sites/site-host'
import { hoursIn, timeIn } from '../plugins/enrichment/listing/hours'
import { readPage as readBusinessPage } from '../plugins/enrichment/website/read-page'
import { socialOf } from '../plugins/enrichment/website/socials'
import { readPage, robotsHeader } from '../plugins/prospects/website/readPage'
import { splitText } from '../plugins/reviews/analysis/translation'
import { forbiddenBy } from '../plugins/traffic/look/csp'
import { readSitePage } from '../plugins/traffic/look/readSitePage'
import { grownFaster, type Reader } from './support/growth'
import { Note } from './support/notes-plugin'

const line = 2 ** 16
const header = 2 ** 14
const body = 2 ** 16
const page = 2 ** 15
const host = { origin: 'https://renown.example' }
const url = new URL('https://shop.example/')
const requestWith = (name: string, value: string) => ({ url: String(url), headers: new Map([[name, value]]) })
const drained = (text: string) => {
  const reader = readBody(text, 1, line)
  while (reader.next());
}
const listOf = (search: string) => parseListQuery(Note, new URLSearchParams(search))
const clientAddress = createClientAddress(['127.0.0.0/8'])
const json = { 'content-type': 'application/json' }

const haproxy = '1.2.3.4:5 [20/Nov/2026:16:42:52.1] f b t 200 1 - - -- 1 2 '
const combined = '192.0.2.7 - - [20/Nov/2026:16:42:52 +0000] '
const asLine = [
  '',
  haproxy,
  `${haproxy}{`,
  combined,
  `${combined}"GET /`,
  `${combined}"GET / HTTP/1.1" 200 5 "`,
  '<190>1 a b c d e ',
  '<190>1 a b c d e [x ',
  '<190>Nov 20 16:42:52 ',
  '2026-11-20T1 ',
  '#Fields: ',
  'a\t',
  '{"ua":"x","path":"',
  '{"message":"',
  '[{"ua":"x","path":"/"},',
  '{"requestId":"x","records":[',
  '{\n',
]

const readers: readonly Reader[] = [
  { name: 'a body of the ingest', read: drained, max: line / 2, heads: asLine },
  { name: 'the time of a log', read: instantOf, max: line, heads: ['', '2026-11-20T12:00:00'] },
  { name: 'an address', read: parseAddress, max: header, heads: ['', '[', '1.'] },
  { name: 'a network', read: parsePrefix, max: header },
  { name: "an operator's list", read: (text) => readRangeList(text, 'json'), max: body },
  { name: 'a user agent', read: classify, max: line },
  { name: 'a referrer', read: (referrer) => assistantOf({ referrer }), max: header, heads: ['', 'https://'] },
  { name: 'a utm_source', read: (utmSource) => assistantOf({ utmSource }), max: header },
  { name: 'a path', read: pathOf, max: line, heads: ['', '/'] },
  { name: 'the host of a target', read: hostOf, max: line, heads: ['', 'http://'] },
  { name: 'the host of a line', read: (text) => isOfSite(text, 'shop.example'), max: line },
  {
    name: 'an Origin',
    read: (text) => isOriginOfSite(text, 'shop.example'),
    max: header,
    heads: ['', 'https://'],
  },
  {
    name: "a forwarder's credentials",
    read: (text) => tokenOf(requestWith('authorization', text) as never),
    max: header,
    heads: ['', 'Bearer ', 'Basic '],
  },
  { name: 'JSON from outside', read: (text) => parseJson(text), max: body, heads: ['', '{"a":"'] },
  { name: 'the bounds of JSON', read: (text) => checkJson(text), max: body, heads: ['', '["'] },
  { name: 'a body of the gate', read: bodyOf, max: body, heads: ['', '{"a":['] },
  { name: 'the number of fields', read: (text) => hasTooManyPairs(text), max: 2 ** 16 },
  { name: 'a form of OAuth', read: parseParams, max: 2 ** 16, heads: ['', 'a='] },
  {
    name: 'a redirect address',
    read: redirectFault,
    max: 2 ** 15,
    heads: ['', 'https://', 'http://localhost:'],
  },
  {
    name: 'a list',
    read: listOf,
    max: 2 ** 15,
    heads: ['q=', 'sort=', 'fields=', 'limit=', 'cursor=', 'q={"$or":['],
  },
  {
    name: 'the names of parameters',
    read: (text) => checkNames(new URLSearchParams(text), listParameters),
    max: header,
  },
  { name: 'the target of a request', read: targetOf, max: header, heads: ['', '/', '%'] },
  {
    name: 'a cookie',
    read: (text) => readCookie(requestWith('cookie', text) as never, 'session', host),
    max: header,
  },
  {
    name: 'X-Forwarded-For',
    read: (text) => clientAddress(requestWith('x-forwarded-for', text) as never, () => '127.0.0.1')(),
    max: header,
    heads: ['', '127.0.0.1,'],
  },
  { name: 'an instant', read: normaliseInstant, max: header, heads: ['', '2026-11-20T00:00:00.'] },
  { name: 'one line', read: (text) => oneLine(text), max: body },
  { name: 'secrets in a text', read: withoutSecrets, max: body, heads: ['', 'rnw_'] },
  {
    name: 'what is told of a service',
    read: (text) => redact(text),
    max: 2 ** 15,
    heads: ['', 'Bearer ', 'api_key='],
  },
  { name: 'the end of a text', read: (text) => trimTrailing(text, '/'), max: body },
  {
    name: 'robots.txt',
    read: (text) => parseRobots(text).verdict('a', '/a/b'),
    max: header,
    heads: ['', 'user-agent: *\n', 'user-agent: *\nallow: /*', 'user-agent: *\nallow: /?'],
  },
  { name: 'the path that robots.txt is asked for', read: robotsPath, max: header, heads: ['/'] },
  { name: 'X-Robots-Tag', read: robotsHeader, max: header },
  {
    name: 'Content-Security-Policy',
    read: (text) => forbiddenBy({ policies: [text], kind: 'script', address: url, page: url }),
    max: header,
    heads: ['', 'script-src '],
  },
  {
    name: "a prospect's page",
    read: (text) => readPage(Buffer.from(text), url.href),
    max: page,
    heads: ['', '<a '],
  },
  {
    name: "a site's page",
    read: (text) => readSitePage(Buffer.from(text), url.href, 'k'),
    max: page,
    heads: ['', '<a '],
  },
  {
    name: "a business's page",
    read: (text) => readBusinessPage(text, url.href, '2026-11-20T00:00:00.000Z'),
    max: page,
    heads: ['', '<a ', '<script>', '<title>'],
  },
  { name: 'an address of a profile', read: socialOf, max: header, heads: ['', 'https://x.com/'] },
  {
    name: 'opening hours',
    read: (text) => [timeIn(text), hoursIn([text])],
    max: 2 ** 13,
    heads: ['', '1', 'Mo-Su 9:00-'],
  },
  { name: 'a review', read: splitText, max: 2 ** 15, heads: ['', '(Translated by Google) ', '(original)'] },
  { name: 'an imported log', read: importOf, max: body },
]

function bodyOf(text: string) {
  return readObject(new Request('http://localhost/', { method: 'POST', headers: json, body: text }))
}

function targetOf(text: string) {
  return readTarget({ url: `http://localhost/${text}`, headers: new Headers() } as Request)
}

function robotsPath(text: string) {
  return parseRobots('user-agent: *\nallow: /*a*a*a*a*a*a*b$\ndisallow: /*?*=*&').verdict('a', text)
}

async function importOf(text: string) {
  const pieces = async function* () {
    for (let at = 0; at < text.length; at += 997) yield Buffer.from(text.slice(at, at + 997))
  }
  for await (const _ of chunksOf(pieces(), 0));
}

describe('the work of reading grows with the text and no faster:', () => {
  test.each(readers.map((reader) => [reader.name, reader] as const))(
    '%s',
    async (_, reader) => {
      expect(await grownFaster(reader)).toEqual([])
    },
    120_000,
  )
})

test('a reader that takes the square of its text is found', async () => {
  // Of one tail only, and no longer than tells the square from the time of a step: each look at a fault takes all of it again.
  const slow = (text: string) =>
    text.endsWith('!') &&
    [1, 2, 3, 4, 5, 6, 7, 8].map((end) => new RegExp(`x*y{${end}}$`).test(text.replaceAll('a', 'x')))
  expect(await grownFaster({ name: 'slow', read: slow, max: 2 ** 13 })).toContainEqual(
    expect.objectContaining({ reader: 'slow', text: '"a"' }),
  )
}, 60_000)
