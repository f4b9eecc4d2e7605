import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything } from '../../../../core/contracts/where'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Workspace } from '../../../../core/tenancy/Workspace'
import { builtin } from '../../../../plugins'
import { storePdf } from '../../../../plugins/reports/files/report-files'
import type { ReportRow } from '../../../../plugins/reports/records/moveReport'
import { Report } from '../../../../plugins/reports/records/Report'
import { ReportFile } from '../../../../plugins/reports/records/ReportFile'
import { shareReport, unshareReport } from '../../../../plugins/reports/share/share'
import { type Gate, startGate } from '../../../support/harness'
import { signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'

const password = 'three quiet words'
let gate: Gate
let ada: Visitor
let report: ReportRow
beforeAll(async () => {
  gate = await startGate({ plugins: [...corePlugins, ...builtin] })
  const person = await signedIn(gate)
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = person.cookie.indexOf('=')
  ada.cookies.set(person.cookie.slice(0, at), person.cookie.slice(at + 1))
})
afterAll(() => gate.stop())
beforeEach(async () => {
  gate.clock.stop()
  await gate.owner.rows(Report).removeWhere(everything)
  const location = await gate.put(BusinessLocation, {
    business_name: 'Harbour Bakehouse',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
  })
  const { workspaceId } = gate.tenant
  const pdf_url = await storePdf(
    gate.owner,
    { id: 'rep_1', workspace_id: workspaceId },
    Buffer.from('%PDF-1.7 x'),
  )
  report = (await gate.put(Report, {
    template: 'monthly_reputation_report',
    period_start: '2026-01-01',
    period_end: '2026-01-31',
    status: 'completed',
    business_location_id: location.id,
    pdf_url,
    data_hash: 'x',
    source: 'manual',
    report_data: { business_location: { name: 'Harbour Bakehouse' }, reputationScore: 71 },
    is_public: false,
    public_share_id: null,
    share_view_count: 0,
  })) as ReportRow
})

const page = () => `/app/reports/one?report=${report.id}`
const stored = async () => (await gate.owner.rows(Report).get(report.id)) as ReportRow
const act = async (name: string, fields: Record<string, string> = {}) => {
  await ada.open(page())
  const answer = await ada.submit(`/app/reports/one/${name}`, fields)
  return { answer, row: await stored() }
}
const outside = (path: string, form?: Record<string, string>) =>
  gate.ask(path, {
    key: null,
    headers: {
      accept: 'text/html',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' }),
    },
    ...(form && { method: 'POST', body: new URLSearchParams(form).toString() }),
  })
const addressOf = ({ public_share_id }: ReportRow) => `/p/report/${public_share_id}`
const pdfIn = (html: string) => /href="(\/uploads\/reports\/[^"]+\.pdf)"/.exec(html)?.[1] ?? ''
const statusOf = async (path: string) => (await outside(path)).status

