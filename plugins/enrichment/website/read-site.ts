import { isServiceFault, ServiceFault } from 'renown'
import type { SafeAnswer } from 'renown/sources'
import type { SourceReading } from '../EnrichedLocation'
import { decodePage } from './charset'
import type { SitePage } from './page'
import { readPage } from './read-page'
import { createSiteFetch, type SiteFetch } from './site-fetch'
import { furtherPages } from './site-links'
import { socialOf } from './socials'

const pageBytesMax = 4 * 2 ** 20
const furtherMax = 4
/** After this time, no other page is requested. */
const enoughMs = 60_000

/** The content of a website: its home page and linked pages. */
export interface Site {
  readonly url: string
  readonly pages: readonly SitePage[]
}

export interface SiteOptions {
  readonly signal: AbortSignal
  /** Pause between two pages, in milliseconds. */
  readonly pauseMs: number
}

/** Whether a location's website can be read. Pages at social networks do not allow it. */
export const isReadable = (website: string | undefined): website is string =>
  /^https?:$/.test(URL.parse(website ?? '')?.protocol ?? '') && socialOf(website ?? '') === null

/**
 * Reads a business's website: its home page and at most four linked pages of the same site. Throws a
 * ServiceFault if the home page cannot be read. Leaves out other unreadable pages.
 */
export async function readSite(
  { outbound, now }: SourceReading,
  website: string,
  { signal, pauseMs }: SiteOptions,
): Promise<Site> {
  const fetch = createSiteFetch(outbound, website, signal)
  const began = now().getTime()
  const home = await pageAt(fetch, website, now)
  const pages = [home]
  for (const url of furtherPages(home, furtherMax)) {
    if (signal.aborted || now().getTime() - began > enoughMs) break
    await Bun.sleep(pauseMs)
    const page = await furtherPage(fetch, url, now)
    if (page && !pages.some((known) => known.url === page.url)) pages.push(page)
  }
  signal.throwIfAborted()
  return { url: home.url, pages }
}

async function furtherPage(fetch: SiteFetch, url: string, now: () => Date): Promise<SitePage | null> {
  try {
    return (await fetch.allows(url)) ? await pageAt(fetch, url, now) : null
  } catch (error) {
    if (isServiceFault(error)) return null
    throw error
  }
}

async function pageAt(fetch: SiteFetch, url: string, now: () => Date): Promise<SitePage> {
  const answer = await fetch.get(url, { maxBytes: pageBytesMax, accept: 'text/html, application/xhtml+xml' })
  const type = htmlType(answer)
  return readPage(decodePage(answer.body, type), answer.url, now().toISOString())
}

function htmlType({ headers }: SafeAnswer): string {
  const type = headers.get('content-type') ?? ''
  const named = type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (named === 'text/html' || named === 'application/xhtml+xml') return type
  const said = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(named) ? named : 'something else'
  throw new ServiceFault('permanent', `The website is not an HTML page but ${said}`, { code: 'no_html' })
}
