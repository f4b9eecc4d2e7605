import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { everything } from '../../../../core/contracts/where'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { brandingOf } from '../../../../plugins/reports/branding/branding'
import { hashOf } from '../../../../plugins/reports/data/canonical'
import { collectData } from '../../../../plugins/reports/data/collect'
import { workOf } from '../../../../plugins/reports/pdf/report-work'
import { AgencyBranding } from '../../../../plugins/reports/records/AgencyBranding'
import type { ReportRow } from '../../../../plugins/reports/records/moveReport'
import { Report } from '../../../../plugins/reports/records/Report'
import { type Gate, startGate } from '../../../support/harness'
import { logoPng } from '../../../support/logo-png'
import { firefox, signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'

const path = '/app/settings/branding'
let gate: Gate
let ada: Visitor
let cookie: string
beforeAll(async () => {
  gate = await startGate({ plugins: [...corePlugins, ...builtin] })
  ;({ cookie } = await signedIn(gate))
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = cookie.indexOf('=')
  ada.cookies.set(cookie.slice(0, at), cookie.slice(at + 1))
})
afterAll(() => gate.stop())
beforeEach(() => gate.owner.rows(AgencyBranding).removeWhere(everything))

const stored = () => brandingOf(gate.owner, gate.tenant.agencyId)
const save = async (fields: Record<string, string>) => {
  await ada.open(path)
  return ada.submit(path, fields)
}
/** Sends the form with a file, as a browser does. */
async function upload(file: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) {
  const { html } = await ada.open(path)
  const body = new FormData()
  body.append('csrf', /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '')
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('logo', new Blob([file]), 'logo.png')
  const origin = 'http://localhost:3000'
  const headers = {
    cookie,
    'user-agent': firefox,
    host: 'localhost:3000',
    origin,
    'sec-fetch-site': 'same-origin',
  }
  const request = new Request(`${origin}${path}`, { method: 'POST', body, headers })
  return gate.gateway.fetch(request, () => '203.0.113.7')
}

test('the form stores sender and colors, and the page shows them on a sample at once', async () => {
  const page = await save({
    sender_name: ' Har\u202Ebour\u0007 & Co ',
    color: '7A1F5C',
    color_dark: '#f0abfc',
  })
  expect(await stored()).toEqual({
    sender_name: 'Harbour & Co',
    color: '#7a1f5c',
    color_dark: '#f0abfc',
    shows_renown: false,
  })
  expect(page.text).toContain('The branding was saved.')
  const [, rules = ''] = /<style>(.*?)<\/style>/s.exec(page.html) ?? []
  expect(rules).toContain('.report{--brand:#7a1f5c}')
  const digest = new Bun.CryptoHasher('sha256').update(rules).digest('base64')
  expect(page.headers.get('content-security-policy')).toContain(`'sha256-${digest}'`)
})

test('a color that people cannot read is refused with its contrast, and nothing is stored', async () => {
  const page = await save({ sender_name: 'Harbour', color: '#777777' })
  expect(page.status).toBe(422)
  expect(page.html).toMatch(/<input[^>]*id="color"[^>]*aria-invalid="true"/)
  expect(page.text).toContain('a contrast of 4.47:1 on white. It needs 4.5:1.')
  expect(await stored()).toBeNull()
})

test('a logo is stored as its pixels, shown, and removed again', async () => {
  const answer = await upload(new Uint8Array(logoPng(40, 20)))
  expect(answer.status).toBe(303)
  expect((await stored())?.logo).toMatchObject({ width: 40, height: 20 })
  expect((await ada.open(path)).html).toMatch(
    /<img class="report-logo" src="data:image\/png;base64,[\w+/=]+"/,
  )
  const wrong = await upload(new TextEncoder().encode('<svg onload="alert(1)"/>'))
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('SVG is not accepted.')
  expect((await stored())?.logo).toMatchObject({ width: 40 })
  await save({ no_logo: 'yes' })
  expect((await stored())?.logo).toBeUndefined()
})

test('a report keeps the branding that it was made with, in its hash, on its pages and in its PDF', async () => {
  await upload(new Uint8Array(logoPng(40, 20)), { sender_name: 'Harbour & Co', color: '#7a1f5c' })
  const location = await gate.put(BusinessLocation, {
    business_name: 'Bakehouse',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
  })
  const asked = {
    template: 'monthly_reputation_report',
    period_start: '2026-01-01',
    period_end: '2026-01-31',
    business_location_id: location.id,
    is_public: true,
    public_share_id: 'abcdefGHIJ12',
  }
  const { workspaceId: workspace_id } = gate.tenant
  const source = { ...asked, workspace_id, id: 'rep_x' } as ReportRow
  const report_data = await collectData(gate.owner, source, new AbortController().signal)
  const made = { status: 'completed', pdf_url: '/x', report_data, data_hash: hashOf(report_data) }
  const report = (await gate.put(Report, { ...asked, ...made } as never)) as ReportRow
  const before = await workOf(gate.owner, report)
  await save({ sender_name: 'Other', color: '#0f766e', no_logo: 'yes' })
  const { model } = await workOf(gate.owner, report)
  expect(model).toEqual(before.model)
  expect([model.color, model.from.text]).toEqual(['#7a1f5c', 'Harbour & Co'])
  expect(model.logo.svg).toContain('data:image/png;base64,')
  const shared = await gate.ask('/p/report/abcdefGHIJ12', { key: null, headers: { accept: 'text/html' } })
  const html = await shared.text()
  expect(html).toContain('alt="Harbour &amp; Co"')
  expect(html).toContain('.report{--brand:#7a1f5c}')
  expect(html).not.toContain('Renown')
  const own = await ada.open(`/app/reports/one?report=${report.id}`)
  expect(own.html).toContain('.report{--brand:#7a1f5c}')
})

test('members and agents cannot change it', async () => {
  const answer = await gate.ask(path, { method: 'POST', body: '{}' })
  expect(answer.status).not.toBe(200)
  expect(await stored()).toBeNull()
  const entities = await gate.ask('/api/entities/AgencyBranding')
  expect(entities.status).toBe(403)
})
