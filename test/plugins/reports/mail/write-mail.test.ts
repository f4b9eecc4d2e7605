import { expect, test } from 'bun:test'
import { chartPng } from '../../../../plugins/reports/mail/chart-png'
import { chartId, chartIn, logoId, writeReportMail } from '../../../../plugins/reports/mail/write-mail'
import { demoTree } from '../../../support/demo-report'

const tree = demoTree('monthly_reputation_report')
const links = { page: null, pdf: null, stop: 'https://example.com/p/report-stop/x' }
const chart = chartIn(tree)
if (!chart) throw new Error('The demo report has no chart.')
const product = {} as Parameters<typeof chartPng>[0]['product']

test('the chart of the demo report is a PNG of twice its size', async () => {
  const png = Buffer.from(await chartPng({ product }, chart))
  expect(png.toString('latin1', 1, 4)).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1360, 420])
})

test('a chart that cannot be drawn is an error, and is drawn anew the next time', async () => {
  const own = {} as typeof product
  const drawing = chartPng({ product: own }, chart, '/nonexistent/program.ts')
  await expect(drawing).rejects.toThrow('Drawing the chart failed')
  expect((await chartPng({ product: own }, chart)).length).toBeGreaterThan(1_000)
})

test('mail shows the chart with its description, and the description alone without a picture', () => {
  const [shown, plain] = [true, false].map(
    (hasChart) => writeReportMail(tree, links, { hasChart, logo: null }).html,
  )
  const alt = Bun.escapeHTML(chart.alt)
  expect(shown).toContain(`src="cid:${chartId}"`)
  expect(shown).toContain(`alt="${alt}"`)
  expect(plain).not.toContain('<img')
  expect(plain).toContain(alt)
})

test('mail has the logo, the color and the name of the agency', () => {
  const brand = { agency_id: 'agy_1', color: '#0f766e', shows_renown: true }
  const logo = { width: 960, height: 96 }
  const { html, text } = writeReportMail({ ...tree, from: 'Lantern <b>', brand }, links, {
    hasChart: false,
    logo,
  })
  expect(html).toContain(`<img src="cid:${logoId}" width="240" height="24" alt="Lantern &lt;b&gt;"`)
  expect(html).toContain('color:#0f766e')
  expect(html).toContain('Made with Renown')
  expect(text).toContain('you have an account at Lantern <b>.')
  expect(writeReportMail(tree, links, { hasChart: false, logo: null }).html).not.toContain('Made with Renown')
})

test('the text part has the five first figures without nested brackets', () => {
  const { text } = writeReportMail(tree, links, { hasChart: false, logo: null })
  const lines = text.split('\n').filter((line) => line.startsWith('- '))
  expect(lines).toHaveLength(5)
  expect(lines.filter((line) => line.includes('))'))).toEqual([])
})
