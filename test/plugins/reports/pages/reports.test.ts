import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Task } from 'renown'
import { everything } from '../../../../core/contracts/where'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { makeReport } from '../../../../plugins/reports/making/makeReport'
import { Report } from '../../../../plugins/reports/records/Report'
import { ScheduledReport } from '../../../../plugins/reports/records/ScheduledReport'
import { addSchedule } from '../../../../plugins/reports/schedules/change-schedules'
import { Review } from '../../../../plugins/reviews/records/Review'
import { type Gate, startGate } from '../../../support/harness'
import { signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'
import { waitFor } from '../../../support/wait-for'

const hostile = '<script>alert(1)</script> \u202Eevil\u202C "onmouseover=x'
let gate: Gate
let ada: Visitor
let location: string
beforeAll(async () => {
  gate = await startGate({ plugins: [...corePlugins, ...builtin] })
  const person = await signedIn(gate)
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = person.cookie.indexOf('=')
  ada.cookies.set(person.cookie.slice(0, at), person.cookie.slice(at + 1))
  const row = { business_name: hostile, is_active: true, is_prospect: false, auto_response_enabled: false }
  location = (await gate.put(BusinessLocation, row)).id
  await gate.put(Review, {
    location_id: location,
    source: 'google',
    source_id: 'r1',
    star_rating: 1,
    review_text: hostile,
    review_created_at: '2026-01-10T12:00:00.000Z',
    reviewer_name: hostile,
    needs_response: true,
    is_flagged: false,
  })
})
afterAll(() => gate.stop())
beforeEach(async () => {
  await gate.owner.rows(Report).removeWhere(everything)
})

const task = (): Task => ({
  id: 'job_1',
  workspace_id: gate.tenant.workspaceId,
  attempt: 1,
  saved: {},
  signal: new AbortController().signal,
  hold: async () => {},
  progress: async () => {},
  save: async () => {},
})
const january = { period_start: '2026-01-01', period_end: '2026-01-31' }
const ask = async (more: Record<string, string> = {}) => {
  await ada.open('/app/reports')
  const template = 'monthly_reputation_report'
  return ada.submit('/app/reports', { business_location_id: location, template, ...january, ...more })
}
const only = async () => {
  const [report] = await gate.owner.rows(Report).list()
  if (!report) throw new Error('There is no report.')
  return report
}
const made = async () => {
  await ask()
  await makeReport.run(gate.owner, { report_id: (await only()).id }, task())
  return only()
}
/** Returns the address of the PDF on a shared page. */
const pdfIn = (html: string) => /href="(\/uploads\/reports\/[^"]+\.pdf)"/.exec(html)?.[1] ?? '/no-pdf'
const outside = (path: string) => gate.ask(path, { key: null, headers: { accept: 'text/html' } })

describe('the pages of reports', () => {
  test('save a paragraph, and show it to readers as text', async () => {
    const { id } = await made()
    await ada.open(`/app/reports/one?report=${id}`)
    const text = `${hostile}\r\n\r\nSecond.`
    const saved = await ada.submit('/app/reports/one/paragraph', { report: id, id, text })
    expect(saved.text).toContain('The paragraph was saved.')
    expect(saved.text).toContain('the PDF is being rendered again')
    expect(saved.html).not.toContain('<script>alert')
    expect((await only()).paragraph).toContain('Second.')
    await ada.submit('/app/reports/one/share', { report: id, id })
    const page = await outside(`/p/report/${(await only()).public_share_id}`)
    const html = await page.text()
    expect(html).toContain('Second.')
    expect(html).not.toContain('<script>alert')
    const tooLong = { report: id, id, text: 'x'.repeat(2_001) }
    const refused = await ada.submit('/app/reports/one/paragraph', tooLong)
    expect(refused.text).toContain('Give at most 2000 characters.')
    expect((await only()).paragraph).toContain('Second.')
  })

  test('ask for a report, show its progress, and then what readers see', async () => {
    const queued = await ask()
    expect(queued.status).toBe(200)
    expect(queued.text).toContain('waiting')
    const { id } = await only()
    await makeReport.run(gate.owner, { report_id: id }, task())
    const { text, html } = await ada.open(`/app/reports/one?report=${id}`)
    expect(text).toContain('Reputation report')
    expect(text).toContain('January 2026')
    expect(text).toContain('New reviews')
    expect(text).toContain('How the figures are calculated')
    expect(html).not.toContain('<script>alert')
    // The report is before what owners do with it, and its appendix is folded.
    const order = [
      '<article class="report"',
      '<details class="fold report-fold"',
      'id="paragraph"',
      'id="share"',
    ]
    const found = order.map((part) => html.indexOf(part))
    expect(found).toEqual(found.filter((at) => at > 0).sort((a, b) => a - b))
    for (const link of ['#paragraph', '#share']) expect(html).toContain(`href="${link}"`)
    const list = await ada.open('/app/reports')
    expect(list.text).toContain('completed')
    expect(list.html).not.toContain('<script>alert')
  })

  test('name prospects and removed locations in the list and its file', async () => {
    const prospect = await gate.put(BusinessLocation, {
      business_name: 'Quay Pottery',
      is_active: false,
      is_prospect: true,
      auto_response_enabled: false,
    })
    for (const business_location_id of [prospect.id, 'loc_gone', undefined]) {
      await gate.put(Report, {
        template: 'prospect_pitch',
        ...january,
        status: 'failed',
        source: 'manual',
        is_public: false,
        public_share_id: null,
        share_view_count: 0,
        business_location_id,
      })
    }
    const { text } = await ada.open('/app/reports')
    const file = await ada.open('/app/data/reports.csv')
    for (const shown of [text, file.text]) {
      for (const name of ['Quay Pottery', 'A removed location', 'All locations'])
        expect(shown).toContain(name)
    }
  })

  test('refuse a wrong day beside its field', async () => {
    const page = await ask({ period_start: '2026-02-31' })
    expect(page.status).toBe(422)
    expect(page.html).toMatch(/<input[^>]*id="period_start"[^>]*aria-invalid="true"/)
    expect(await gate.owner.rows(Report).count()).toBe(0)
  })
})

