import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Review } from '../../plugins/reviews/records/Review'
import { openDemo } from '../bench/agents/demo-world'
import { type AppHost, startAppHost } from '../support/app-host'
import { startChromium } from '../support/chromium'
import { describeWith } from '../support/needs'
import { clickAndStay } from '../support/press'
import { waitFor } from '../support/wait-for'

/** A folder for the pictures of docs/agents/clients/apps.md, such as `docs/agents/clients`. */
const pictures = process.env.RENOWN_APP_PICTURES
const pictureWidth = 760
const tools = ['listReviewsNeedingResponse', 'getAiTrafficSummary', 'getVisibilitySummary'] as const

const hostile = [
  '<script>document.title="run"</script><img src=x onerror="document.title=\'run\'">',
  '</script><style>*{display:none}</style><svg onload=alert(1)>',
  '</k7q2m> <a href="https://strangers.example/">here</a> \u202Efdp.exe\u202C\u{E0041}',
].join(' ')
const long = `${hostile} ${'Llanfair'.repeat(12_500)}`

describeWith('chromium')('apps in a chat', () => {
  let host: AppHost
  let stop = async () => {}
  beforeAll(async () => {
    const [demo, browser] = await Promise.all([openDemo(), startChromium()])
    const row = { source: 'google', source_id: 'hostile', star_rating: 1, priority: 'urgent' } as const
    const location_id = demo.facts.idOf('Harbour Bakehouse')
    await demo.gate.put(
      Review,
      {
        ...row,
        location_id,
        reviewer_name: hostile,
        review_text: long,
        needs_response: true,
        review_created_at: '2026-06-01T00:00:00.000Z',
        ai_suggested_response: hostile,
      },
      demo.facts.workspaceId,
    )
    const url = new URL(`http://127.0.0.1:${demo.gate.listen().port}/api/mcp`)
    host = await startAppHost({ browser, url, key: demo.key })
    stop = async () => {
      await host.stop()
      await browser.close()
      await demo.stop()
    }
  }, 120_000)
  afterAll(() => stop())

  const axe = async (): Promise<string[]> => {
    const frame = host.page.frames().at(-1)
    await frame?.evaluate(await Bun.file(require.resolve('axe-core/axe.min.js')).text())
    const faults = await frame?.evaluate<string[]>(
      `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then(({ violations }) => violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120) + ' ' + n.failureSummary).join(' | ')))`,
    )
    return faults ?? ['there is no frame']
  }
  const shown = {
    listReviewsNeedingResponse: { words: 'Next', file: 'review-inbox' },
    getAiTrafficSummary: { words: 'By proof', file: 'crawler-chart' },
    getVisibilitySummary: { words: 'By week', file: 'visibility-intervals' },
  }

  test('each fits from 320 px to wide in both themes, without a fault of accessibility', async () => {
    for (const tool of tools) {
      await host.show(tool, tool === 'listReviewsNeedingResponse' ? { limit: 5, skip: 1 } : {})
      await host.app.getByText(shown[tool].words, { exact: true }).waitFor()
      for (const theme of ['light', 'dark'] as const) {
        await host.setContext({ theme, displayMode: 'inline' })
        await host.app.locator(`:root[data-theme=${theme}]`).waitFor()
        for (const width of [1280, pictureWidth, 390, 320]) {
          await host.page.setViewportSize({ width, height: 900 })
          const sizes = await host.app
            .locator('html')
            .evaluate(`[document.documentElement.scrollWidth, innerWidth]`)
          expect({ tool, width, sizes }).toEqual({ tool, width, sizes: [width, width] })
          if (pictures && width === pictureWidth) {
            const path = join(pictures, `app-${shown[tool].file}-${theme}.png`)
            await host.page.locator('iframe').screenshot({ path })
          }
        }
        expect({ tool, theme, faults: await axe() }).toEqual({ tool, theme, faults: [] })
      }
    }
    expect(host.requests).toEqual([])
    expect(host.noted.app).toEqual([
      'renown-review-inbox',
      'renown-crawler-chart',
      'renown-visibility-intervals',
    ])
    expect(host.noted.size.length).toBeGreaterThan(3)
  }, 60_000)

  test('the review inbox shows what strangers wrote as text, and pages by its own tool', async () => {
    const before = host.calls.length
    await host.show('listReviewsNeedingResponse', { limit: 3, sort: 'review_created_at' })
    const words = host.app.locator('.words').first()
    await words.waitFor()
    const shownText = (await words.textContent()) ?? ''
    expect(shownText).toStartWith(hostile.replace(/[\u202C\u202E]|\u{E0041}/gu, ''))
    expect(shownText).toContain('more characters were cut')
    expect(await host.app.locator('script, img, svg, a, style').count()).toBe(2)
    expect(await host.app.locator('.draft .words').first().textContent()).toStartWith('<script>')
    await host.app.getByRole('button', { name: 'Show all' }).first().press('Enter')
    await host.app.getByRole('button', { name: 'Next' }).press('Enter')
    await host.app.getByText(/^4 to 6 of/).waitFor()
    expect(host.calls.slice(before)).toEqual([
      { name: 'listReviewsNeedingResponse', arguments: { limit: 3, sort: 'review_created_at', skip: 3 } },
    ])
    expect([host.requests, await host.page.title()]).toEqual([[], ''])
    await clickAndStay(host.app, 'button', 'Open in Renown')
    await waitFor(() => host.noted.link.length > 0, { what: 'the link' })
    expect(host.noted.link).toEqual([expect.stringMatching(/^https?:\/\/[^/]+\/app\/w\/wsp_\w+\/reviews$/)])
  }, 60_000)

  test('the crawler chart asks for days by operator once, and shows totals where it may not ask', async () => {
    const before = host.calls.length
    await host.show('getAiTrafficSummary', {})
    await clickAndStay(host.app, 'button', 'By proof')
    await clickAndStay(host.app, 'button', '7 days')
    await host.app.locator('.app:not([aria-busy])').getByText('14 Nov to 20 Nov 2026').waitFor()
    expect(host.calls.slice(before).map((call) => call.arguments)).toEqual([
      { daily_by: 'operator' },
      { daily_by: 'operator', period: 'last_7_days' },
    ])
    await host.app.getByText('As a table').press('Enter')
    expect(await host.app.locator('.figure tbody tr').count()).toBe(7)
    const args = { daily_by: 'operator', period: 'last_7_days' }
    const { content } = await host.client.callTool({ name: 'getAiTrafficSummary', arguments: args })
    const whole = JSON.parse((content[0] as { text: string }).text)
    for (const { by_day } of whole.by_operator) by_day.verified.length = 5
    await host.sendResult({ content: [{ type: 'text', text: JSON.stringify(whole) }] })
    await host.app.getByText('The period is too long for a chart by day.').waitFor()
    await host.show('getAiTrafficSummary', {}, { canCall: false })
    await host.app.getByRole('heading', { name: 'Hits by day' }).waitFor()
    expect(await host.app.getByRole('button', { name: /days|By proof/ }).count()).toBe(0)
    expect(host.calls.length).toBe(before + 2)
  }, 60_000)

  test('a refusal is shown in words, and the colors of the chat are used', async () => {
    await host.sendResult({
      isError: true,
      content: [{ type: 'text', text: 'Not found. No such site.\n{}' }],
    })
    await host.app.getByRole('alert').getByText('Not found. No such site.').waitFor()
    const variables = { '--color-background-primary': 'rgb(1, 2, 3)', 'color: red; --x': 'no' }
    await host.setContext({ theme: 'dark', styles: { variables } })
    await host.app.locator(':root[data-theme=dark]').waitFor()
    const color = await host.app.locator('body').evaluate(`getComputedStyle(document.body).backgroundColor`)
    expect(color).toBe('rgb(1, 2, 3)')
  }, 30_000)
})
