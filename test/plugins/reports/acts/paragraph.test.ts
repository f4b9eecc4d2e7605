import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Task } from 'renown'
import * as v from 'valibot'
import { everything } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { typedParagraph } from '../../../../plugins/reports/acts/paragraph'
import { writeParagraph } from '../../../../plugins/reports/acts/paragraph-command'
import { requestReport } from '../../../../plugins/reports/acts/request-report'
import { hashOf } from '../../../../plugins/reports/data/canonical'
import { treeOf } from '../../../../plugins/reports/data/tree'
import { movePdf, newPdfUrl, readPdf, storePdf } from '../../../../plugins/reports/files/report-files'
import { makeReport } from '../../../../plugins/reports/making/makeReport'
import { outdatedPdfs, renderAgain } from '../../../../plugins/reports/making/renderAgain'
import { Report } from '../../../../plugins/reports/records/Report'
import { ReportFile } from '../../../../plugins/reports/records/ReportFile'
import { type Gate, startGate } from '../../../support/harness'
import { part } from '../../../support/part'

let gate: Gate
let location: string
beforeAll(async () => {
  gate = await startGate({ plugins: [...corePlugins, ...builtin] })
  const row = { business_name: 'Bakery', is_active: true, is_prospect: false, auto_response_enabled: false }
  location = (await gate.put(BusinessLocation, row)).id
})
afterAll(() => gate.stop())
beforeEach(async () => {
  for (const entity of [Report, ReportFile]) await gate.owner.rows(entity).removeWhere(everything)
})

const task = (more: Partial<Task> = {}): Task => ({
  id: 'job_1',
  workspace_id: gate.tenant.workspaceId,
  attempt: 1,
  saved: {},
  signal: new AbortController().signal,
  hold: async () => {},
  progress: async () => {},
  save: async () => {},
  ...more,
})
const january = { period_start: '2026-01-01', period_end: '2026-01-31' }
const ask = async (more: Record<string, string> = {}) => {
  const body = { business_location_id: location, ...january, ...more }
  const answer = (await (await gate.call('generateReport', body)).json()) as { report_id: string }
  return get(answer.report_id)
}
const get = async (id: string) => {
  const row = await gate.owner.rows(Report).get(id)
  if (!row) throw new Error(`There is no report ${id}`)
  return row
}
const make = async (id: string, more: Partial<Task> = {}) => {
  await makeReport.run(gate.owner, { report_id: id }, task(more))
  return get(id)
}
const write = async (id: string, text: string) =>
  writeParagraph.perform(gate.owner, { row: await get(id), input: { text } })
const again = async (id: string, more: Partial<Task> = {}) => {
  await renderAgain.run(gate.owner, { report_id: id }, task(more))
  return get(id)
}
const pdfOf = async (url: string | undefined) => Bun.hash((await readPdf(gate.owner, url ?? '')) ?? '')

describe('a typed paragraph', () => {
  const clean = (text: string) => v.parse(typedParagraph, text)
  test('keeps its parts, and has no control characters', () => {
    expect(clean('  One\r\nline.\r\n\r\n\r\nSecond \u0007part.\u2028End ')).toBe(
      'One\nline.\n\nSecond  part.\nEnd',
    )
    expect(clean(' \r\n\t ')).toBe('')
    expect(clean('\ud800a')).toBe('\ufffda')
  })

  test.each([
    ['2,001 characters', 'x'.repeat(2_001)],
    ['21 parts', Array(21).fill('x').join('\n\n')],
  ])('is refused with %s', (_, text) => {
    expect(v.safeParse(typedParagraph, text).success).toBe(false)
  })

  test('may be as long as is said', () => {
    expect(clean('x'.repeat(2_000))).toHaveLength(2_000)
    expect(clean(Array(20).fill('x').join('\n\n')).split('\n\n')).toHaveLength(20)
  })
})

