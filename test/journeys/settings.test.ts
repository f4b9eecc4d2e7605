import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../support/chromium'
import { type DnsRecords, startDnsServer } from '../support/dns-server'
import { describeWith } from '../support/needs'
import { ownerEmail, ownerPassword } from '../support/person'
import { clickAndStay, follow, press } from '../support/press'
import { type RunningProduct, startProduct } from '../support/product'
import { faultsOf } from '../support/readable'
import { signInByLink } from '../support/sign-in-by-link'
import { type App, callWith, exchange, questionOf, registerApp } from '../support/strict-app'

describeWith('chromium')('the settings in Chromium', () => {
  let browser: Browser
  let dns: Awaited<ReturnType<typeof startDnsServer>>
  let product: RunningProduct
  const records: DnsRecords = {}
  beforeAll(async () => {
    browser = await startChromium()
    dns = await startDnsServer(records)
    product = await startProduct({
      env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', DNS_SERVERS: dns.server, LOG_LEVEL: 'debug' },
    })
    await inPage({}, async (page) => {
      await signInByLink(page, product.facts.owner_link)
      await page.waitForURL('**/start')
    })
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    dns?.stop()
    await product?.[Symbol.asyncDispose]()
  })

  async function inPage(options: Parameters<Browser['newContext']>[0], work: (page: Page) => Promise<void>) {
    const context = await browser.newContext(options)
    try {
      await work(await context.newPage())
    } finally {
      await context.close()
    }
  }
  /** A page of somebody who is signed in, on a phone unless said otherwise. */
  const signedIn = (options: Parameters<Browser['newContext']>[0], work: (page: Page) => Promise<void>) =>
    inPage({ viewport: { width: 390, height: 844 }, ...options }, async (page) => {
      await open(page, '/app/key')
      await page.getByLabel('E-mail address').fill(ownerEmail)
      await page.getByLabel('Password').fill(ownerPassword)
      await press(page, 'Sign in')
      await page.waitForURL('**/key')
      await work(page)
    })
  const open = (page: Page, path: string) => page.goto(`${product.facts.api_url}${path}`)
  const status = async (key: string, headers: Record<string, string> = {}) =>
    (
      await fetch(`${product.facts.api_url}/api/surface`, {
        headers: { authorization: `Bearer ${key}`, ...headers },
      })
    ).status
  let key = ''

  test('the key is rotated and revoked without a script, and shown once', async () => {
    await signedIn({ javaScriptEnabled: false }, async (page) => {
      await follow(page, 'Rotate the key')
      const ending = product.facts.agent_key.slice(-4)
      await press(page, `Rotate the key ending in ${ending}`)
      const field = page.getByRole('textbox', { name: 'Agent key' })
      const rotated = await field.inputValue()
      expect(await field.getAttribute('readonly')).not.toBeNull()
      expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
      expect([await status(rotated), await status(product.facts.agent_key)]).toEqual([200, 401])
      await follow(page, 'I have saved it')
      expect(await page.content()).not.toContain(rotated)

      await follow(page, 'Revoke the key')
      await press(page, `Revoke the key ending in ${rotated.slice(-4)}`)
      await page.getByRole('heading', { name: 'There is no agent key' }).waitFor()
      expect(await status(rotated)).toBe(401)
      await follow(page, 'Create the agent key')
      await press(page, 'Create the agent key')
      key = await page.getByRole('textbox', { name: 'Agent key' }).inputValue()
      expect(await status(key)).toBe(200)
      expect(product.output()).not.toContain(key)
    })
  }, 90_000)

  test('the key is copied by its button', async () => {
    await signedIn({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await follow(page, 'Rotate the key')
      await press(page, /^Rotate the key/)
      key = await page.getByRole('textbox', { name: 'Agent key' }).inputValue()
      await clickAndStay(page, 'button', 'Copy')
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
      expect(await status(key)).toBe(200)
    })
  }, 90_000)

  /** Registers an app and lets it in on the consent page. */
  async function letIn(page: Page): Promise<{ app: App; token: string }> {
    const app = await registerApp(product.facts.api_url)
    const question = await questionOf(app)
    await page.goto(question.url.href)
    // Nobody listens at the app's address. That the browser goes there is enough.
    const back = page.waitForRequest((request) => request.url().startsWith('http://127.0.0.1/callback'))
    await clickAndStay(page, 'button', /^Allow/)
    const { access_token: token } = await exchange(app, new URL((await back).url()), question)
    // The error page that follows would interrupt the next navigation.
    await page.waitForURL('chrome-error://chromewebdata/', { waitUntil: 'commit' })
    return { app, token }
  }

  test('an app that was let in reaches its tools until it is disconnected, and not a request longer', async () => {
    await signedIn({ javaScriptEnabled: false }, async (page) => {
      const { app, token } = await letIn(page)
      const called = await callWith(token, app.resource, 'whoami')
      expect(called.result.structuredContent).toMatchObject({ credential: { kind: 'oauth' } })
      await open(page, '/app/apps')
      await page.getByRole('heading', { name: 'An app of the tests' }).waitFor()
      await page.getByText('name not verified').waitFor()
      await press(page, 'Disconnect An app of the tests')
      expect(await page.getByRole('status').textContent()).toContain('The app is disconnected.')
      await page.getByText('No app is connected').waitFor()
      expect(await status(token)).toBe(401)

      const again = [await letIn(page), await letIn(page)]
      await open(page, '/app/apps')
      await follow(page, 'Disconnect every app')
      await press(page, 'Disconnect all 2 apps')
      for (const { token: ended } of again) expect(await status(ended)).toBe(401)
      expect(await status(key)).toBe(200)
    })
  }, 90_000)

  const domain = 'reviews.agency.example'
  const there = () => status(key, { host: domain })

  test('a domain is named, verified by its record, served, and removed', async () => {
    await signedIn({ javaScriptEnabled: false }, async (page) => {
      await follow(page, 'Domains')
      await page.getByLabel('Host name').fill('co.uk')
      await press(page, 'Add the domain')
      await page.getByText('not the suffix itself').waitFor()
      await page.getByLabel('Host name').fill(`https://${domain}/`)
      await press(page, 'Add the domain')
      const name = await page.getByLabel('Name of the record').inputValue()
      const value = await page.getByLabel('Value of the record').inputValue()
      expect(name).toBe(`_renown.${domain}`)
      await press(page, `Verify ${domain} now`)
      await page.getByText(`There is no TXT record at ${name}.`).waitFor()
      expect(await there()).toBe(403)

      records[name] = { TXT: ['v=spf1 -all', value] }
      await press(page, `Verify ${domain} now`)
      await page.getByText('verified', { exact: true }).waitFor()
      expect(await there()).toBe(200)
      const metadata = await fetch(`${product.facts.api_url}/.well-known/oauth-authorization-server`, {
        headers: { host: domain },
      })
      expect(await metadata.json()).toMatchObject({ issuer: `https://${domain}` })

      await follow(page, `Remove ${domain}`)
      await press(page, `Remove ${domain}`)
      expect(await page.getByRole('status').textContent()).toContain('The domain is removed.')
      expect(await there()).toBe(403)
      const listed = await product.renown('audit', 'list', '--kind', 'domain', '--json')
      expect(JSON.parse(listed.stdout).entries.map(({ action }: { action: string }) => action)).toEqual([
        'domain.remove',
        'domain.verify',
        'domain.add',
      ])
    })
  }, 90_000)

  test('every page is readable by machine and eye, on a phone and a desk, in light and dark', async () => {
    await signedIn({}, async (page) => {
      const found: string[] = []
      await letIn(page)
      await open(page, '/app/domains')
      await page.getByLabel('Host name').fill(domain)
      await press(page, 'Add the domain')
      // The other pages are looked at where they are compared with their pictures. There is no app there.
      for (const path of ['/app/apps', '/app/apps/disconnect-all', '/app/activity?at=100']) {
        await open(page, path)
        found.push(...(await faultsOf(page, path)))
      }
      await open(page, '/app/domains')
      await follow(page, `Remove ${domain}`)
      found.push(...(await faultsOf(page, 'remove')))
      await open(page, '/app/domains')
      await press(page, 'Add the domain')
      found.push(...(await faultsOf(page, 'a fault')))
      await open(page, '/app/key/new')
      await press(page, /^Rotate the key/)
      found.push(...(await faultsOf(page, 'the key')))
      expect(found).toEqual([])
    })
  }, 120_000)
})
