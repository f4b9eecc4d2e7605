import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { pageModelOf } from '../../../../plugins/reports/pdf/page-model'
import { type RenderOrder, renderLimits, renderPdf } from '../../../../plugins/reports/pdf/render-pdf'
import { demoTree } from '../../../support/demo-report'

const model = pageModelOf(demoTree('ai_traffic_report'))
const work = { model, at: '2026-11-01T06:00:00.000Z', fontFolders: [] }
const order = (report_id: string, more: Partial<RenderOrder> = {}): RenderOrder => ({
  report_id,
  token: 'rrt_right',
  signal: new AbortController().signal,
  open: async ({ token }) => (token === 'rrt_right' ? work : null),
  ...more,
})
const program = join(import.meta.dir, '../support/bad-runner.ts')
const bad = (how: string, limits: RenderOrder['limits'] = {}) =>
  renderPdf(order(how, { program, limits: { timeMs: 60_000, ...limits } }))

test('the same report gives the same bytes, within the memory that is allowed', async () => {
  const first = await renderPdf(order('rep_1'))
  const second = await renderPdf(order('rep_1'))
  expect(Buffer.from(first.bytes).equals(second.bytes)).toBe(true)
  expect(first).toMatchObject({ standard: 'ua-1', pages: 2 })
  expect(first.used.peakBytes).toBeLessThan(renderLimits.memoryBytes)
})

test('a renderer that misbehaves is ended, and says why', async () => {
  const told: Record<string, string> = {
    crashes: 'the renderer broke',
    'is killed': 'the process ended with code 137',
    'says nothing': 'returned no whole PDF',
    'writes garbage': 'returned no whole PDF',
    'writes a part': 'returned no whole PDF',
    'writes a PDF without its end': 'returned no whole PDF',
    'has another token': 'its token was refused',
  }
  await Promise.all(Object.entries(told).map(([how, why]) => expect(bad(how)).rejects.toThrow(why)))
})

test('a renderer without end is ended at each of its limits', async () => {
  await expect(bad('hangs', { timeMs: 300 })).rejects.toThrow('it took longer than 0.3 s')
  await expect(bad('grows', { memoryBytes: 150 * 1024 * 1024 })).rejects.toThrow('needed more than 150 MB')
  await expect(bad('writes without end', { pdfBytes: 500_000 })).rejects.toThrow('its PDF is too large')
  await expect(bad('writes errors without end')).rejects.toThrow('it wrote too many errors')
})

test('a job that stops ends its renderer', async () => {
  const stop = new AbortController()
  const running = renderPdf(order('hangs', { program, signal: stop.signal }))
  stop.abort()
  await expect(running).rejects.toThrow('it was stopped')
  await expect(renderPdf(order('rep_1', { signal: stop.signal }))).rejects.toThrow()
})

test('a report that would need too much memory is refused before its layout', async () => {
  const section = model.sections.find(({ blocks }) => blocks.some(({ kind }) => kind === 'table'))
  const table = section && { ...section, blocks: Array.from({ length: 2_000 }, () => section.blocks).flat() }
  const large = { ...work, model: { ...model, sections: table ? [table] : [] } }
  await expect(renderPdf(order('rep_1', { open: async () => large }))).rejects.toThrow('too large for a PDF')
  await expect(
    renderPdf(order('rep_1', { open: () => Promise.reject(new Error('no store')) })),
  ).rejects.toThrow('no store')
})
