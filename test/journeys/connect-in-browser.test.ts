import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startChromium } from '../support/chromium'
import { describeWith } from '../support/needs'
import { ownerEmail, ownerPassword } from '../support/person'
import { follow, navigateBy, press } from '../support/press'
import { type RunningProduct, startProduct } from '../support/product'
import { signInByLink } from '../support/sign-in-by-link'
import { accountMenu, signOut } from '../support/sign-out'
import {
  type App,
  callWith,
  challengeOf,
  errorOf,
  exchange,
  questionOf,
  refresh,
  registerApp,
} from '../support/strict-app'

const browsers = [
  ['a phone that runs no script', { javaScriptEnabled: false, viewport: { width: 390, height: 844 } }],
  ['a desk', { viewport: { width: 1280, height: 900 } }],
] as const

describeWith('chromium')('a person connects an app and takes it away again, in a real browser,', () => {
  let browser: Browser
  let product: RunningProduct
  /** The app on the person's machine: it waits where the browser is sent. */
  let waiting: Bun.Server<undefined>
  let answers: URL[]
  beforeAll(async () => {
    ;[browser, product] = await Promise.all([
      startChromium(),
      startProduct({ env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' } }),
    ])
    answers = []
    waiting = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        if (new URL(request.url).pathname === '/callback') answers.push(new URL(request.url))
        return new Response('You can close this window.')
      },
    })
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await waiting?.stop(true)
    await product?.[Symbol.asyncDispose]()
  })

  test.each([...browsers])(
    'at %s',
    async (_, options) => {
      const context = await browser.newContext(options)
      const { page, faults } = await watched(context)
      await choosePassword(page)
      await signOut(page)

      const redirectUri = `http://127.0.0.1:${waiting.port}/callback`
      const app = await registerApp(product.facts.api_url, 'none', redirectUri)
      const question = await questionOf(app)
      await page.goto(question.url.href)
      await page.getByLabel('E-mail address').fill(ownerEmail)
      await page.getByLabel('Password').fill(ownerPassword)
      await press(page, 'Sign in')

      await page.getByRole('heading', { name: 'Connect An app of the tests?' }).waitFor()
      const asked = await page.locator('main').textContent()
      expect(asked).toContain(`127.0.0.1`)
      await press(page, 'Allow', { exact: true })
      await page.getByText('You can close this window.').waitFor()
      const answer = answers.at(-1) as URL
      expect(answer.searchParams.get('iss')).toBe(product.facts.api_url)

      const tokens = await exchange(app, answer, question)
      const call = () => callWith(tokens.access_token, app.resource, 'list_records', { entity: 'Workspace' })
      expect(JSON.stringify((await call()).result)).toContain(product.facts.workspace_id)

      await disconnect(page, app)
      expect(await challengeOf(call())).toMatchObject({ status: 401, error: 'invalid_token' })
      expect(await errorOf(refresh(app, tokens.refresh_token ?? ''))).toBe('invalid_grant')
      expect(faults).toEqual([])
      await context.close()
    },
    90_000,
  )

  /** What a browser complains of, such as a page that breaks its own policy. */
  async function watched(context: BrowserContext) {
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    return { page, faults }
  }

  /** By a one-time link: the first start's, and after that another. */
  async function choosePassword(page: Page) {
    const { stdout } = await product.renown('owner', 'link', 'create', '--json')
    await signInByLink(page, JSON.parse(stdout).owner_link)
    await accountMenu(page).waitFor()
  }

  async function disconnect(page: Page, app: App) {
    await page.goto(`${product.facts.api_url}/app`)
    const settings = page.getByRole('link', { name: 'Settings', exact: true })
    // On phones it is in the sheet of the bottom bar.
    if (!(await settings.isVisible())) await accountMenu(page).click()
    await navigateBy(settings)
    await follow(page, 'Apps', { exact: true })
    const shown = await page.locator('main').textContent()
    expect(shown).toContain('An app of the tests')
    expect(shown).toContain(new URL(app.redirectUri).hostname)
    await navigateBy(page.getByRole('button', { name: /^Disconnect/ }).first())
  }
})
