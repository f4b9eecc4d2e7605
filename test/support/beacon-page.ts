import type { Browser, Page } from 'playwright-core'
import type { SiteSignals } from 'renown/contracts'
import { type TestIngest, withIngest } from '../ingest/support/ingest'
import { readJournal } from '../ingest/support/journal'

/** How the site's pages and those that link to them are served. */
export interface Setting {
  /** Headers of the site's pages. */
  readonly siteHeaders?: Readonly<Record<string, string>>
  /** The beacon's address in the site's pages. */
  readonly script?: string
  /** Attributes of the link to the site. */
  readonly linkAttributes?: string
  /** What runs in every page before anything else. */
  readonly init?: string
  /** Whether the browser says that a program drives it. */
  readonly isDriven?: boolean
}

/** What came of a visit. */
export interface Outcome {
  /** The bodies that the beacon posted. */
  readonly posts: string[]
  readonly hits: Awaited<ReturnType<typeof readJournal>>['hits']
  /** Errors that a page would show its owner. */
  readonly errors: string[]
  readonly signals: SiteSignals
}

const hits = 'https://hits.example.net'
const landing = 'https://www.example.com/pricing?utm_source=x&q=secret#top'

/** Answers for the whole internet with a site that bears the beacon, whoever links to it, and an ingest; then visits. */
export async function visit(
  browser: Browser,
  work: (page: Page) => Promise<unknown>,
  setting: Setting = {},
): Promise<Outcome> {
  let outcome: Outcome | null = null
  await withIngest(async (tested) => {
    const page = await browser.newPage()
    const posts: string[] = []
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    if (!setting.isDriven)
      await page.addInitScript(() => {
        Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })
      })
    if (setting.init) await page.addInitScript(setting.init)
    await answerAll(page, tested, setting, posts)
    await work(page)
    await page.waitForLoadState('networkidle')
    await page.close()
    await tested.ingest.flush()
    const signals = await tested.ingest.signals('site_1')
    outcome = { posts, errors, signals, hits: (await readJournal(tested.directory)).hits }
  })
  if (!outcome) throw new Error('no visit')
  return outcome
}

/** Opens a page of somebody's and follows its link to the site. */
export const clickFrom = (address: string) => async (page: Page) => {
  await page.goto(address)
  await page.click('#go')
  await page.waitForSelector('h1')
}

async function answerAll(page: Page, { ingest }: TestIngest, setting: Setting, posts: string[]) {
  const { script = `${hits}/s/key1.js`, siteHeaders = {}, linkAttributes = '' } = setting
  const site = `<!doctype html><script defer src="${script}"></script><h1>Pricing</h1><a id="on" href="/next">on</a>`
  const link = `<!doctype html><a id="go" ${linkAttributes} href="${landing}">go</a>`
  await page.route('**/*', async (route) => {
    const request = route.request()
    const { hostname, pathname } = new URL(request.url())
    const isSite = hostname.endsWith('example.com')
    if (hostname !== 'hits.example.net' && !(isSite && pathname.startsWith('/s/')))
      return route.fulfill({
        contentType: 'text/html',
        body: isSite ? site : link,
        headers: isSite ? { 'cache-control': 'no-store', ...siteHeaders } : {},
      })
    const body = request.postData()
    if (body !== null) posts.push(body)
    const headers = Object.entries(await request.allHeaders()).filter(
      ([name]) => !name.startsWith(':') && name !== 'accept-encoding',
    )
    const init = {
      method: request.method(),
      headers: Object.fromEntries(headers),
      ...(body !== null && { body }),
    }
    const response = await ingest.fetch(new Request(request.url(), init), () => null)
    return route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.bytes()),
    })
  })
}
