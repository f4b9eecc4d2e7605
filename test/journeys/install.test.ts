import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createSafeFetch } from '../../core/outbound/fetch/safe-fetch'
import { BusinessLocation } from '../../core/product/tenancy-plugin'
import traffic from '../../plugins/traffic'
import { AiTrafficSite } from '../../plugins/traffic/records/AiTrafficSite'
import { site as counted, withIngest } from '../ingest/support/ingest'
import { startChromium } from '../support/chromium'
import { clfTime } from '../support/clf-time'
import { startGate } from '../support/harness'
import { describeWith } from '../support/needs'
import { signIn } from '../support/person'
import { clickAndStay, follow, navigateBy, press } from '../support/press'
import { type RunningProduct, startProduct } from '../support/product'
import { quietLog } from '../support/quiet-log'
import { faultsOf } from '../support/readable'
import { signedIn } from '../support/signed-in'
import { standInResolver } from '../support/stand-in-resolver'

/** A website of somebody's, on this machine. */
function startSite() {
  const shown = { html: '', headers: {} as Record<string, string> }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(`<!doctype html><title>Shop</title>${shown.html}<h1>Shop</h1>`, {
        headers: { 'content-type': 'text/html', ...shown.headers },
      }),
  })
  return { shown, port: server.port, stop: () => server.stop(true) }
}

const sign = (page: Page, name: string) => page.locator('.signs li', { hasText: name })

