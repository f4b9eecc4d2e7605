import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { splitAddress } from '../../core/kit/page-addresses'
import { startChromium } from '../support/chromium'
import { describeWith } from '../support/needs'
import { follow, press } from '../support/press'
import { type RunningProduct, startProduct } from '../support/product'
import { faultsOf } from '../support/readable'
import { signInByLink } from '../support/sign-in-by-link'

/** No network: the lists are taken from nowhere. */
const env = { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' }

describeWith('chromium')('the first minutes of an owner', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  }, 90_000)
  afterAll(() => browser?.close())

  const inContext = async (
    options: Parameters<Browser['newContext']>[0],
    work: (page: Page, context: BrowserContext) => Promise<void>,
  ) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options })
    try {
      await work(await context.newPage(), context)
    } finally {
      await context.close()
    }
  }
  const at = (page: Page) => splitAddress(new URL(page.url()).pathname).path
  const comeIn = async (page: Page, { facts }: RunningProduct) => {
    await signInByLink(page, facts.owner_link)
    await page.waitForURL('**/start')
  }
  const told = async (product: RunningProduct, ...words: string[]) =>
    JSON.parse((await product.renown(...words, '--json')).stdout)
  const ask = async ({ facts }: RunningProduct, path: string, key: string) => {
    const answer = await fetch(`${facts.api_url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return { status: answer.status, body: await answer.json() }
  }

  test('lead from the link to names, a tag, an address and a key: one form, no documents', async () => {
    await using product = await startProduct({ env })
    const { facts } = product
    await inContext({ timezoneId: 'Europe/Berlin' }, async (page) => {
      await comeIn(page, product)
      await page.getByLabel('Business', { exact: true }).fill('Corner Bakery')
      await page.getByLabel('Website').fill('https://www.Corner-Bakery.example/about?x=1')
      await press(page, 'Continue')
      await page.waitForURL('**/start/take')

      const site = (await told(product, 'site', 'list')).sites
      // A zone is fixed: the site of the first run hands its key to one in the zone that was chosen.
      expect(site).toHaveLength(2)
      expect(site).toMatchObject([
        { site_id: facts.site_id, domain: 'localhost', timezone: 'UTC', is_active: false },
        {
          site_key: facts.site_key,
          domain: 'corner-bakery.example',
          timezone: 'Europe/Berlin',
          is_active: true,
        },
      ])
      expect(await page.getByLabel('Tag', { exact: true }).inputValue()).toBe(
        `<script defer src="${facts.ingest_url}/s/${facts.site_key}.js"></script>`,
      )
      expect(await page.getByLabel('MCP address', { exact: true }).inputValue()).toBe(
        `${facts.api_url}/api/mcp`,
      )
      const { body } = await ask(product, '/api/entities/Workspace', facts.agent_key)
      expect(body).toMatchObject([{ name: 'Corner Bakery', timezone: 'Europe/Berlin' }])
      expect((await ask(product, '/api/entities/BusinessLocation', facts.agent_key)).body).toMatchObject([
        { business_name: 'Corner Bakery', website: 'https://corner-bakery.example' },
      ])

      await press(page, `Replace the key ending in ${facts.agent_key.slice(-4)}`)
      const field = page.getByRole('textbox', { name: 'Agent key' })
      const key = await field.inputValue()
      await follow(page, 'I have saved it')
      expect(await page.content()).not.toContain(key)
      expect((await ask(product, '/api/surface', facts.agent_key)).status).toBe(401)
      expect((await ask(product, '/api/surface', key)).status).toBe(200)

      await follow(page, 'Go to the overview')
      expect(at(page)).toBe('/app')
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Corner Bakery')
      const install = page.getByRole('listitem').filter({ hasText: 'Add the tag to your website' })
      expect(await install.textContent()).toContain('to do')
      expect(await install.textContent()).toContain('0 of 1 website reported.')
      expect(await page.getByText('No site has reported yet.').count()).toBe(1)
      expect(product.output()).not.toContain(key)
    })
  }, 90_000)

  test('can be skipped, resumed and got wrong, without a script', async () => {
    await using product = await startProduct({ env })
    await inContext({ javaScriptEnabled: false }, async (page) => {
      await comeIn(page, product)
      await page.goto(`${product.facts.api_url}/app`)
      expect(at(page)).toBe('/app/start')
      await press(page, 'Continue')
      expect(await page.title()).toStartWith('Error: ')
      expect(await page.locator('.fault').allTextContents()).toContain('Enter a name for the business.')
      await page.getByLabel('Business', { exact: true }).fill('نسيم <b>الشرق</b>')
      await page.getByLabel('Website').fill('no domain at all')
      await press(page, 'Continue')
      expect(await page.locator('.fault').allTextContents()).toEqual(['Enter a domain such as example.com.'])
      expect(await page.getByLabel('Business', { exact: true }).inputValue()).toBe('نسيم <b>الشرق</b>')
      expect((await told(product, 'site', 'list')).sites).toMatchObject([{ domain: 'localhost' }])

      await press(page, 'Skip for now')
      expect(at(page)).toBe('/app')
      await page.goto(`${product.facts.api_url}/app`)
      expect(at(page)).toBe('/app')
      await follow(page, 'Name your workspace and business')
      await page.getByLabel('Business', { exact: true }).fill('نسيم <b>الشرق</b>')
      await page.getByLabel(/^Workspace/).fill('w'.repeat(200))
      await page.getByLabel('Website').fill('second.example')
      await press(page, 'Continue')
      expect(at(page)).toBe('/app/start/take')
      await page.goto(`${product.facts.api_url}/app/start`)
      await press(page, 'Continue')
      expect((await told(product, 'site', 'list')).sites).toMatchObject([{ domain: 'second.example' }])
    })
  }, 90_000)

  test('have a demo one press away, which says what it is, and is gone with one more', async () => {
    await using product = await startProduct({ env })
    await inContext({}, async (page) => {
      const found: string[] = []
      const look = async (name: string) => void found.push(...(await faultsOf(page, name)))
      await comeIn(page, product)
      await page.getByLabel('Business', { exact: true }).fill('<script>alert(1)</script>')
      await page.getByLabel(/^Workspace/).fill('w'.repeat(200))
      await press(page, 'Continue')
      await look('to take away')
      await press(page, /^Replace the key/)
      await look('a new key')
      await page.goto(`${product.facts.api_url}/app`)
      await look('overview')
      await press(page, 'Look at a demo')
      await page.getByText('This is a demo.').waitFor()
      const read = page.locator('.card').filter({ hasText: 'Pages read by AI' })
      expect(await read.locator('.large').textContent()).toMatch(/^[1-9][\d,]*$/)
      await look('overview of the demo')
      await page.goto(`${product.facts.api_url}/app/locations`)
      expect(await page.getByRole('row').count()).toBeGreaterThan(3)
      await look('locations of the demo')
      await page.goto(`${product.facts.api_url}/app/workspace`)
      await look('workspaces')
      await press(page, /^Back to/)
      expect(await page.getByText('This is a demo.').count()).toBe(0)
      await press(page, 'Open the demo')
      await press(page, 'Remove the demo')
      expect(await page.getByText('This is a demo.').count()).toBe(0)
      await page.getByRole('button', { name: 'Look at a demo' }).waitFor()
      expect((await told(product, 'status')).demo_data).toBe(false)
      await page.goto(`${product.facts.api_url}/app/locations`)
      expect(await page.getByRole('rowheader').allTextContents()).toEqual(['<script>alert(1)</script>'])
      await look('locations')
      expect(found).toEqual([])
    })
  }, 120_000)
})
