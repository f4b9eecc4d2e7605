import { afterAll, beforeAll, expect } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { definePlugin } from '../../core/doors/front'
import { inboxEntry } from '../../core/doors/pages'
import { inbox } from '../../core/product/inbox-plugin'
import { User } from '../../core/tenancy/User'
import { startChromium } from '../support/chromium'
import { type Gate, startGate } from '../support/harness'
import { testWith } from '../support/needs'
import { press } from '../support/press'
import { signedIn } from '../support/signed-in'

/** The keys of the inbox in a browser: they move, mark, snooze and act, and help lists them. */
const acted: string[] = []
const plugin = definePlugin({
  name: 'letters',
  renown: '^1.0.0',
  provides: [
    inboxEntry.with({
      name: 'letters',
      title: 'Letters',
      order: 10,
      list: async () =>
        ['a', 'b', 'c'].map((id, place) => ({
          id,
          state: 'one',
          title: `Letter ${id}`,
          word: 'Waiting',
          tone: 'warn' as const,
          at: `2026-03-0${9 - place}T10:00:00.000Z`,
        })),
      action: { label: async () => 'Post letter', run: async (_, { id }) => void acted.push(id) },
    }),
  ],
})
let gate: Gate
let server: Bun.Server<undefined>
let browser: Browser
let page: Page
beforeAll(async () => {
  gate = await startGate({ plugins: [plugin, inbox] })
  server = Bun.serve({ port: 0, fetch: (request) => gate.gateway.fetch(request, () => '127.0.0.1') })
}, 90_000)
afterAll(async () => {
  await browser?.close()
  await server.stop(true)
  await gate.stop()
})

testWith('chromium')(
  'j, k, r, e, s and ? work in the inbox once they are switched on',
  async () => {
    const origin = `http://localhost:${server.port}`
    const { cookie, userId } = await signedIn(gate, { origin })
    await gate.owner.rows(User).update(userId, { shortcuts_on: true })
    browser = await startChromium()
    const context = await browser.newContext()
    const at = cookie.indexOf('=')
    await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: origin }])
    page = await context.newPage()
    let loads = 0
    page.on('load', () => loads++)
    const focused = () => page.evaluate('document.activeElement.textContent')
    const titles = () => page.locator('[data-list] .what').allTextContents()
    await page.goto(`${origin}/app/inbox`)
    await page.keyboard.press('j')
    expect(await focused()).toContain('Letter a')
    await page.keyboard.press('j')
    expect(await focused()).toContain('Letter b')
    await page.keyboard.press('k')
    expect(await focused()).toContain('Letter a')
    await page.keyboard.press('?')
    await page.locator('dialog[open]').getByText('Snooze until tomorrow').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.waitForURL(/entry=letters/)
    await page.keyboard.press('r')
    await page.waitForURL(/done=started/)
    expect(acted).toEqual(['a'])
    await page.goto(`${origin}/app/inbox?entry=letters~a`)
    await page.keyboard.press('e')
    await page.waitForURL(/done=finished/)
    expect(await titles()).toEqual(['Letter b', 'Letter c'])
    await page.keyboard.press('s')
    await page.waitForURL(/done=snoozed/)
    expect(await titles()).toEqual(['Letter c'])
    await press(page, 'Undo')
    await page.waitForURL(/done=restored/)
    expect(await titles()).toEqual(['Letter b', 'Letter c'])
    // Only the two addresses that were entered load a page.
    expect(loads).toBe(2)
  },
  90_000,
)
