import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../support/chromium'
import { describeWith } from '../support/needs'
import { clickAndStay, follow, press } from '../support/press'
import { type RunningProduct, startProduct } from '../support/product'
import { faultsOf } from '../support/readable'
import { signInByLink } from '../support/sign-in-by-link'
import { accountMenu } from '../support/sign-out'
import { waitFor } from '../support/wait-for'

/** How many rows of each filter are clicked. Each click reads all figures again. */
const rowsMax = process.env.RENOWN_LONG === '1' ? Number.POSITIVE_INFINITY : 3

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
    await page.goto(`${product.facts.api_url}/app/account#shortcuts`)
    await switchShortcuts(page, true)
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
  async function switchShortcuts(page: Page, isOn: boolean) {
    await page.getByLabel('Use single-key shortcuts').setChecked(isOn)
    await press(page, 'Save shortcuts')
    await page.getByText('Your choice of keyboard shortcuts is saved.').waitFor()
    expect(await page.getByLabel('Use single-key shortcuts').isChecked()).toBe(isOn)
  }
  async function choosePeriod(page: Page, name: string) {
    await page.locator('.period summary').click()
    await clickAndStay(page.locator('.period'), 'link', name, { exact: true })
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
      await clickAndStay(page, 'link', /^GPTBot/)
      await page.waitForURL('**/traffic?agent=GPTBot')
      await waitFor(async () => (await crawled(page)) === '9', { what: 'the hits of one crawler' })
      await clickAndStay(page, 'link', /agent: GPTBot/)
      await waitFor(async () => (await crawled(page)) === '12', { what: 'all hits' })
      await page.goBack()
      await waitFor(async () => (await crawled(page)) === '9', { what: 'the hits of one crawler again' })
      await page.keyboard.press('q')
      await page.waitForURL('**/traffic?days=90&agent=GPTBot')
      await page.locator('.period summary', { hasText: 'Last 90 days' }).waitFor()
      await page.keyboard.press('p')
      await page.waitForURL(/days=90&to=\d{4}-\d\d-\d\d&agent=GPTBot/)
      await waitFor(async () => (await crawled(page)) === '0', { what: 'nothing before' })
      expect(said).toEqual([])
    })
  }, 90_000)

  test('every row that can be clicked filters by what it shows, and a second click removes the filter', async () => {
    await open({}, async (page) => {
      await counted(page, '12')
      // The link to the page of a crawler is no filter.
      const links = page.locator('#page .bars a, #page table a:not([href*="/traffic/crawler"])')
      const seen = new Map<string, number>()
      for (let place = 0; place < (await links.count()); place++) {
        const link = links.nth(place)
        const href = (await link.getAttribute('href')) ?? ''
        const [name = '', value = ''] = [...new URLSearchParams(href)][0] ?? []
        if ((seen.get(name) ?? 0) >= rowsMax) continue
        const shown = ((await link.locator('bdi').first().textContent()) ?? '').trim()
        expect(shown).not.toBe('')
        await link.click()
        await page.waitForURL((url) => url.search === href)
        const word = name === 'category' ? 'purpose' : name
        const chip = page.locator('.chip')
        await waitFor(async () => (await chip.count()) === 1, { what: `one filter, by ${shown}` })
        expect(await chip.locator('bdi').textContent()).toBe(shown)
        expect(await chip.textContent()).toStartWith(`${word}: `)
        if (name !== 'category') expect([value, decodeURI(value)]).toContain(shown)
        const again = page.locator(`#page :is(.bars, table) a[aria-current]`, { hasText: shown }).first()
        await again.click()
        await page.waitForURL((url) => url.search === '')
        await waitFor(async () => (await chip.count()) === 0, { what: 'no filter' })
        seen.set(name, (seen.get(name) ?? 0) + 1)
      }
      expect([...seen.keys()].sort()).toEqual(['agent', 'category', 'operator', 'page'])
      await page.locator('.bars a', { hasText: '/menu/0' }).click()
      await page.waitForURL('**/traffic?page=%2Fmenu%2F0')
      await waitFor(async () => (await crawled(page)) === '≥ 3', { what: 'the hits of one page' })
    })
  }, 240_000)

  test('an answer that does not come leaves the address of the figures, says so, and can be asked for again', async () => {
    await open({}, async (page) => {
      await counted(page, '12')
      const state = async () => [
        new URL(page.url()).search,
        await crawled(page),
        await page.locator('.chip').count(),
      ]
      const notice = page.getByRole('alert')
      const fail = { how: 'lost' as 'lost' | 'fault' }
      await page.route('**/data/traffic.json*', (route) =>
        fail.how === 'lost'
          ? route.abort('internetdisconnected')
          : route.fulfill({ status: 503, body: '{}' }),
      )
      await clickAndStay(page, 'link', /^ChatGPT-User/)
      await notice.waitFor()
      expect(await notice.textContent()).toMatch(
        /connection was lost.*Showing data of \d+ \w+ \d{4}, \d\d:\d\d/,
      )
      expect(await state()).toEqual(['', '12', 0])
      fail.how = 'fault'
      await clickAndStay(page, 'button', 'Retry')
      await notice.getByText('The server answered 503.').waitFor()
      expect(await state()).toEqual(['', '12', 0])
      await page.unroute('**/data/traffic.json*')
      await clickAndStay(page, 'button', 'Retry')
      await page.waitForURL('**/traffic?agent=ChatGPT-User')
      await waitFor(async () => (await notice.count()) === 0, { what: 'the notice to go' })
      expect(await state()).toEqual(['?agent=ChatGPT-User', '3', 1])
      // Back, without a connection: the figures stay, and so does their address.
      await page.route('**/data/traffic.json*', (route) => route.abort('internetdisconnected'))
      await page.goBack()
      await notice.waitFor()
      expect(await state()).toEqual(['?agent=ChatGPT-User', '3', 1])
    })
  }, 90_000)

  test('answers that come in the wrong order: the last question counts, also when news come in between', async () => {
    await open({}, async (page) => {
      await counted(page, '12')
      await page.getByText('Live: changes appear automatically.').waitFor()
      const waiting: (() => Promise<void>)[] = []
      const asked: string[] = []
      await page.route('**/data/traffic.json*', async (route) => {
        const { search } = new URL(route.request().url())
        asked.push(search)
        const go = Promise.withResolvers<void>()
        waiting.push(async () => go.resolve())
        await go.promise
        await route.continue().catch(() => {})
      })
      await clickAndStay(page, 'link', /^GPTBot/)
      await waitFor(() => asked.length === 1, { what: 'the first question' })
      await clickAndStay(page, 'link', /^ChatGPT-User/)
      await waitFor(() => asked.length === 2, { what: 'the second question' })
      expect(new URL(page.url()).search).toBe('')
      await waiting[1]?.()
      await page.waitForURL('**/traffic?agent=ChatGPT-User')
      await waiting[0]?.()
      // News of a hit while the next question is on its way ask for what was asked for, not for what is shown.
      await clickAndStay(page, 'link', /agent: ChatGPT-User/)
      await waitFor(() => asked.length === 3, { what: 'the third question' })
      await hits(line(gptBot, '/in-between'))
      await waitFor(() => asked.length >= 4, { what: 'the question after the news', timeoutMs: 30_000 })
      expect(asked.slice(2)).toEqual(asked.slice(2).map(() => ''))
      await page.unroute('**/data/traffic.json*')
      for (const go of waiting) await go()
      await page.waitForURL((url) => url.pathname.endsWith('/traffic') && url.search === '')
      await waitFor(async () => (await crawled(page)) === '13', { what: 'all hits, the new one with them' })
    })
  }, 90_000)

  test('arrow keys belong to the browser, and single keys can be turned off', async () => {
    await open({ viewport: { width: 390, height: 700 } }, async (page) => {
      await counted(page, '13')
      const table = page.locator('section.scroll[aria-label="Crawlers"]')
      await table.focus()
      const before = page.url()
      for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowRight')
      await waitFor(async () => (await table.evaluate((element) => element.scrollLeft)) > 0, {
        what: 'the table to scroll sideways',
      })
      await page.locator('h1').click()
      await page.keyboard.press('ArrowDown')
      await waitFor(async () => Number(await page.evaluate('scrollY')) > 0, {
        what: 'the page to scroll',
      })
      expect(page.url()).toBe(before)
      const listed = page.getByRole('main').getByText('Keyboard shortcuts')
      await listed.click()
      await page.getByText('Show 90 days').waitFor()
      await accountMenu(page).click()
      await clickAndStay(page, 'link', 'Keyboard shortcuts')
      await follow(page, 'Change in your account')
      await switchShortcuts(page, false)
      await page.goto(before)
      await page.getByText('Live: changes appear automatically.').waitFor()
      expect([await page.locator('kbd').count(), await listed.count()]).toEqual([0, 0])
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/data/')) asked.push(new URL(request.url()).search)
      })
      for (const key of ['q', 'p', 'x', 'w']) await page.keyboard.press(key)
      // A link still works, so the page is awake: what the keys would have asked for is not there.
      await choosePeriod(page, '12 months')
      await page.waitForURL('**/traffic?days=365')
      expect(asked).toEqual(['?days=365'])
      await page.goto(`${product.facts.api_url}/app/account#shortcuts`)
      await switchShortcuts(page, true)
      await page.goto(before)
      await page.getByText('Live: changes appear automatically.').waitFor()
      await page.keyboard.press('q')
      await page.waitForURL('**/traffic?days=90')
    })
  }, 90_000)

  test('shows a hit that comes while it is open, without a reload', async () => {
    await open({}, async (page) => {
      await counted(page, '13')
      await page.getByText('Live: changes appear automatically.').waitFor()
      await hits(line(gptBot, '/new'))
      await waitFor(async () => (await crawled(page)) === '14', {
        what: 'the hit on the page',
        timeoutMs: 30_000,
      })
    })
  }, 90_000)

  test('says that the live connection is lost, with the time of the figures, and that it is back; news in between are fetched', async () => {
    await open({}, async (page) => {
      await counted(page, '14')
      await page.getByText('Live: changes appear automatically.').waitFor()
      // The stream that is open ends with the next page, and no other is let through.
      await page.route('**/events/traffic*', (route) => route.abort('connectionrefused'))
      await page.reload()
      const notice = page.locator('.live-notice')
      await notice.getByText('Live updates stopped').waitFor()
      expect(await notice.textContent()).toMatch(
        /Reconnecting… Showing data of \d+ \w+ \d{4}, \d\d:\d\d \S+\.$/,
      )
      await hits(line(gptBot, '/while-lost'))
      await page.unroute('**/events/traffic*')
      await notice.getByText('Live updates are back').waitFor()
      await waitFor(async () => (await crawled(page)) === '15', {
        what: 'the hit that came while the connection was lost',
        timeoutMs: 30_000,
      })
      await waitFor(async () => (await notice.count()) === 0, { what: 'the notice to go', timeoutMs: 30_000 })
    })
  }, 150_000)

  test('the menu of periods closes after a choice, keeps the focus, and takes any two days', async () => {
    await open({}, async (page) => {
      await page.getByText('Live: changes appear automatically.').waitFor()
      const summary = page.locator('.period summary')
      await summary.focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/traffic?days=1')
      await waitFor(async () => (await summary.textContent()) === 'Period: Today', {
        what: 'the name of the period',
      })
      await waitFor(async () => (await page.locator('.period[open]').count()) === 0, {
        what: 'the closed menu of periods',
      })
      expect(await summary.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
      await summary.click()
      const today = await page.locator('#period-to').inputValue()
      const from = new Date(Date.parse(today) - 10 * 86_400_000).toISOString().slice(0, 10)
      await page.locator('#period-from').fill(from)
      await clickAndStay(page, 'button', 'Show these days')
      await page.waitForURL(`**/traffic?from=${from}&to=${today}`)
      expect(await page.locator('#period-from').inputValue()).toBe(from)
    })
  }, 90_000)

  test('its picture is read day by day with the keyboard, and stands as a table', async () => {
    await open({}, async (page) => {
      await page.locator('.plot').focus()
      await page.keyboard.press('ArrowLeft')
      await waitFor(async () => /1[2-6] in all/.test((await page.locator('.tip').textContent()) ?? ''), {
        what: 'the words of the day',
      })
      await page.getByText('As a table').click()
      expect(
        await page.getByRole('row').filter({ hasText: new Date().getUTCFullYear().toString() }).count(),
      ).toBeGreaterThan(20)
    })
  }, 90_000)

  test('works without a script, on a phone, and renders strange text as text', async () => {
    await open({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } }, async (page) => {
      await choosePeriod(page, '90 days')
      await page.waitForURL('**/traffic?days=90')
      expect(await page.getByText('/%22%3E%3Cscript%3Ealert(1)%3C/script%3E', { exact: true }).count()).toBe(
        1,
      )
      expect(await page.getByText('/مرحبا/', { exact: true }).count()).toBe(0)
      expect(await page.getByText('%E2%80%AEreversed').count()).toBe(1)
      expect(await page.locator('script:not([src]):not([type="application/json"])').count()).toBe(0)
    })
    await open({}, async (page, said) => {
      expect(await faultsOf(page, 'AI traffic')).toEqual([])
      expect(said).toEqual([])
    })
  }, 90_000)

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
