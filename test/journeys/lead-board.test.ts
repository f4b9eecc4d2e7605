import { afterAll, beforeAll, expect } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import type { Stage } from '../../plugins/leads/records/stage-names'
import { type BoardWorld, boardWorld } from '../plugins/leads/support/board-world'
import { startChromium } from '../support/chromium'
import { testWith } from '../support/needs'
import { press } from '../support/press'
import { signedIn } from '../support/signed-in'

/** The board of leads in a browser: cards move by drag and by arrow keys, with one Undo. */
let world: BoardWorld
let server: Bun.Server<undefined>
let browser: Browser
let page: Page
beforeAll(async () => {
  world = await boardWorld()
  server = Bun.serve({ port: 0, fetch: (request) => world.gate.gateway.fetch(request, () => '127.0.0.1') })
}, 90_000)
afterAll(async () => {
  await browser?.close()
  await server.stop(true)
  await world.gate.stop()
})

testWith('chromium')(
  'cards of the board move by drag and by arrow keys, and say why they do not',
  async () => {
    const origin = `http://localhost:${server.port}`
    const { cookie } = await signedIn(world.gate, { origin, email: 'board@example.com' })
    const { id } = await world.lead({}, { author: { handle: 'Ann' } })
    await world.lead({ stage: 'won' }, { author: { handle: 'Bea' } })
    browser = await startChromium()
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const at = cookie.indexOf('=')
    await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: origin }])
    page = await context.newPage()
    const stage = async () => (await world.rowOf(id))?.stage
    const card = page.locator('[data-card]', { hasText: 'Ann' })
    const drag = (to: Stage) =>
      card.dragTo(page.locator(`[data-column=${to}]`), { targetPosition: { x: 40, y: 60 } })
    const open = () => page.goto(`${origin}/app/leads`)

    await open()
    await card.locator('a').focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('1 lead moved to Contacted.', { exact: true }).waitFor()
    expect(await stage()).toBe('contacted')
    // The card keeps the focus, so that the next key moves it on.
    await page.keyboard.press('ArrowLeft')
    await page.getByText('1 lead moved to New.', { exact: true }).waitFor()
    await press(page, 'Undo')
    await page.getByText('Undone for 1 lead.').waitFor()
    expect(await stage()).toBe('contacted')

    await open()
    await drag('qualified')
    await page.getByText('1 lead moved to Qualified.', { exact: true }).waitFor()
    expect(await stage()).toBe('qualified')

    // A box that was ticked before does not move with the card.
    await open()
    await page.locator('[data-card]', { hasText: 'Bea' }).locator('input').check()
    await drag('new')
    await page.getByText('not to New').waitFor()
    expect(await stage()).toBe('qualified')

    await open()
    await drag('lost')
    await page.waitForURL(/lead=.*#lost/)
    await page.getByLabel('Why was it lost?').waitFor()
  },
  90_000,
)
