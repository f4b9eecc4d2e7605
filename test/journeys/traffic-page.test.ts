import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../support/chromium'
import { describeWith } from '../support/needs'
import { type RunningProduct, startProduct } from '../support/product'
import { faultsOf } from '../support/readable'
import { signInByLink } from '../support/sign-in-by-link'
import { waitFor } from '../support/wait-for'

const gptBot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot'
const chatGpt =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot'
const long = 'x'.repeat(4_000)

describeWith('chromium')('AI traffic in Chromium', () => {
  let browser: Browser
  let product: RunningProduct
  let state: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>
  beforeAll(async () => {
    browser = await startChromium()
    product = await startProduct({ env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' } })
    const context = await browser.newContext()
    const page = await context.newPage()
    await signInByLink(page, product.facts.owner_link)
    state = await context.storageState()
    await context.close()
    await hits(
      ...Array.from({ length: 9 }, (_, n) => line(gptBot, `/menu/${n % 3}`)),
      line(chatGpt, '/"><script>alert(1)</script>'),
      line(chatGpt, `/${long}`),
      line(chatGpt, '/مرحبا/‮reversed'),
    )
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await product?.[Symbol.asyncDispose]()
  })

  const line = (agent: string, path: string) =>
    JSON.stringify({
      timestamp: new Date().toISOString(),
      user_agent: agent,
      path,
      status: 200,
      method: 'GET',
    })
  async function hits(...lines: string[]) {
    const answer = await fetch(`${product.facts.ingest_url}/v1/hits`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${product.facts.forwarder_token}`,
        'content-type': 'application/x-ndjson',
      },
      body: lines.join('\n'),
    })
    expect([answer.status, await answer.text()]).toEqual([
      expect.any(Number),
      expect.stringContaining(`"accepted":${lines.length}`),
    ])
  }
  async function open(
    options: Parameters<Browser['newContext']>[0],
    work: (page: Page, said: string[]) => Promise<void>,
  ) {
    const context = await browser.newContext({
      storageState: state,
      viewport: { width: 1280, height: 900 },
      ...options,
    })
    const said: string[] = []
    try {
      const page = await context.newPage()
      page.on('console', (message) => said.push(message.text()))
      page.on('pageerror', (error) => said.push(String(error)))
      await page.goto(`${product.facts.api_url}/app/traffic`)
      await work(page, said)
    } finally {
      await context.close()
    }
  }
  const crawled = (page: Page) => page.locator('.number .big').first().textContent()
  const counted = (page: Page, many: string) =>
    waitFor(
      async () => {
        await page.reload()
        return (await crawled(page)) === many
      },
      { what: `${many} hits on the page`, timeoutMs: 30_000, everyMs: 500 },
    )

  test('shows what came, and every row and key narrows it; the address says what is shown', async () => {
    await open({}, async (page, said) => {
      await counted(page, '12')
      await page.getByRole('link', { name: 'GPTBot' }).click()
      await page.waitForURL('**/app/traffic?agent=GPTBot')
      await waitFor(async () => (await crawled(page)) === '9', { what: 'the hits of one crawler' })
      await page.getByRole('link', { name: /agent: GPTBot/ }).click()
      await waitFor(async () => (await crawled(page)) === '12', { what: 'all hits' })
      await page.goBack()
      await waitFor(async () => (await crawled(page)) === '9', { what: 'the hits of one crawler again' })
      await page.keyboard.press('q')
      await page.waitForURL('**/app/traffic?days=90&agent=GPTBot')
      await page.locator('.segments a[aria-current]', { hasText: '90 days' }).waitFor()
      await page.keyboard.press('ArrowLeft')
      await page.waitForURL(/days=90&to=\d{4}-\d\d-\d\d&agent=GPTBot/)
      await waitFor(async () => (await crawled(page)) === '0', { what: 'nothing before' })
      expect(said).toEqual([])
    })
  }, 60_000)

  test('shows a hit that comes while it is open, without a reload', async () => {
    await open({}, async (page) => {
      await counted(page, '12')
      await page.getByText('Live: changes show by themselves.').waitFor()
      await hits(line(gptBot, '/new'))
      await waitFor(async () => (await crawled(page)) === '13', {
        what: 'the hit on the page',
        timeoutMs: 30_000,
      })
    })
  }, 60_000)

  test('its picture is read day by day with the keyboard, and stands as a table', async () => {
    await open({}, async (page) => {
      await page.locator('.plot').focus()
      await page.keyboard.press('ArrowLeft')
      await waitFor(async () => /1[23] in all/.test((await page.locator('.tip').textContent()) ?? ''), {
        what: 'the words of the day',
      })
      await page.getByText('As a table').click()
      expect(
        await page.getByRole('row').filter({ hasText: new Date().getUTCFullYear().toString() }).count(),
      ).toBeGreaterThan(20)
    })
  }, 60_000)

  test('works without a script, on a phone, and renders strange text as text', async () => {
    await open({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } }, async (page) => {
      await page.getByRole('link', { name: '90 days' }).click()
      await page.waitForURL('**/app/traffic?days=90')
      expect(await page.getByText('/"><script>alert(1)</script>', { exact: true }).count()).toBe(1)
      expect(await page.getByText('/مرحبا/', { exact: true }).count()).toBe(0)
      expect(await page.getByText('%E2%80%AEreversed').count()).toBe(1)
      expect(await page.locator('script:not([src]):not([type="application/json"])').count()).toBe(0)
    })
    await open({}, async (page, said) => {
      expect(await faultsOf(page, 'AI traffic')).toEqual([])
      expect(said).toEqual([])
    })
  }, 60_000)

  test('is taken away as CSV and as JSON, and by nobody else', async () => {
    const address = `${product.facts.api_url}/app/data/traffic`
    const cookie = state.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const csv = await (await fetch(`${address}.csv`, { headers: { cookie } })).text()
    expect(csv.split('\r\n')[0]).toStartWith('day,ai_answers')
    expect(await (await fetch(`${address}.json`, { headers: { cookie } })).json()).toMatchObject({
      state: 'counting',
    })
    const stranger = await fetch(`${address}.json`, { redirect: 'manual' })
    expect([303, 401]).toContain(stranger.status)
    const key = { authorization: `Bearer ${product.facts.agent_key}` }
    expect([303, 401]).toContain(
      (await fetch(`${address}.json`, { redirect: 'manual', headers: key })).status,
    )
  })
})