describe('a shared report with a password', () => {
  test('says nothing about the report before it was entered, and sets no cookie', async () => {
    const { row } = await act('share', { password })
    const answer = await outside(addressOf(row))
    const html = await answer.text()
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
    expect(html).toContain('This report has a password')
    for (const secret of ['Harbour', 'January', '71', '/uploads/', row.pdf_url ?? 'x'])
      expect(html).not.toContain(secret)
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(answer.headers.get('x-robots-tag')).toContain('noindex')
    expect((await stored()).share_view_count).toBe(0)
  })

  test('is the answer to the right password, and never to a wrong one', async () => {
    const { row } = await act('share', { password })
    const wrong = await outside(addressOf(row), { password: 'three quiet word' })
    const refused = await wrong.text()
    expect(wrong.status).toBe(422)
    expect(refused).toContain('This is not the password of the report.')
    expect(refused).not.toContain('Harbour')
    const right = await outside(addressOf(row), { password })
    expect([right.status, right.headers.get('set-cookie')]).toEqual([200, null])
    expect(await right.text()).toContain('Harbour Bakehouse')
    expect(await (await outside(addressOf(row))).text()).not.toContain('Harbour')
  })

  test('gives a link to the PDF that works for 15 minutes, and until the password changes', async () => {
    const { row } = await act('share', { password })
    const open = async (word: string) =>
      pdfIn(await (await outside(addressOf(row), { password: word })).text())
    const link = await open(password)
    const pdf = await outside(link)
    expect([pdf.status, await pdf.text()]).toEqual([200, '%PDF-1.7 x'])
    gate.clock.advance(15 * 60_000)
    expect(await statusOf(link)).toBe(404)
    const next = await open(password)
    await act('change-share', { password: 'other quiet words' })
    expect(await statusOf(next)).toBe(404)
    expect(await open(password)).toBe('')
    expect(await statusOf(await open('other quiet words'))).toBe(200)
  })

  test('gives links to its other forms like the one to the PDF', async () => {
    const { row } = await act('share', { password })
    const html = await (await outside(addressOf(row), { password })).text()
    const links = [...html.matchAll(/href="(\/uploads\/reports\/[^"]+\.(xlsx|csv|md))"/g)]
    expect(links.map(([, , extension]) => extension)).toEqual(['xlsx', 'csv', 'md'])
    for (const [, link = '', extension] of links) {
      const file = await outside(link)
      expect([file.status, file.headers.get('content-disposition')]).toEqual([
        200,
        `attachment; filename="report-2026-01-01-2026-01-31.${extension}"`,
      ])
      expect(file.headers.get('x-robots-tag')).toContain('noindex')
      expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(200)
      expect(await statusOf(link.replace(/\w+$/, extension === 'md' ? 'csv' : 'md'))).toBe(404)
    }
    await act('unshare')
    for (const [, link = ''] of links) expect(await statusOf(link)).toBe(404)
  })

  test('loses its password only if the owner says so', async () => {
    const { row } = await act('share', { password })
    expect((await act('change-share')).row.share_password_hash).toBe(row.share_password_hash)
    const both = await act('change-share', { password: 'other quiet words', no_password: 'yes' })
    expect([both.answer.status, both.row.share_password_hash]).toEqual([422, row.share_password_hash])
    const open = await act('change-share', { no_password: 'yes' })
    expect(open.row).toMatchObject({ public_share_id: row.public_share_id, share_is_protected: false })
    expect(open.row.share_password_hash).toBeUndefined()
    expect(await (await outside(addressOf(row))).text()).toContain('Harbour Bakehouse')
  })

  test('keeps it with a new link, and its hash never leaves the service', async () => {
    const { row } = await act('share', { password })
    const renewed = await act('new-link')
    expect(renewed.row.share_password_hash).toBe(row.share_password_hash)
    const [read] = (await (await gate.ask('/api/entities/Report')).json()) as Record<string, unknown>[]
    expect(read?.share_is_protected).toBe(true)
    expect(JSON.stringify(read)).not.toMatch(/argon2|share_key|password_hash/)
  })

  test('never gets a link without it, if somebody stops sharing while a new link is made', async () => {
    const { row } = await act('share', { password })
    const { workspaceId } = gate.tenant
    const rows = gate.owner.rows(Report)
    const late = {
      ...rows,
      get: async (id: string) => {
        const read = await rows.get(id)
        await unshareReport(gate.owner, workspaceId, id)
        return read
      },
    }
    const ctx = { ...gate.owner, rows: () => late as never }
    await expect(shareReport(ctx, workspaceId, row.id)).rejects.toThrow('could not be shared')
    expect(await stored()).toMatchObject({ is_public: false, public_share_id: null })
  })

  test('refuses a short password beside its field, and shares nothing', async () => {
    const { answer, row } = await act('share', { password: 'short' })
    expect(answer.status).toBe(422)
    expect(answer.html).toMatch(/<input[^>]*id="password"[^>]*aria-invalid="true"/)
    expect(row.is_public).toBe(false)
  })
})

describe('a shared report with a last day', () => {
  const today = () => gate.clock.now().toISOString().slice(0, 10)

  test('answers 404 after it, with its PDF, and its page says so', async () => {
    const { row } = await act('share', { last_day: today() })
    expect(row.share_expires_at?.slice(11)).toBe('00:00:00.000Z')
    const link = pdfIn(await (await outside(addressOf(row))).text())
    expect(await statusOf(link)).toBe(200)
    gate.clock.advance(Date.parse(row.share_expires_at ?? '') - gate.clock.now().getTime() - 1)
    expect([await statusOf(addressOf(row)), await statusOf(link)]).toEqual([200, 200])
    gate.clock.advance(1)
    expect([await statusOf(addressOf(row)), await statusOf(link)]).toEqual([404, 404])
  })

  test('works again with a new link, without the old last day', async () => {
    const { row } = await act('share', { last_day: today() })
    const { workspaceId } = gate.tenant
    const early = await shareReport(gate.owner, workspaceId, row.id)
    expect(early.share_expires_at).toBe(row.share_expires_at)
    gate.clock.advance(Date.parse(row.share_expires_at ?? '') - gate.clock.now().getTime())
    expect(await statusOf(addressOf(early))).toBe(404)
    const again = await shareReport(gate.owner, workspaceId, row.id)
    expect(again.share_expires_at).toBeUndefined()
    expect(await statusOf(addressOf(again))).toBe(200)
    expect([await statusOf(addressOf(row)), await statusOf(addressOf(early))]).toEqual([404, 404])
  })

  test.each(['2020-01-01', '2026-02-31', 'tomorrow'])('refuses %s beside its field', async (last_day) => {
    const { answer, row } = await act('share', { last_day })
    expect(answer.status).toBe(422)
    expect(answer.html).toMatch(/<input[^>]*id="last_day"[^>]*aria-invalid="true"/)
    expect(row.is_public).toBe(false)
  })
})