describe('a paragraph', () => {
  test('comes first in the tree, and changes neither the data nor its hash', async () => {
    const made = await make((await ask()).id)
    await write(made.id, 'A good month.\n\nSee you soon.')
    const changed = await get(made.id)
    expect(changed.report_data).toEqual(made.report_data)
    expect(changed.data_hash).toBe(hashOf(changed.report_data))
    const tree = treeOf(gate.owner, changed)
    expect(tree.sections[0]?.blocks[0]).toEqual({
      kind: 'text',
      by: 'person',
      paragraphs: ['A good month.', 'See you soon.'],
    })
    expect(tree.dataHash).toBe(String(made.data_hash))
  })

  test('renders the PDF again at the same address, also if it changed while the PDF was rendered', async () => {
    const { id } = await ask()
    await write(id, 'Written before.')
    const first = await make(id)
    expect(first.pdf_state).toBe('outdated')
    const before = await pdfOf(first.pdf_url)
    expect((await again(id)).pdf_state).toBeUndefined()
    expect(await pdfOf(first.pdf_url)).toBe(before)

    await write(id, 'Written after.')
    const done = await again(id, { hold: async () => void (await write(id, 'Once more.')) })
    expect(done).toMatchObject({ pdf_state: 'outdated', pdf_url: String(first.pdf_url) })
    const between = await pdfOf(first.pdf_url)
    expect(between).not.toBe(before)
    expect((await again(id)).pdf_state).toBeUndefined()
    expect(await pdfOf(first.pdf_url)).not.toBe(between)
    expect(await gate.owner.rows(ReportFile).count()).toBe(1)
  })

  test('leaves the PDF as it was if rendering fails, and says so', async () => {
    const made = await make((await ask()).id)
    const before = await pdfOf(made.pdf_url)
    await write(made.id, 'New.')
    const stop = AbortSignal.abort(new Error('stopped'))
    await expect(again(made.id, { signal: stop })).rejects.toThrow('stopped')
    const lost = async () => {
      throw new Error('the lease is lost')
    }
    await expect(again(made.id, { hold: lost })).rejects.toThrow('the lease is lost')
    expect(await pdfOf(made.pdf_url)).toBe(before)
    const fault = { kind: 'transient', message: 'stopped' } as const
    await renderAgain.onDeadLetter?.(gate.owner, { report_id: made.id }, fault, task())
    expect(await get(made.id)).toMatchObject({ status: 'completed', pdf_state: 'failed' })
    // Saving the same text tries again.
    await write(made.id, 'New.')
    expect((await get(made.id)).pdf_state).toBe('outdated')
  })

  test('goes to a new address with the report', async () => {
    const made = await make((await ask()).id)
    await write(made.id, 'New.')
    const { workspaceId } = gate.tenant
    const done = await again(made.id, {
      async hold() {
        const pdf_url = newPdfUrl(workspaceId)
        await gate.owner.rows(Report).update(made.id, { pdf_url })
        await movePdf(gate.owner, made, [String(made.pdf_url), pdf_url])
      },
    })
    expect(done.pdf_url === made.pdf_url).toBe(false)
    expect(done.pdf_state).toBe('outdated')
    expect((await again(made.id)).pdf_state).toBeUndefined()
    const stored = await gate.owner.rows(ReportFile).list()
    expect(stored.map(({ file }) => `${file}.pdf`)).toEqual([String(done.pdf_url?.split('/').at(-1))])
  })

  test('is taken over by the same report that is made again, and by no other', async () => {
    const made = await make((await ask()).id)
    await write(made.id, 'Mine.')
    expect((await ask()).paragraph).toBe('Mine.')
    expect((await ask({ period_start: '2026-01-02' })).paragraph).toBeUndefined()
    expect((await ask({ template: 'visibility_report' })).paragraph).toBeUndefined()
  })

  test('that was removed is not taken over', async () => {
    const first = await make((await ask()).id)
    await write(first.id, 'Mine.')
    gate.clock.advance(1_000)
    const second = await ask()
    await write(second.id, '')
    await make(second.id)
    gate.clock.advance(1_000)
    expect((await ask()).paragraph).toBeUndefined()
  })

  test('of a schedule that keeps it is used unless the period has one of its own', async () => {
    const [first] = await gate.owner.rows(BusinessLocation).list({ limit: 1 })
    const rows = gate.owner.rows(Report)
    const { workspaceId: workspace_id } = gate.tenant
    const own = {
      insert: (row: never) => rows.insert(part({ ...(row as object), workspace_id })),
      list: rows.list,
    }
    const asked = { template: 'monthly_reputation_report', source: 'scheduled', today: '2026-06-01' } as const
    const request = { ...asked, ...january, location: first as never, paragraph: 'Kept.' }
    const { report } = await requestReport(own as never, request)
    expect(report.paragraph).toBe('Kept.')
    await write(report.id, 'Of January.')
    await rows.update(report.id, { is_open: false })
    expect((await requestReport(own as never, request)).report.paragraph).toBe('Of January.')
  })

  test('is put into the queue for rendering once', async () => {
    const made = await make((await ask()).id)
    await write(made.id, 'New.')
    const { signal } = new AbortController()
    await outdatedPdfs.run(gate.owner, signal)
    await outdatedPdfs.run(gate.owner, signal)
    const jobs = await gate.documents.collection(Job).find({ where: everything, limit: 100 })
    expect(jobs.filter(({ queue }) => queue === 'render-report-again')).toHaveLength(1)
  })
})

test('a PDF that was stored in part is replaced as a whole, not completed with parts of another', async () => {
  const report = { id: 'rep_1', workspace_id: gate.tenant.workspaceId }
  const [before, now] = ['a', 'b'].map((letter) => Buffer.alloc(500 * 1024, letter))
  const url = await storePdf(gate.owner, report, before ?? Buffer.of())
  // The process ended after the first part.
  await gate.owner.rows(ReportFile).removeWhere({ op: 'eq', field: 'part', value: 1 })
  expect(await readPdf(gate.owner, url)).toBeNull()
  await storePdf(gate.owner, report, now ?? Buffer.of(), url)
  expect(now?.equals((await readPdf(gate.owner, url)) ?? Buffer.of())).toBe(true)
})
