import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { splitAddress } from '../../core/kit/page-addresses'
import { base32, generateHOTP } from '../../core/process/crypto'
import { startChromium } from '../support/chromium'
import { describeStores, mongoUri } from '../support/mongo'
import { describeWith, testWith } from '../support/needs'
import { follow, press } from '../support/press'
import { startProduct } from '../support/product'
import { freePort } from '../support/programs'
import { faultsOf } from '../support/readable'
import { signOut } from '../support/sign-out'
import { createVisitor } from '../support/visitor'
import { waitFor } from '../support/wait-for'

/** No network: the lists are taken from nowhere. */
const env = { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'debug' }
const email = 'ada@example.com'
const password = 'correct horse staple'
const codeOf = (secret: string, later = 0) =>
  generateHOTP(base32.decode(secret), Math.floor(Date.now() / 30_000) + later)

describeWith('chromium')('an owner in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  }, 90_000)
  afterAll(() => browser?.close())

  const inContext = async (
    options: Parameters<Browser['newContext']>[0],
    work: (page: Page, context: BrowserContext) => Promise<void>,
  ) => {
    const context = await browser.newContext(options)
    try {
      await work(await context.newPage(), context)
    } finally {
      await context.close()
    }
  }
  const at = (page: Page) => splitAddress(new URL(page.url()).pathname).path

  test('gets in by the link of the first start, chooses a password, and signs in with it and a code: without a script', async () => {
    await using product = await startProduct({ env })
    await inContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } }, async (page) => {
      await page.goto(product.facts.owner_link)
      await press(page, 'Continue')
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('New password').fill(password)
      await page.getByLabel('Confirm password').fill(password)
      await press(page, 'Save and sign in')
      expect(at(page)).toBe('/app/start')

      await signOut(page)
      expect(await page.getByRole('status').textContent()).toBe('You are signed out.')
      await page.goto(`${product.facts.api_url}/app/account`)
      expect(at(page)).toBe('/app/sign-in')
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password').fill(password)
      await press(page, 'Sign in')
      expect(at(page)).toBe('/app/account')

      await follow(page, 'Set up two-step sign-in')
      expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
      const secret = (await page.getByLabel('Or type this into the app').inputValue()).replaceAll(' ', '')
      await page.getByRole('textbox', { name: 'Code' }).fill(await codeOf(secret))
      await press(page, 'Turn it on')
      const [recovery = ''] = await page.locator('.codes code').allInnerTexts()

      await signOut(page)
      for (const [way, code] of [
        ['an app', await codeOf(secret, 1)],
        ['paper', recovery],
      ]) {
        await page.getByLabel('E-mail address').fill(email)
        await page.getByLabel('Password').fill(password)
        await press(page, 'Sign in')
        await page.getByRole('textbox', { name: 'Code' }).fill(code ?? '')
        await press(page, 'Continue')
        expect(`${way}: ${at(page)}`).toBe(`${way}: /app/start`)
        await signOut(page)
      }
      for (const secretText of [
        password,
        secret,
        recovery,
        new URL(product.facts.owner_link).search.slice(7),
      ])
        expect(product.output().split('"owner_link"')[1] ?? '').not.toContain(`/${secretText}`)
      const said = product.output().replace(product.facts.owner_link, '')
      expect(said).toContain('/app/sign-in')
      for (const each of [password, secret, recovery, 'rnw_link_', 'rnw_ses_', email])
        expect(said).not.toContain(each)
    })
  }, 90_000)

  test('does the same with the keyboard alone, and sees where the focus is', async () => {
    await using product = await startProduct({ env })
    await inContext({}, async (page) => {
      const tabTo = async (name: string) => {
        for (let n = 0; n < 40; n++) {
          await page.keyboard.press('Tab')
          const there = (await page.evaluate(
            `(() => { const e = document.activeElement; const s = getComputedStyle(e)
              return [e.labels?.[0]?.textContent ?? e.textContent, s.outlineStyle, s.outlineWidth] })()`,
          )) as [string, string, string]
          if (there[0].trim() !== name) continue
          expect(there.slice(1)).toEqual(['solid', '2px'])
          return
        }
        throw new Error(`no way to ${name} by Tab`)
      }
      // A page that is just being painted may swallow keys.
      const type = async (text: string) => {
        const field = page.locator('input:focus')
        await field.waitFor()
        await waitFor(
          async () => {
            await page.keyboard.press('Control+A')
            await page.keyboard.type(text)
            return (await field.inputValue()) === text
          },
          { what: 'what was typed to stand in the field' },
        )
      }
      await page.goto(product.facts.owner_link)
      await tabTo('Continue')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/welcome')
      await page.locator('input:focus').waitFor()
      await page.keyboard.press('Enter')
      await page.locator('[aria-invalid="true"]').first().waitFor()
      expect(await faultsOf(page, 'welcome with faults')).toEqual([])
      await type(email)
      await tabTo('New password')
      await type(password)
      await tabTo('Confirm password')
      await type(password)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/start')
      await tabTo(`${email}: account and theme`)
      await page.keyboard.press('Enter')
      await tabTo('Sign out')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/sign-in?out=1')
      await page.locator('input[type=email]:focus').waitFor()
      await type(email)
      await page.keyboard.press('Tab')
      await page.locator('input[type=password]:focus').waitFor()
      await type('not this one, no')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await page.locator('input[type=password]:focus').waitFor()
      await type(password)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/start')
    })
  }, 90_000)

  // The quick run looks at them where they are compared with their pictures.
  testWith('a long run')(
    'finds every page readable by machine and eye, on a phone and a desk, in light and dark',
    async () => {
      const found: string[] = []
      const look = async (page: Page, name: string) => void found.push(...(await faultsOf(page, name)))
      await using product = await startProduct({ env })
      await inContext({}, async (page) => {
        const { api_url } = product.facts
        const open = async (path: string) => {
          await page.goto(`${api_url}${path}`)
          await look(page, path)
        }
        await page.goto(product.facts.owner_link)
        await look(page, 'link')
        await press(page, 'Continue')
        await press(page, 'Save and sign in')
        await look(page, 'welcome with faults')
        await page.getByLabel('E-mail address').fill(email)
        await page.getByLabel('New password').fill(password)
        await page.getByLabel('Confirm password').fill(password)
        await press(page, 'Save and sign in')
        for (const path of [
          '/app/start',
          '/app/start/take',
          '/app/account',
          '/app/account/two-step',
          '/app/locations',
          '/app/workspace',
          '/app/design',
          '/app/confirm',
          '/app/nowhere',
          '/app/link',
        ])
          await open(path)
        await signOut(page)
        await page.getByLabel('Password').fill('wrong')
        await press(page, 'Sign in')
        await look(page, 'sign-in with a fault')
      })
      expect(found).toEqual([])
    },
    120_000,
  )
})