describe('the addresses of a shared report', () => {
  test('do not contain the pdf_url, which people with an account keep', async () => {
    const { row } = await act('share')
    const html = await (await outside(addressOf(row))).text()
    const link = pdfIn(html)
    expect(html).not.toContain(row.pdf_url ?? 'x')
    expect(await statusOf(link)).toBe(200)
    await act('unshare')
    expect([await statusOf(link), await statusOf(row.pdf_url ?? '')]).toEqual([404, 200])
  })

  test('cannot be changed, or be used for another report or kind of file', async () => {
    const { row } = await act('share')
    const link = pdfIn(await (await outside(addressOf(row))).text())
    const [, mac = ''] = /_([0-9a-f]{32})\.pdf$/.exec(link) ?? []
    const other = mac.startsWith('0') ? `1${mac.slice(1)}` : `0${mac.slice(1)}`
    const changed = [
      link.replace(mac, other),
      link.replace(/_0_/, '_zzzzzzzz_'),
      link.replace(/\.pdf$/, '.csv'),
      link.replace(gate.tenant.workspaceId, gate.tenant.otherWorkspaceId),
    ]
    for (const path of changed) expect([path, await statusOf(path)]).toEqual([path, 404])
  })

  test('are on the white-label domain of the agency', async () => {
    await gate.owner.rows(Workspace).update(gate.tenant.workspaceId, { white_label_domain: 'r.example' })
    const { row } = await act('share')
    expect((await ada.open(page())).html).toContain(`value="https://r.example${addressOf(row)}"`)
    await gate.owner.rows(Workspace).update(gate.tenant.workspaceId, { white_label_domain: undefined })
    expect((await ada.open(page())).html).toContain(`value="http://localhost:3000${addressOf(row)}"`)
  })

  test('of a version that showed the pdf_url itself end with the share, and so does that address', async () => {
    const { row } = await act('share')
    await gate.owner.rows(Report).update(row.id, { share_key: undefined })
    const ended = await act('unshare')
    expect(ended.row.pdf_url).not.toBe(row.pdf_url)
    expect(await statusOf(row.pdf_url ?? '')).toBe(404)
  })

  test('of such a version get a new pdf_url with a password too, and the PDF stays stored', async () => {
    const { row } = await act('share')
    await gate.owner.rows(Report).update(row.id, { share_key: undefined })
    await gate.owner.rows(ReportFile).updateMany(everything, { report_id: row.id })
    const changed = await act('change-share', { password })
    expect(changed.row.pdf_url).not.toBe(row.pdf_url)
    expect([await statusOf(row.pdf_url ?? ''), await statusOf(changed.row.pdf_url ?? '')]).toEqual([404, 200])
  })
})

test('a failed report is made again as a new one, and its page loads itself again meanwhile', async () => {
  await gate.owner.rows(Report).removeWhere(everything)
  const { id: _, pdf_url: __, ...failed } = report
  report = (await gate.put(Report, {
    ...failed,
    status: 'failed',
    error_message: 'No room',
    period_start: '2025-01-01',
    period_end: '2025-01-31',
  })) as ReportRow
  const { answer } = await act('retry')
  expect(answer.text).toContain('waiting')
  expect(answer.headers.get('refresh')).toMatch(/^3; url=\/app\/reports\/one\?report=rep_\w+$/)
  const rows = await gate.owner.rows(Report).list()
  expect(rows.map(({ status }) => status).toSorted()).toEqual(['failed', 'queued'])
  expect((await ada.open(page())).headers.get('refresh')).toBeNull()
})
