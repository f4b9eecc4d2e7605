import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { splitAddress } from '../../core/kit/page-addresses'
import { User } from '../../core/tenancy/User'
import { startChromium } from '../support/chromium'
import { type Gate, startGate } from '../support/harness'
import { describeWith } from '../support/needs'
import { Note } from '../support/notes-plugin'
import { counterPage, greetedPage, withPages } from '../support/pages'
import { clickAndStay, follow, press } from '../support/press'
import { signedIn } from '../support/signed-in'

interface Tab {
  readonly tab: Page
  readonly asked: ReadonlySet<string>
  readonly workspace: string
}

describeWith('chromium')('a page in Chromium', () => {
  let gate: Gate
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let origin: string
  let userId: string
  const said: string[] = []

  beforeAll(async () => {
    gate = await startGate({ plugins: [withPages(counterPage, greetedPage)] })
    origin = `http://localhost:${gate.listen().port}`
    const person = await signedIn(gate, { origin })
    const { cookie } = person
    userId = person.userId
    const [name = '', value = ''] = cookie.split('=')
    for (const [title, stage] of [
      ['first', 'new'],
      ['finished', 'done'],
      ['<img src=x onerror=alert(1)>', 'new'],
    ] as const)
      await gate.put(Note, { title, stage, secret: 's', is_archived: false })
    browser = await startChromium()
    context = await browser.newContext()
    await context.addCookies([{ name, value, url: origin }])
    page = await context.newPage()
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await gate?.stop()
  })
  const path = () => {
    const { pathname, search } = new URL(page.url())
    return `${splitAddress(pathname).path}${search}`
  }

  test('is taken over by its own component, which then lives', async () => {
    await page.goto(`${origin}/app/counter`)
    await page.locator('li', { hasText: 'first' }).waitFor()
    await clickAndStay(page, 'button', 'Clicked 0')
    await page.getByRole('button', { name: 'Clicked 1' }).waitFor()
    await page.locator('#news', { hasText: /live [1-9]/ }).waitFor()
    expect(await page.locator('li img').count()).toBe(0)
  })

  test('changes to another query without loading anew, and back', async () => {
    await clickAndStay(page, 'link', 'Done')
    await page.locator('li', { hasText: 'finished' }).waitFor()
    expect(path()).toBe('/app/counter?stage=done')
    await page.getByRole('button', { name: 'Clicked 1' }).waitFor()
    await page.goBack()
    await page.locator('li', { hasText: 'first' }).waitFor()
    await page.getByRole('button', { name: 'Clicked 1' }).waitFor()
    expect(await page.locator('li', { hasText: 'finished' }).count()).toBe(0)
  })

  test('sends its forms, and comes back as it was', async () => {
    await page.getByLabel('Title').fill('typed by hand')
    await press(page, 'Add')
    await page.locator('li', { hasText: 'typed by hand' }).waitFor()
    await page.getByLabel('Title').fill('x')
    await press(page, 'Add')
    await page.getByText('At least two letters.').waitFor()
    expect(await page.getByLabel('Title').inputValue()).toBe('x')
  })

  test('changes the workspace by the switcher, with the keyboard alone', async () => {
    await page.goto(`${origin}/app/counter`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sec')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('0 notes in Second').waitFor()
  })

  test('closes a menu with Escape, and gives the focus back', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    expect(await page.locator('details.place[open]').count()).toBe(0)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY')
  })

  test('shows its keys on ?, once the person has switched them on', async () => {
    await page.locator('body').click({ position: { x: 700, y: 700 } })
    await page.keyboard.press('?')
    expect(await page.locator('dialog').count()).toBe(0)
    await gate.owner.rows(User).update(userId, { shortcuts_on: true })
    await page.reload()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' })
    await page.getByLabel('Title').fill('')
    await page.getByLabel('Title').press('?')
    expect(await page.getByLabel('Title').inputValue()).toBe('?')
    expect(await page.locator('dialog[open]').count()).toBe(0)
  })

  test('is dark from its first byte on, once the person chose so', async () => {
    await page.locator('.me summary').click()
    await press(page, 'Dark')
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' })
    expect(path()).toBe('/app/counter')
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(15, 17, 19)')
  })

  test('has a bar at the bottom of phones, with a sheet for the rest', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('navigation', { name: 'Main pages' }).getByText('More').click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Pages', exact: true }).isVisible()).toBe(false)
    const top = (await page.getByRole('heading', { level: 1 }).boundingBox())?.y ?? Number.NaN
    expect(top).toBeLessThan(120)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('in two tabs with two clients shows and changes only what its address names', async () => {
    const { workspaceId, otherWorkspaceId } = gate.tenant
    const opened = async (workspace: string): Promise<Tab> => {
      const tab = await context.newPage()
      const asked = new Set<string>()
      tab.on('request', (request) => asked.add(new URL(request.url()).pathname))
      await tab.goto(`${origin}/app/w/${workspace}/counter`)
      return { tab, asked, workspace }
    }
    const one = await opened(workspaceId)
    const two = await opened(otherWorkspaceId)
    // The tab that was opened last is no longer the last one used.
    for (const [n, { tab, workspace }] of [one, two, one].entries()) {
      await tab.bringToFront()
      await tab.getByLabel('Title').fill(`typed ${n}`)
      await press(tab, 'Add')
      await tab.locator('li', { hasText: `typed ${n}` }).waitFor()
      expect(tab.url()).toContain(`/app/w/${workspace}/`)
    }
    await clickAndStay(two.tab, 'link', 'Done')
    await two.tab.waitForURL((url) => url.search === '?stage=done')
    await two.tab.goBack()
    await two.tab.locator('li', { hasText: 'typed 1' }).waitFor()
    for (const { tab, asked, workspace } of [one, two]) {
      await tab.reload()
      const titles = await tab.locator('li', { hasText: /typed \d/ }).allTextContents()
      expect(titles.toSorted()).toEqual(workspace === workspaceId ? ['typed 0', 'typed 2'] : ['typed 1'])
      const elsewhere = [...asked].filter(
        (path) => !/^\/app\/assets\//.test(path) && !path.startsWith(`/app/w/${workspace}/`),
      )
      expect(elsewhere).toEqual([])
      await tab.close()
    }
  }, 40_000)

  test('goes on in the language of the person, with the words that it was sent', async () => {
    await gate.owner.rows(User).update(userId, { language: 'de' })
    await page.goto(`${origin}/app/greeted`)
    const stars = page.locator('#stars')
    expect(await stars.textContent()).toBe('2.000 leuchtende Sterne')
    await clickAndStay(page, 'button', '1')
    await page.locator('#stars', { hasText: '1 leuchtender Stern' }).waitFor()
    expect(await page.locator('#untranslated [lang=en]').textContent()).toBe('Nobody said this in German')
    expect(await page.locator('main time').textContent()).toStartWith('vor 3 Std.')
    await gate.owner.rows(User).update(userId, { language: undefined })
  })

  test('has nothing to complain of', () => {
    // The one form with a mistake in it answers 422, which the console calls a failed resource.
    expect(said.filter((line) => !line.includes('422'))).toEqual([])
  })

  test('says the same without a script', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false })
    await plain.addCookies(await context.cookies())
    const still = await plain.newPage()
    await still.goto(`${origin}/app/w/${gate.tenant.workspaceId}/counter`)
    await follow(still, 'Done')
    expect(await still.locator('li', { hasText: 'finished' }).count()).toBe(1)
    await plain.close()
  })
})
