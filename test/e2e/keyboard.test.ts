import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { splitAddress } from '../../core/kit/page-addresses'
import { inbox } from '../../core/product/inbox-plugin'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { User } from '../../core/tenancy/User'
import type { Route as Declared } from '../../core/web/framework/route'
import { builtin } from '../../plugins'
import { Review } from '../../plugins/reviews/records/Review'
import { startChromium } from '../support/chromium'
import { type Gate, startGate } from '../support/harness'
import { walkWithTab } from '../support/keyboard-walk'
import { describeWith } from '../support/needs'
import { jobs } from '../support/platforms'
import { navigateBy } from '../support/press'
import { signedIn } from '../support/signed-in'

/** Every page by the keyboard alone, and axe on what only a key or a fault shows: dialogs, open menus, refused forms. */
const gate: Gate = await startGate({ plugins: [inbox, ...builtin, jobs] })
const isWalked = ({ method, path, auth }: Declared) =>
  method === 'GET' && auth !== 'none' && !/^\/app\/(data|events)\/|^\/oauth\/|\/callback$/.test(path)
const paths = gate.gateway.pages.filter(isWalked).map(({ path }) => path)

describeWith('chromium')('by the keyboard', () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let origin = ''
  let userId = ''
  let locationId = ''

  beforeAll(async () => {
    origin = `http://localhost:${gate.listen().port}`
    const person = await signedIn(gate, { origin })
    userId = person.userId
    await gate.owner.rows(User).update(userId, { shortcuts_on: true })
    const location = await gate.put(BusinessLocation, {
      business_name: 'Bakery',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      added_via: 'gbp_oauth',
      google_account_id: 'accounts/1',
      google_location_id: 'locations/2',
    })
    locationId = location.id
    for (let n = 0; n < 4; n++)
      await gate.put(Review, {
        location_id: location.id,
        source: 'google',
        source_id: `g${n}`,
        star_rating: n + 1,
        review_text: `Visit number ${n}.`,
        reviewer_name: `Guest ${n}`,
        needs_response: true,
        review_created_at: new Date(gate.owner.now().getTime() - n * 60_000).toISOString(),
      })
    browser = await startChromium()
    context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } })
    const at = person.cookie.indexOf('=')
    await context.addCookies([
      { name: person.cookie.slice(0, at), value: person.cookie.slice(at + 1), url: origin },
    ])
    page = await context.newPage()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await gate.stop()
  })

  /** The query of pages about one thing. */
  const queryOf = (path: string) =>
    path.startsWith('/app/clients/')
      ? `?of=${gate.tenant.otherWorkspaceId}`
      : path.startsWith('/app/members/')
        ? `?person=${userId}`
        : path.startsWith('/app/locations/')
          ? `?location=${locationId}&workspace=${gate.tenant.workspaceId}&to=rest`
          : path.startsWith('/app/workspace-data/')
            ? `?of=${gate.tenant.otherWorkspaceId}`
            : ''
  const open = (path: string) => page.goto(`${origin}${path}${queryOf(path)}`)
  const axe = async (): Promise<string[]> => {
    if (await page.evaluate("typeof axe === 'undefined'"))
      await page.evaluate(await Bun.file(require.resolve('axe-core/axe.min.js')).text())
    return (await page.evaluate(
      `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations'], preload: false }).then(({ violations }) => violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120) + ' ' + n.failureSummary).join(' | ')))`,
    )) as string[]
  }
  const focused = async (selector: string) =>
    Boolean(await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`))

  test.each(paths)(
    '%s: Tab stops at each control in order, shows where it is, and leaves the page',
    async (path) => {
      await open(path)
      const { faults, stops } = await walkWithTab(page)
      expect(faults).toEqual([])
      expect(stops).toBeGreaterThan(5)
    },
    60_000,
  )

  test('the skip link leads behind the navigation', async () => {
    await open('/app/reviews')
    await page.keyboard.press('Tab')
    expect(await focused('.skip')).toBe(true)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused('main *')).toBe(true)
  })

  test('menus and the sheet of phones open with Enter and close with Escape, where the focus stays', async () => {
    await open('/app/reviews')
    const looks = [
      [1280, 'light'],
      [390, 'dark'],
      ...(process.env.RENOWN_LONG === '1'
        ? ([
            [1280, 'dark'],
            [390, 'light'],
          ] as const)
        : []),
    ] as const
    for (const [width, colorScheme] of looks) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      const menus = page.locator('details[data-menu] > summary:visible')
      expect(await menus.count()).toBeGreaterThan(1)
      for (const summary of await menus.all()) {
        await summary.focus()
        await page.keyboard.press('Enter')
        await page.locator('details[data-menu][open]').waitFor()
        expect({ width, colorScheme, found: await axe() }).toEqual({ width, colorScheme, found: [] })
        await page.keyboard.press('Tab')
        expect(await focused('details[data-menu][open] *')).toBe(true)
        await page.keyboard.press('Escape')
        expect(await page.locator('details[data-menu][open]').count()).toBe(0)
        expect(await focused('summary')).toBe(true)
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  }, 60_000)

  test('? opens the keys of the page, Escape closes them, and the focus is where it was', async () => {
    for (const path of ['/app/inbox', '/app/reviews']) {
      await open(path)
      await page.keyboard.press('Tab')
      await page.keyboard.press('?')
      await page.locator('dialog[open]').waitFor()
      expect(await focused('dialog *')).toBe(true)
      expect(await axe()).toEqual([])
      await page.keyboard.press('Escape')
      expect(await page.locator('dialog[open]').count()).toBe(0)
      expect(await focused('.skip')).toBe(true)
    }
  }, 60_000)

  test('a refused form names its fault to everybody, and a reload sends nothing again', async () => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest())
        sent.push(`${request.method()} ${splitAddress(new URL(request.url()).pathname).path}`)
    })
    const rows = async () => (await gate.owner.rows(User).list({ limit: 100 })).length
    const before = await rows()
    for (const [path, form, field] of [
      ['/app/members', 'Create link', 'Name'],
      [`/app/clients/one`, 'Rename', 'Name'],
      ['/app/reviews?rating=2', 'Send reply', 'Your reply'],
    ] as const) {
      await open(path)
      if (path.startsWith('/app/reviews')) {
        await page.locator('ul[aria-label="Reviews"] a').first().click()
        await page.getByRole('button', { name: form }).waitFor()
      }
      const address = page.url()
      // Only marks that nobody can see: the browser lets it pass, the server does not.
      await page.getByLabel(field, { exact: true }).first().fill('\u200b')
      const button = page.getByRole('button', { name: form }).first()
      // Next to a list, the answer takes the place of the detail, and no page is loaded.
      if (path.startsWith('/app/reviews')) await button.click()
      else await navigateBy(button)
      await page.locator('[aria-invalid=true], [role=alert]').first().waitFor()
      expect(await axe()).toEqual([])
      expect(page.url()).toBe(address)
      sent.length = 0
      await page.reload()
      expect(sent.map((each) => each.split(' ')[0])).toEqual(['GET'])
      expect(page.url()).toBe(address)
      expect(await page.locator('[aria-invalid=true], [role=alert]').count()).toBe(0)
    }
    expect(await rows()).toBe(before)
  }, 60_000)
})