test('a schedule is made and removed on the page, and wrong days stand beside their field', async () => {
  const schedule = async (day: string) => {
    await ada.open('/app/reports')
    return ada.submit('/app/reports/schedule', {
      location,
      template: 'monthly_reputation_report',
      cadence: 'weekly',
      day,
    })
  }
  const wrong = await schedule('8')
  expect([wrong.status, await gate.owner.rows(ScheduledReport).count()]).toEqual([422, 0])
  expect(wrong.html).toMatch(/<input[^>]*id="day"[^>]*aria-invalid="true"/)
  const made = await schedule('2')
  expect(made.text).toContain('Weekly, on Tuesday')
  const [{ id = '' } = {}] = await gate.owner.rows(ScheduledReport).list()
  await ada.open('/app/reports')
  await ada.submit('/app/reports/unschedule', { id })
  expect(await gate.owner.rows(ScheduledReport).count()).toBe(0)
})

test('a schedule of another workspace cannot be removed', async () => {
  const foreign = await gate.put(
    ScheduledReport,
    {
      business_location_id: 'loc_x',
      template: 'monthly_reputation_report',
      cadence: 'weekly',
      day: 1,
      timezone: 'UTC',
      recipients_count: 0,
      is_active: true,
    },
    gate.tenant.otherWorkspaceId,
  )
  const own = {
    business_location_id: location,
    template: 'monthly_reputation_report',
    cadence: 'weekly' as const,
    day: 1,
  }
  await addSchedule(gate.owner, own)
  await ada.open('/app/reports')
  await ada.submit('/app/reports/unschedule', { id: foreign.id })
  expect(await gate.owner.rows(ScheduledReport).get(foreign.id)).not.toBeNull()
  expect(await gate.owner.rows(ScheduledReport).count()).toBe(2)
  await gate.owner.rows(ScheduledReport).removeWhere(everything)
})

describe('a shared report', () => {
  const share = async (id: string, action = 'share') => {
    await ada.open(`/app/reports/one?report=${id}`)
    await ada.submit(`/app/reports/one/${action}`)
    return only()
  }

  test('is read without an account, with its PDF, and its views are counted', async () => {
    const { id } = await made()
    const shared = await share(id)
    expect(shared.public_share_id).toMatch(/^[\w-]{12}$/)
    const answer = await outside(`/p/report/${shared.public_share_id}`)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-robots-tag')).toContain('noindex')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(html).toContain('New reviews')
    expect(html).not.toContain('<script')
    expect(html).not.toMatch(/href="\/app(?!\/assets)/)
    expect(html).not.toContain(shared.pdf_url)
    const pdf = await outside(pdfIn(html))
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    await outside(`/p/report/${shared.public_share_id}`).then((again) => again.text())
    await waitFor(async () => (await only()).share_view_count === 2, { what: 'both views to be counted' })
  })

  test('gets a new link when it is shared again, and the old one answers 404', async () => {
    const { id } = await made()
    const first = await share(id)
    const shown = async ({ public_share_id }: typeof first) =>
      pdfIn(await (await outside(`/p/report/${public_share_id}`)).text())
    const firstPdf = await shown(first)
    const second = await share(id, 'new-link')
    expect(second.public_share_id).not.toBe(first.public_share_id)
    expect((await outside(`/p/report/${first.public_share_id}`)).status).toBe(404)
    expect((await outside(`/p/report/${second.public_share_id}`)).status).toBe(200)
    expect((await outside(firstPdf)).status).toBe(404)
    const secondPdf = await shown(second)
    const pdf = await outside(secondPdf)
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    await pdf.body?.cancel()
    const ended = await share(id, 'unshare')
    expect((await outside(secondPdf)).status).toBe(404)
    expect(ended).toMatchObject({ public_share_id: null, is_public: false })
    expect((await outside(`/p/report/${second.public_share_id}`)).status).toBe(404)
  })

  test('needs both its id and its switch, and a location', async () => {
    const { id } = await made()
    const { public_share_id } = await share(id)
    await gate.owner.rows(Report).update(id, { is_public: false })
    expect((await outside(`/p/report/${public_share_id}`)).status).toBe(404)
    await gate.owner.rows(Report).update(id, { is_public: true, business_location_id: undefined })
    expect((await outside(`/p/report/${public_share_id}`)).status).toBe(404)
  })
})
