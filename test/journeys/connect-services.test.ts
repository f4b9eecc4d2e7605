import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startChromium } from '../support/chromium'
import { describeWith } from '../support/needs'
import { follow, press } from '../support/press'
import { type RunningProduct, startProduct } from '../support/product'
import { faultsOf } from '../support/readable'
import { signInByLink } from '../support/sign-in-by-link'
import { type Services, startServices } from '../support/stand-ins/services'
import { filesUnder } from '../support/stored'
import { waitFor } from '../support/wait-for'

describeWith('chromium')('an owner connects Google in a real browser, without a script,', () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let product: RunningProduct
  let services: Services
  const said: string[] = []
  beforeAll(async () => {
    services = startServices()
    const { google, profiles } = services
    profiles.accounts.push({ name: 'accounts/900', accountName: 'A group', type: 'LOCATION_GROUP' })
    profiles.locations.set('accounts/111', [{ name: 'locations/222', title: 'Harbour <b>Bakery</b>' }])
    profiles.locations.set('accounts/900', [{ name: 'locations/901', title: 'Elsewhere' }])
    const at = Date.parse('2026-01-02T03:04:05.000Z')
    for (const id of ['r1', 'r2'])
      google.reviews.set(id, { id, stars: 5, text: `Great ${id}`, author: 'Jo', created: at, updated: at })
    ;[browser, product] = await Promise.all([
      startChromium(),
      startProduct({
        env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'debug', ...services.settings },
      }),
    ])
    context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    page = await context.newPage()
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await product?.[Symbol.asyncDispose]()
    await services?.stop()
  })

  const open = (path: string) => page.goto(`${product.facts.api_url}${path}`)
  const reviews = async () => {
    const headers = { authorization: `Bearer ${product.facts.agent_key}` }
    const answer = await fetch(`${product.facts.api_url}/api/entities/Review`, { headers })
    return (await answer.json()) as { review_text?: string }[]
  }

  test('is told which address to register, and is told plainly by Google where it is not', async () => {
    await signInByLink(page, product.facts.owner_link)
    await open('/app/settings/connections')
    const address = await page.getByLabel('Redirect address of Google').inputValue()
    expect(address).toBe(`${product.facts.api_url}/app/settings/connections/google/callback`)
    await press(page, 'Connect Google')
    await page.getByRole('heading', { name: 'redirect_uri_mismatch' }).waitFor()
    services.profiles.redirectUris.add(address)
  }, 90_000)

  test('may say no', async () => {
    await open('/app/settings/connections')
    await press(page, 'Connect Google')
    await follow(page, 'Cancel')
    await page.getByText('You did not grant access').waitFor()
    await follow(page, 'Back to connections')
    expect(await page.getByText('accounts/111').count()).toBe(0)
  }, 90_000)

  test('comes back with both accounts, adds a location, and its reviews are there at once', async () => {
    await press(page, 'Connect Google')
    await follow(page, 'Continue')
    await page.getByText('Google gave Renown access').waitFor()
    expect(await page.getByText('connected', { exact: true }).count()).toBe(2)
    await follow(page, 'Add its locations of Ann Owner')
    await page.getByText('1 more location is available through other accounts').waitFor()
    await page.getByRole('checkbox', { name: 'Harbour <b>Bakery</b>' }).check()
    await press(page, 'Add selected locations')
    await page.getByText('The locations are added').waitFor()
    await open('/app/locations')
    expect(await page.getByText('Harbour <b>Bakery</b>').count()).toBeGreaterThan(0)
    // Long before the next look at what is due.
    const found = await waitFor(
      async () => {
        const all = await reviews()
        return all.length === 2 ? all : null
      },
      { what: 'the reviews', timeoutMs: 30_000 },
    )
    expect(found.map(({ review_text }) => review_text).sort()).toEqual(['Great r1', 'Great r2'])
    expect(services.profiles.complaints).toEqual([])
  }, 90_000)

  test('at the command line sees the same, and no secret is in what the product wrote or stores', async () => {
    const listed = JSON.parse((await product.renown('connection', 'list', '--json')).stdout)
    expect(listed.connections).toHaveLength(2)
    const [own] = listed.connections.filter(
      ({ account_id }: { account_id: string }) => account_id === 'accounts/111',
    )
    const held = await product.renown('connection', 'location', 'list', own.connection_id, '--json')
    expect(JSON.parse(held.stdout).locations).toMatchObject([
      { id: 'locations/222', location_id: expect.any(String) },
    ])
    const again = await product.renown(
      'connection',
      'location',
      'import',
      own.connection_id,
      'locations/222',
      '--json',
    )
    expect(JSON.parse(again.stdout).locations).toMatchObject([{ outcome: 'there' }])
    const stored = filesUnder(product.dataDir).map((path) => readFileSync(path, 'latin1'))
    // The search finds what is there.
    expect(stored.join('')).toContain('Harbour <b>Bakery</b>')
    const written = product.output() + stored.join('')
    for (const secret of ['1//refresh', 'ya29', services.settings.GOOGLE_CLIENT_SECRET, '4/code'])
      expect(written.includes(secret) && secret).toBe(false)
  }, 90_000)

  test('finds every page readable, and a browser finds nothing to complain of', async () => {
    const scripted = await browser.newContext({ viewport: { width: 390, height: 844 } })
    await scripted.addCookies(await context.cookies())
    const seen = await scripted.newPage()
    const found: string[] = []
    await seen.goto(`${product.facts.api_url}/app/settings/connections`)
    found.push(...(await faultsOf(seen, 'connections')))
    await follow(seen, 'Add its locations of A group')
    found.push(...(await faultsOf(seen, 'locations')))
    await seen.goBack()
    await follow(seen, 'Remove A group')
    found.push(...(await faultsOf(seen, 'remove')))
    await press(seen, 'Remove A group')
    await seen.getByText('The account and its tokens are removed').waitFor()
    expect(found).toEqual([])
    await scripted.close()
    expect(said.filter((text) => !/Failed to load resource.*\b4\d\d\b/.test(text))).toEqual([])
  }, 90_000)
})
