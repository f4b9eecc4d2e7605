import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { builtin } from '../../plugins'
import { Review } from '../../plugins/reviews/records/Review'
import { ReviewReply } from '../../plugins/reviews/records/ReviewReply'
import { startChromium } from '../support/chromium'
import { type Gate, startGate } from '../support/harness'
import { describeWith } from '../support/needs'
import { jobs } from '../support/platforms'
import { navigateBy, press } from '../support/press'
import { signedIn } from '../support/signed-in'

describeWith('chromium')('An owner in Chromium', () => {
  let gate: Gate
  let browser: Browser
  let context: BrowserContext
  let origin = ''

  beforeAll(async () => {
    gate = await startGate({ plugins: [...builtin, jobs] })
    origin = `http://localhost:${gate.listen().port}`
    const { cookie } = await signedIn(gate, { origin })
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
    for (let n = 0; n < 10; n++)
      await gate.put(Review, {
        location_id,
        source: 'google',
        source_id: `g${n}`,
        star_rating: (n % 5) + 1,
        review_text: `Visit number ${n}.`,
        reviewer_name: `Guest ${n}`,
        needs_response: true,
        review_created_at: new Date(gate.owner.now().getTime() - n * 60_000).toISOString(),
      })
    browser = await startChromium()
    context = await browser.newContext({ javaScriptEnabled: false })
    await context.addCookies([{ name, value, url: origin }])
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await gate?.stop()
  })

  test('answers the three worst reviews, without a script', async () => {
    const page = await context.newPage()
    await page.goto(`${origin}/app/reviews?needs=1&order=worst`)
    const answered: string[] = []
    for (let n = 0; n < 3; n++) {
      const line = page.locator('ul[aria-label="Reviews"] a').first()
      answered.push((await line.locator('.who').textContent()) ?? '')
      await navigateBy(line)
      await page.getByLabel('Your reply').fill(`Dear guest ${n}, we are sorry.`)
      await press(page, 'Send reply')
      await page.locator('.toast', { hasText: 'Reply queued' }).waitFor()
    }
    expect(answered).toEqual(['Guest 0', 'Guest 5', 'Guest 1'])
    const acts = await gate.owner.rows(ReviewReply).list({ limit: 10 })
    expect(acts.map(({ text, state }) => [text, state]).toSorted()).toEqual(
      [0, 1, 2].map((n) => [`Dear guest ${n}, we are sorry.`, 'queued']),
    )
    await page.close()
  }, 90_000)

  test('sees the list and one review on a phone, one after the other', async () => {
    const page = await context.newPage()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${origin}/app/reviews`)
    await navigateBy(page.locator('ul[aria-label="Reviews"] a').first())
    await page.getByRole('link', { name: 'Back to the list' }).waitFor()
    const width = page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
    expect(await width).toBeLessThanOrEqual(390)
    await page.close()
  }, 90_000)
})
