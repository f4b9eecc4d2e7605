import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { User } from '../../core/tenancy/User'
import { builtin } from '../../plugins'
import { BrandTracker } from '../../plugins/leads/records/BrandTracker'
import { Mention } from '../../plugins/leads/records/Mention'
import { Review } from '../../plugins/reviews/records/Review'
import { ReviewReply } from '../../plugins/reviews/records/ReviewReply'
import { startChromium } from '../support/chromium'
import { type Gate, startGate } from '../support/harness'
import { describeWith } from '../support/needs'
import { jobs } from '../support/platforms'
import { clickAndStay } from '../support/press'
import { signedIn } from '../support/signed-in'

/** A browser that shows lists: what is opened next to a list never loads the page again, and loses no text. */
describeWith('chromium')('A list with a row next to it, in Chromium', () => {
  let gate: Gate
  let browser: Browser
  let context: BrowserContext
  let origin = ''
  const nameOf = (n: number) => `Guest ${String(n).padStart(2, '0')}`
  const wide = { width: 1280, height: 800 }
  const phone = { width: 390, height: 844 }

  beforeAll(async () => {
    gate = await startGate({ plugins: [...builtin, jobs] })
    origin = `http://localhost:${gate.listen().port}`
    const { cookie, userId } = await signedIn(gate, { origin })
    await gate.owner.rows(User).update(userId, { shortcuts_on: true })
    const [name = '', value = ''] = cookie.split('=')
    const { id: location_id } = await gate.put(BusinessLocation, {
      business_name: 'Bakery',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      added_via: 'gbp_oauth',
      google_account_id: 'accounts/1',
      google_location_id: 'locations/2',
    })
    for (let n = 0; n < 30; n++)
      await gate.put(Review, {
        location_id,
        source: 'google',
        source_id: `g${n}`,
        star_rating: (n % 5) + 1,
        review_text: `Visit number ${n}. ${'We waited long and the soup was cold. '.repeat(n % 3 === 0 ? 40 : 2)}`,
        reviewer_name: nameOf(n),
        is_read: false,
        needs_response: true,
        review_created_at: new Date(gate.owner.now().getTime() - n * 60_000).toISOString(),
      })
    browser = await startChromium()
    context = await browser.newContext({ viewport: wide })
    await context.addCookies([{ name, value, url: origin }])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await gate?.stop()
  })

  const rowOf = (page: Page, name: string) => page.locator('[data-list] a', { hasText: name })
  const shownName = (page: Page, name: string) =>
    page.locator('.detail h2', { hasText: name }).first().waitFor()
  const reply = (page: Page) => page.getByLabel('Your reply')
  const scrolled = (page: Page) =>
    page.evaluate('[scrollY, document.querySelector(".list-side")?.scrollTop ?? 0].join()')

  test('answers 20 reviews with 21 clicks and keys, one page load and a list that never moves', async () => {
    const page = await context.newPage()
    let loads = 0
    page.on('load', () => loads++)
    await page.goto(`${origin}/app/reviews?needs=1`)
    expect(loads).toBe(1)
    const before = await scrolled(page)
    let acts = 1
    await rowOf(page, 'Guest 00').click()
    await shownName(page, 'Guest 00')
    await reply(page).focus()
    for (let n = 0; n < 20; n++) {
      await shownName(page, nameOf(n))
      await page.waitForFunction('document.activeElement?.tagName === "TEXTAREA"')
      await page.keyboard.type(`Dear guest ${n}.`)
      await page.keyboard.press('Control+Enter')
      acts++
      expect(await scrolled(page)).toBe(before)
    }
    await shownName(page, 'Guest 20')
    expect([acts <= 25, loads, await scrolled(page)]).toEqual([true, 1, before])
    const sent = await gate.owner.rows(ReviewReply).list({ limit: 100 })
    expect(sent.map(({ text }) => text).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, n) => `Dear guest ${n}.`).toSorted(),
    )
    // What is answered leaves the list, and Undo brings it back.
    expect(await rowOf(page, 'Guest 19').count()).toBe(0)
    await clickAndStay(page, 'button', /^Undo/)
    await rowOf(page, 'Guest 19').waitFor()
    expect(loads).toBe(1)
    await page.close()
  }, 120_000)

  test.each([
    ['a desktop', wide],
    ['a phone', phone],
  ])(
    'shows the reply and its button on the first screen of %s',
    async (_, size) => {
      const page = await context.newPage()
      await page.setViewportSize(size)
      await page.goto(`${origin}/app/reviews`)
      await rowOf(page, 'Guest 21').click()
      await shownName(page, 'Guest 21')
      const bottom = await page
        .getByRole('button', { name: 'Send reply' })
        .evaluate(
          (button: { getBoundingClientRect(): { bottom: number } }) => button.getBoundingClientRect().bottom,
        )
      const bar = size === phone ? 58 : 0
      expect(bottom).toBeLessThanOrEqual(size.height - bar)
      expect(await page.evaluate('scrollY')).toBe(0)
      await page.close()
    },
    90_000,
  )

  test('changes the address, goes back and forward, and gives the focus to the row', async () => {
    const page = await context.newPage()
    let loads = 0
    page.on('load', () => loads++)
    await page.goto(`${origin}/app/reviews`)
    await rowOf(page, 'Guest 22').click()
    await shownName(page, 'Guest 22')
    const first = page.url()
    expect(first).toContain('review=')
    expect(await page.evaluate('document.activeElement.className')).toBe('detail')
    await page.keyboard.press('j')
    await shownName(page, 'Guest 23')
    expect(page.url()).not.toBe(first)
    expect(await page.locator('[data-list] a[aria-current]').textContent()).toContain('Guest 23')
    await page.keyboard.press('k')
    await shownName(page, 'Guest 22')
    await page.goBack()
    await shownName(page, 'Guest 23')
    await page.goForward()
    await shownName(page, 'Guest 22')
    await page.keyboard.press('r')
    expect(await page.evaluate('document.activeElement.id')).toBe('reply')
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    await shownName(page, 'Guest 23')
    expect(loads).toBe(1)
    await page.close()
  }, 90_000)

  test('keeps a typed text over another row, a reload, a refusal and the end of the session', async () => {
    const page = await context.newPage()
    await page.goto(`${origin}/app/reviews`)
    await rowOf(page, 'Guest 24').click()
    await shownName(page, 'Guest 24')
    await reply(page).fill('Dear guest, half a sentence')
    await page.getByLabel('Internal note').fill('Call them')
    await rowOf(page, 'Guest 25').click()
    await shownName(page, 'Guest 25')
    expect(await reply(page).inputValue()).toBe('')
    await rowOf(page, 'Guest 24').click()
    await shownName(page, 'Guest 24')
    const kept = async () => [
      await reply(page).inputValue(),
      await page.getByLabel('Internal note').inputValue(),
    ]
    expect(await kept()).toEqual(['Dear guest, half a sentence', 'Call them'])
    await page.reload()
    expect(await kept()).toEqual(['Dear guest, half a sentence', 'Call them'])
    const long = 'x'.repeat(4_001)
    await reply(page).fill(long)
    await reply(page).press('Control+Enter')
    await page.getByText(/at most 4000 characters/i).waitFor()
    expect(await kept()).toEqual([long, 'Call them'])
    const address = page.url()
    await reply(page).fill('Dear guest')
    const cookies = await context.cookies()
    await context.clearCookies()
    await reply(page).press('Control+Enter')
    await page.waitForURL(/sign-in/)
    await context.addCookies(cookies)
    await page.goto(address)
    expect(await kept()).toEqual(['Dear guest', 'Call them'])
    await clickAndStay(page, 'button', 'Save note')
    await page.locator('.toast', { hasText: 'Note saved.' }).waitFor()
    await page.reload()
    expect(await kept()).toEqual(['Dear guest', 'Call them'])
    await reply(page).press('Control+Enter')
    await shownName(page, 'Guest 25')
    await page.goto(address)
    await page.getByText('Sending the reply').waitFor()
    expect(
      await page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("renown.typed")).length'),
    ).toBe(0)
    await page.close()
  }, 90_000)

  test('marks several reviews as read with one Undo, and the list stays', async () => {
    const page = await context.newPage()
    let loads = 0
    page.on('load', () => loads++)
    await page.goto(`${origin}/app/reviews?state=unread`)
    for (const name of ['Guest 26', 'Guest 27'])
      await page.locator('[data-list] li', { hasText: name }).getByRole('checkbox').check()
    await clickAndStay(page, 'button', 'Mark as read')
    await page.locator('.toast', { hasText: '2 reviews marked as read.' }).waitFor()
    expect(await rowOf(page, 'Guest 26').count()).toBe(0)
    await clickAndStay(page, 'button', /^Undo/)
    await rowOf(page, 'Guest 27').waitFor()
    expect(loads).toBe(1)
    await page.close()
  }, 90_000)

  test('saves a mention and opens the next one, keeps a typed reply, and loads no page', async () => {
    const { id: location_id } = (await gate.owner.rows(BusinessLocation).list({ limit: 1 }))[0] ?? { id: '' }
    const { id: tracker_id } = await gate.put(BrandTracker, {
      location_id,
      name: 'Bakery',
      keywords: ['bakery'],
      required_keywords: [],
      excluded_keywords: [],
      sources: [],
      languages: [],
      countries: [],
      is_active: true,
      mentions_total: 0,
    })
    for (const [n, handle] of ['ada', 'bea', 'cleo'].entries())
      await gate.put(Mention, {
        location_id,
        tracker_id,
        source: 'forum',
        source_id: `m${n}`,
        url: `https://forum.example/${n}`,
        body: 'A good bakery',
        excerpt: 'A good bakery',
        language: 'en',
        author: { handle },
        posted_at: new Date(gate.owner.now().getTime() - n * 60_000).toISOString(),
        relevance: 'relevant',
        status: 'new',
        is_read: false,
        is_lead: false,
        is_archived: false,
        matched_keywords: [],
        tags: [],
        discovered_at: gate.owner.now().toISOString(),
      })
    const page = await context.newPage()
    let loads = 0
    page.on('load', () => loads++)
    await page.goto(`${origin}/app/mentions`)
    await rowOf(page, 'bea').click()
    await shownName(page, 'bea')
    await reply(page).fill('Thank you, Bea')
    await rowOf(page, 'ada').click()
    await shownName(page, 'ada')
    await page.keyboard.press('s')
    await shownName(page, 'bea')
    expect(await reply(page).inputValue()).toBe('Thank you, Bea')
    expect(await rowOf(page, 'ada').count()).toBe(0)
    await clickAndStay(page, 'button', /^Undo/)
    await rowOf(page, 'ada').waitFor()
    expect(loads).toBe(1)
    await page.close()
  }, 90_000)
})