const uri = mongoUri()
const secretsKey = `k1:${Buffer.alloc(32, 7).toString('base64url')}`
const stores = {
  SQLite: {},
  MongoDB: { MONGODB_URI: uri ?? '', SECRETS_KEY: secretsKey },
}

describeStores<Record<string, string>>(stores, 'on %s', (_, store) => {
  test('failures and sessions are remembered across a restart', async () => {
    const settings = { ...env, PORT: String(await freePort()), ...store }
    const first = await startProduct({ env: settings })
    const visitor = () => createVisitor((request) => fetch(request), first.facts.api_url)
    const signIn = async (typed: string) => {
      const who = visitor()
      await who.open('/app/sign-in')
      return who.submit('/app/sign-in', { email, password: typed })
    }
    const owner = visitor()
    const { pathname, search } = new URL(first.facts.owner_link)
    await owner.open(`${pathname}${search}`)
    await owner.submit('/app/link')
    expect((await owner.submit('/app/welcome', { email, password, again: password })).path).toBe('/app/start')
    for (let n = 1; n <= 5; n++) expect((await signIn(`guess number ${n}`)).status).toBe(422)
    expect((await signIn(password)).status).toBe(429)
    expect(await first.stop()).toBe(0)

    const second = await startProduct({ env: settings, dataDir: first.dataDir })
    try {
      const refused = await signIn(password)
      const waited = Number(refused.headers.get('retry-after'))
      // Whoever starts this slowly has waited the time out, and is let in as is right.
      expect(refused.status === 429 ? waited > 0 && waited <= 15 : refused.path === '/app/start').toBe(true)
      expect((await owner.open('/app/account')).path).toBe('/app/account')
      await owner.submit('/app/sign-out')
      await owner.open('/app/sign-in')
      expect((await owner.submit('/app/sign-in', { email, password })).path).toBe('/app/start')
    } finally {
      await second[Symbol.asyncDispose]()
      await first[Symbol.asyncDispose]()
    }
  }, 120_000)
})
