import { describe, expect, test } from 'bun:test'
import { errorTable } from '../core/contracts/errors'
import { agents } from '../ingest/data/agents'
import { docsRoot, pages, readPage } from './support/docs-pages'

/** Words in quotes that other programs and services show, or that people might write. */
const ofOthers = new Set([
  'Report a vulnerability',
  'Streamable HTTP',
  'Error fetching OAuth configuration',
  "Couldn't reach the MCP server",
  'MCP: Add Server',
  'MCP: List Servers',
  'MCP: Reset Cached Tools',
  'Add Context → MCP Resources',
  'Dynamic client registration not supported',
  'Authentication: Remove Dynamic Authentication Providers',
  'Custom HTTPS',
  'error writing object',
  'Direct PUT',
  'The Amazon Data Firehose service received an invalid response',
  'Maximum logs',
  'General HTTP endpoint',
  'Traffic logs',
  'Full URL',
])

/** Codes of RFC 6749, which are not in the table of errors. */
const oauthStatuses = { invalid_client: 401, invalid_grant: 400, too_many_requests: 429 }
const statuses = new Map<string, number>([
  ...Object.entries(errorTable).map(([code, { status }]) => [code, status] as const),
  ...Object.entries(oauthStatuses),
])

/** Pages about the code quote names of the code. */
const quotingPages = pages.filter(
  (page) => !/ARCHITECTURE|PLUGINS|CONTRIBUTING|CHANGELOG|GLOSSARY/.test(page),
)

const flatten = (text: string) => text.replace(/\s+/g, ' ').toLowerCase()

/** Every text of the product, in one string. */
async function productText(): Promise<string> {
  const paths = [...new Bun.Glob('{core,ingest,plugins}/**/*.{ts,tsx}').scanSync(docsRoot)]
  const texts = await Promise.all(paths.map((path) => Bun.file(`${docsRoot}/${path}`).text()))
  return flatten(texts.join('\n'))
}

/** Returns the quotes of a page that the product does not show. An ellipsis stands for any words. */
function unknownQuotes(page: string, product: string): string[] {
  const prose = page.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`]*`|<[^>]*>/g, '')
  const quotes = [...prose.matchAll(/["“]([^"“”]{3,160})["”]/g)].map(([, quote = '']) =>
    quote.replace(/\s+/g, ' ').replace(/[,.]$/, ''),
  )
  const isShown = (quote: string) =>
    quote.split('…').every((part) => product.includes(part.trim().toLowerCase()))
  return quotes.filter((quote) => !ofOthers.has(quote) && !isShown(quote))
}

describe('every text in quotes is one that the product shows', async () => {
  const product = await productText()
  test.each(quotingPages)('%s', async (page) => {
    expect(unknownQuotes(await readPage(page), product)).toEqual([])
  })

  test('a text that is shown nowhere is found', () => {
    const page = 'Press "Set up two-step sign-in", then "Frobnicate the app". “Too many … again” passes.'
    expect(unknownQuotes(page, product)).toEqual(['Frobnicate the app'])
  })
})

/** Returns the errors of a page whose code has another status, or is unknown. */
const wrongStatuses = (page: string): string[] =>
  [...page.matchAll(/\b([45]\d\d)\s+`([a-z]+(?:_[a-z]+)+)`/g)].flatMap(([, status, code = '']) =>
    statuses.get(code) === Number(status) ? [] : [`${status} ${code}`],
  )

describe('every error of a page has the status of its code', () => {
  test.each(pages)('%s', async (page) => {
    expect(wrongStatuses(await readPage(page))).toEqual([])
  })

  test('a wrong status and an unknown code are found', () => {
    const page = '404 `host_not_served`, 403 `host_not_served`, 429 `out_of_luck`, 200 `not_an_error`'
    expect(wrongStatuses(page)).toEqual(['404 host_not_served', '429 out_of_luck'])
  })
})

test('the number of agents that the page for site owners gives is so', async () => {
  const [, others] = /GPTBot, ClaudeBot, PerplexityBot and more than (\d+) others/.exec(
    await readPage('docs/SITE-OWNERS.md'),
  ) as RegExpExecArray
  const known = agents.length - 3
  expect([Number(others) < known, known - Number(others) <= 20]).toEqual([true, true])
})
