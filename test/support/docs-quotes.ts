import { errorTable } from '../../core/contracts/errors'
import { docsRoot, pages } from './docs-pages'

/** Words in quotes that other programs and services show. */
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
export const quotingPages = pages.filter(
  (page) =>
    !/^docs\/(?:contributors\/(?:architecture|glossary)|plugin-authors\/)|CONTRIBUTING|CHANGELOG/.test(page),
)

const flatten = (text: string) => text.replace(/\s+/g, ' ').toLowerCase()

/** Returns every text of the product, in one string. */
export async function productText(): Promise<string> {
  const paths = [...new Bun.Glob('{core,ingest,plugins}/**/*.{ts,tsx}').scanSync(docsRoot)]
  const texts = await Promise.all(paths.map((path) => Bun.file(`${docsRoot}/${path}`).text()))
  return flatten(texts.join('\n'))
}

/** Returns the quotes of a page that the product does not show. An ellipsis stands for any words. */
export function unknownQuotes(page: string, product: string): string[] {
  const prose = page.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`]*`|<[^>]*>/g, '')
  const quotes = [...prose.matchAll(/["“]([^"“”]{3,160})["”]/g)].map(([, quote = '']) =>
    quote.replace(/\s+/g, ' ').replace(/[,.]$/, ''),
  )
  const isShown = (quote: string) =>
    quote.split('…').every((part) => product.includes(part.trim().toLowerCase()))
  return quotes.filter((quote) => !ofOthers.has(quote) && !isShown(quote))
}

/** Returns the errors of a page whose code has another status, or is unknown. */
export const wrongStatuses = (page: string): string[] =>
  [...page.matchAll(/\b([45]\d\d)\s+`([a-z]+(?:_[a-z]+)+)`/g)].flatMap(([, status, code = '']) =>
    statuses.get(code) === Number(status) ? [] : [`${status} ${code}`],
  )