describeWith('chromium')('in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  }, 90_000)
  afterAll(() => browser?.close())

  describe('with the product', () => {
    let product: RunningProduct
    let website: ReturnType<typeof startSite>
    let cookies: { name: string; value: string; url: string }[]
    beforeAll(async () => {
      website = startSite()
      product = await startProduct({ env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' } })
      const { visitor } = await signIn(product)
      cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: product.facts.api_url }))
    }, 90_000)
    afterAll(async () => {
      await website?.stop()
      await product?.[Symbol.asyncDispose]()
    })

    async function inPage(
      options: Parameters<Browser['newContext']>[0],
      work: (page: Page, context: BrowserContext) => Promise<void>,
    ) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options })
      try {
        await context.addCookies(cookies)
        await work(await context.newPage(), context)
      } finally {
        await context.close()
      }
    }
    const open = (page: Page, path: string) => page.goto(`${product.facts.api_url}${path}`)

    test('the tag is copied, pasted, opened, and the check turns green by itself', async () => {
      await inPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page, context) => {
        const said: string[] = []
        page.on('console', (message) => said.push(message.text()))
        page.on('pageerror', (error) => said.push(error.message))
        await open(page, '/app/install')
        await clickAndStay(page, 'button', 'Copy the tag')
        await page.getByRole('button', { name: 'Copied the tag' }).waitFor()
        const pasted = String(await page.evaluate('navigator.clipboard.readText()'))
        expect(pasted).toBe(
          `<script defer src="${product.facts.ingest_url}/s/${product.facts.site_key}.js"></script>`,
        )
        website.shown.html = pasted
        await page.getByLabel('Address of a page').fill(`http://localhost:${website.port}/`)
        await press(page, 'Use this address')
        await sign(page, 'Script found').getByText('not yet').waitFor()
        const opened = context.waitForEvent('page')
        await clickAndStay(page, 'link', 'Open my site')
        const visited = await opened
        expect(visited.url()).toStartWith(`http://localhost:${website.port}/?renown_check=`)
        await sign(page, 'Script found').getByText('✓ seen').waitFor()
        await sign(page, 'Test visit').getByText('✓ seen').waitFor()
        await visited.close()
        expect(said).toEqual([])
      })
    }, 90_000)

    test('the log of a sender shows once its first lines come', async () => {
      await inPage({}, async (page) => {
        await open(page, '/app/install')
        await sign(page, 'Log lines').getByText('not yet').waitFor()
        const log = (body: string) =>
          fetch(`${product.facts.ingest_url}/v1/logs`, {
            method: 'POST',
            headers: { authorization: `Bearer ${product.facts.forwarder_token}` },
            body,
          })
        expect((await log('what is this')).status).toBe(200)
        await sign(page, 'Log lines').getByText('! unreadable').waitFor()
        const line = `203.0.113.9 - - [${clfTime(new Date())}] "GET / HTTP/1.1" 200 12 "-" "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0"`
        expect((await log(line)).status).toBe(200)
        await sign(page, 'Log lines').getByText('✓ seen').waitFor()
        await page.getByText('0 counted, 1 ignored, 1 unreadable').waitFor()
      })
    }, 90_000)

    test('without a script the page has the tag, the recipes, and what it finds', async () => {
      await inPage({ javaScriptEnabled: false }, async (page) => {
        await open(page, '/app/install')
        expect(await page.locator('#tag code').textContent()).toContain(product.facts.site_key)
        expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
        await page.getByLabel('Find your platform').fill('fluent')
        await press(page, 'Search')
        await follow(page, 'Fluent Bit')
        await page.getByRole('heading', { name: 'Fluent Bit' }).waitFor()
        const { hostname, port } = new URL(product.facts.ingest_url)
        const recipe = (await page.locator('.recipe pre').first().textContent()) ?? ''
        expect(recipe).toMatch(new RegExp(`Host +${hostname}\\n +Port +${port}\\n`))
        expect(recipe).toContain('Bearer <forwarder token>')
        await navigateBy(page.getByRole('link', { name: 'Vector', exact: true }).first())
        await press(page, 'Rotate the token of localhost and fill it in')
        const token = (await page.getByRole('heading', { name: 'The forwarder token of' }).count())
          ? ((await page.locator('.copyable code').first().textContent()) ?? '')
          : ''
        expect(token).toStartWith('rnw_fwd_')
        expect(await page.locator('.recipe pre').first().textContent()).toContain(`Bearer ${token}`)
        await follow(page, 'I have saved it')
        expect(await page.content()).not.toContain(token)
        expect(new URL(page.url()).searchParams.get('sender')).toBe('vector')
        await press(page, 'Check it from here')
        expect(await page.locator('[data-finding="page_refused"]').count()).toBe(1)
        expect(await page.getByText('If nothing arrives').count()).toBe(1)
      })
    }, 90_000)

    test('a site is made, switched off and on, and its token replaced', async () => {
      await inPage({}, async (page) => {
        await open(page, '/app/sites')
        await page.getByLabel('Domain').fill('https://www.New-Shop.example/')
        await press(page, 'Create the site')
        await page.getByRole('heading', { name: 'The forwarder token of new-shop.example' }).waitFor()
        await follow(page, 'I have saved it')
        await page.waitForURL('**/install?site=*')
        expect(await page.getByLabel('Site', { exact: true }).inputValue()).toStartWith('sit_')
        await open(page, '/app/sites')
        await page.getByText('Change new-shop.example').click()
        const form = page.getByRole('form', { name: 'Change new-shop.example' })
        await form.getByLabel('Count this site').uncheck()
        await navigateBy(form.getByRole('button', { name: 'Save' }))
        await page.getByText('switched off', { exact: true }).waitFor()
        await page.getByText('Change new-shop.example').click()
        await press(page, 'Rotate the token of new-shop.example')
        await page.getByRole('heading', { name: 'The forwarder token of new-shop.example' }).waitFor()
      })
    }, 90_000)

    test('both pages can be read and used by everybody', async () => {
      await inPage({}, async (page) => {
        const found: string[] = []
        for (const path of ['/app/install?sender=cloudfront', '/app/install', '/app/sites']) {
          await open(page, path)
          found.push(...(await faultsOf(page, path)))
        }
        for (const summary of await page.locator('summary', { hasText: 'Change ' }).all())
          await summary.click()
        found.push(...(await faultsOf(page, 'a site that is changed')))
        await open(page, '/app/install')
        await clickAndStay(page, 'button', 'Check it from here')
        await page.locator('[data-finding]').first().waitFor()
        found.push(...(await faultsOf(page, 'what was found')))
        expect(found).toEqual([])
      })
    }, 120_000)
  })

  test(
    'a site whose policy forbids the script gets no green, and the page finds out and names the policy',
    () =>
      withIngest(
        async ({ ingest }) => {
          const website = startSite()
          const resolver = standInResolver()
          resolver.setAddresses('shop.example', ['127.0.0.1'])
          const gate = await startGate({
            plugins: [traffic],
            safeFetch: createSafeFetch({ dns: resolver, log: quietLog, allowLoopback: true }),
            counter: {
              signals: ingest.signals,
              ranges: ingest.ranges.status,
              refreshRanges: ingest.ranges.refresh,
              flush: ingest.flush,
            },
          })
          const context = await browser.newContext()
          try {
            const address = `http://shop.example:${website.port}/`
            website.shown.headers = { 'content-security-policy': "script-src 'self' https://cdn.example" }
            const origin = `http://localhost:${gate.listen().port}`
            const { cookie } = await signedIn(gate, { origin })
            const [name = '', value = ''] = cookie.split('=')
            await context.addCookies([{ name, value, url: origin }])
            await putSite(gate)
            const asked: string[] = []
            await context.route('http://shop.example:*/**', async (route) => {
              const answer = await fetch(`http://127.0.0.1:${website.port}/`)
              await route.fulfill({ headers: Object.fromEntries(answer.headers), body: await answer.text() })
            })
            await context.route('http://localhost:3001/**', async (route) => {
              asked.push(route.request().url())
              await route.abort()
            })
            const cut = (url: URL) => url.pathname.endsWith('/install/look')
            await context.route(cut, (route) => route.abort())
            const page = await context.newPage()
            await page.goto(`${origin}/app/install?address=${encodeURIComponent(address)}`)
            website.shown.html = (await page.locator('#tag code').textContent()) ?? ''
            const opened = context.waitForEvent('page')
            await clickAndStay(page, 'link', 'Open my site')
            await (await opened).getByRole('heading', { name: 'Shop' }).waitFor()
            const failed = page.getByRole('alert').filter({ hasText: 'Your site could not be checked' })
            await failed.getByText('The connection was lost').waitFor()
            await context.unroute(cut)
            await clickAndStay(failed, 'button', 'Retry')
            const finding = page.locator('[data-finding="csp_script"]')
            await finding.waitFor()
            expect(await finding.textContent()).toContain("script-src 'self' https://cdn.example")
            expect(await finding.textContent()).toContain('Add http://localhost:3001 to script-src')
            expect(await sign(page, 'Test visit').textContent()).toContain('waiting')
            expect(await failed.count()).toBe(0)
            expect(asked).toEqual([])
          } finally {
            await context.close()
            await gate.stop()
            await website.stop()
          }
        },
        { sites: { sites: [{ ...counted, domain: 'shop.example' }] } },
      ),
    90_000,
  )

  test('strangers’ words in a path and in names are text, of a line, whatever stands in them', async () => {
    const path = `/</script><script>alert(1)</script><img/src=x>نسيم${'w'.repeat(4_000)}`
    const at = '2026-11-20T12:00:00.000Z'
    const gate = await startGate({
      plugins: [traffic],
      counter: {
        signals: async () => ({
          script_found_at: at,
          test_visits: [{ nonce: 'n', path, at }],
          lines: { accepted: 1, ignored: 0, rejected: 0, duplicate: 0, by_reason: [] },
        }),
        ranges: async () => [],
        refreshRanges: async () => [],
        flush: async () => {},
      },
    })
    const context = await browser.newContext()
    try {
      const origin = `http://localhost:${gate.listen().port}`
      const { cookie } = await signedIn(gate, { origin })
      const [name = '', value = ''] = cookie.split('=')
      await context.addCookies([{ name, value, url: origin }])
      await putSite(gate, path)
      const page = await context.newPage()
      const said: string[] = []
      page.on('console', (message) => said.push(message.text()))
      page.on('pageerror', (error) => said.push(error.message))
      for (const where of ['install', 'sites']) {
        await page.goto(`${origin}/app/${where}`)
        const words = page.locator('main bdi', { hasText: '</script><script>alert(1)</script><img/src=x>' })
        expect((await words.first().boundingBox())?.height).toBeLessThan(40)
        expect(await page.locator('main :is(img, script)').count()).toBe(0)
        said.push(...(await faultsOf(page, where)))
      }
      expect(said).toEqual([])
    } finally {
      await context.close()
      await gate.stop()
    }
  }, 90_000)
})

async function putSite(gate: Awaited<ReturnType<typeof startGate>>, business_name = 'Shop') {
  const location = await gate.put(BusinessLocation, {
    business_name,
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
  })
  await gate.put(AiTrafficSite, {
    id: counted.site_id,
    location_id: location.id,
    domain: 'shop.example',
    timezone: 'UTC',
    site_key: counted.site_key,
    is_active: true,
    count_search_engines: false,
    respect_dnt: true,
    forwarder_token_last4: 'abcd',
    forwarder_token_hash: counted.forwarder_token_hash,
  })
}
