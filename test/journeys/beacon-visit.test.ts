import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type TestIngest, withIngest } from '../ingest/support/ingest'
import { readJournal } from '../ingest/support/journal'
import { startChromium } from '../support/chromium'
import { findProgram, skipLoudly } from '../support/programs'

const hasChromium = findProgram('chromium') !== null
if (!hasChromium) skipLoudly('the beacon in a real browser', ['chromium'])

const policy = 'script-src https://hits.example.net; connect-src https://hits.example.net'
const site = '<!doctype html><script defer src="https://hits.example.net/s/key1.js"></script><h1>Pricing</h1>'
const link =
  '<!doctype html><a id="go" href="https://www.example.com/pricing?utm_source=x&q=secret#top">go</a>'

/** Answers for the whole internet: the site, whoever links to it, and the ingest. */
async function connect(page: Page, { ingest }: TestIngest): Promise<string[]> {
  const posts: string[] = []
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })
  })
  await page.route('**/*', async (route) => {
    const request = route.request()
    const { hostname } = new URL(request.url())
    if (hostname === 'hits.example.net') {
      const body = request.postData()
      if (body !== null) posts.push(body)
      const headers = await request.allHeaders()
      const plain = Object.entries(headers).filter(
        ([name]) => !name.startsWith(':') && name !== 'accept-encoding',
      )
      const init = {
        method: request.method(),
        headers: Object.fromEntries(plain),
        ...(body !== null && { body }),
      }
      const response = await ingest.fetch(new Request(request.url(), init), null)
      return route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.bytes()),
      })
    }
    const isSite = hostname.endsWith('example.com')
    return route.fulfill({
      contentType: 'text/html',
      body: isSite ? site : link,
      headers: isSite ? { 'content-security-policy': policy } : {},
    })
  })
  return posts
}

describe.skipIf(!hasChromium)('in Chromium, the beacon', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  }, 30_000)
  afterAll(() => browser?.close())

  async function visit(work: (page: Page) => Promise<unknown>, init?: string) {
    let outcome: { posts: string[]; hits: unknown[] } = { posts: [], hits: [] }
    await withIngest(async (tested) => {
      const page = await browser.newPage()
      const posts = await connect(page, tested)
      if (init) await page.addInitScript(init)
      await work(page)
      await page.waitForLoadState('networkidle')
      await page.close()
      await tested.ingest.flush()
      outcome = { posts, hits: (await readJournal(tested.directory)).hits }
    })
    return outcome
  }
  const clickFrom = (address: string) => async (page: Page) => {
    await page.goto(address)
    await page.click('#go')
    await page.waitForSelector('h1')
  }

  test('counts a click from an assistant once, under a policy, and not its reload or the way back', async () => {
    const { posts, hits } = await visit(async (page) => {
      await clickFrom('https://chatgpt.com/c/a-private-conversation')(page)
      await page.waitForLoadState('networkidle')
      await page.reload()
      await page.evaluate('history.pushState({}, "", "/elsewhere")')
      await page.goBack()
    })
    expect(posts).toEqual([',https://chatgpt.com/,/pricing'])
    expect(hits).toMatchObject([{ kind: 'visit', agent: 'chatgpt.com', path: '/pricing' }])
  }, 30_000)

  test('sends nothing for a direct visit, a search, a look-alike, or somebody who asks for it', async () => {
    const direct = await visit((page) => page.goto('https://www.example.com/pricing'))
    const search = await visit(clickFrom('https://www.google.com/search'))
    const lookAlike = await visit(clickFrom('https://evilchatgpt.com/'))
    const gpc = 'Object.defineProperty(navigator, "globalPrivacyControl", { value: true })'
    const control = await visit(clickFrom('https://chatgpt.com/'), gpc)
    expect([direct, search, lookAlike, control].flatMap(({ posts }) => posts)).toEqual([])
  }, 30_000)

  test('counts utm_source without a referrer, and never a test visit', async () => {
    const marked = await visit((page) => page.goto('https://www.example.com/a?utm_source=chatgpt.com'))
    expect(marked.hits).toMatchObject([{ agent: 'chatgpt.com', path: '/a' }])
    const checked = await visit((page) => page.goto('https://www.example.com/a?renown_check=nonce-1'))
    expect(checked).toEqual({ posts: ['nonce-1,,/a'], hits: [] })
  }, 30_000)
})
