import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Refusal } from '../../../../core/contracts/errors'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import reports from '../../../../plugins/reports'
import { getReportStatus } from '../../../../plugins/reports/operations/getReportStatus'
import { Report } from '../../../../plugins/reports/records/Report'
import { putRow } from '../../../support/any-state'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([tenancy, reports])
})
afterEach(() => bench.stop())

test('getReportStatus says how far a report is, and nothing of another workspace', async () => {
  const put = (id: string, more: object) =>
    putRow(bench.owner, Report, {
      id,
      workspace_id: 'wsp_1',
      template: 'monthly_reputation_report',
      period_start: '2026-02-01',
      period_end: '2026-02-28',
      render_token: 'secret',
      status: 'completed' as const,
      pdf_url: '/uploads/reports/wsp_1/x.pdf',
      ...more,
    })
  await put('rep_1', {})
  await put('rep_2', { period_start: '2026-01-01', period_end: '2026-01-31', status: 'failed' })
  const ask = (input: object, workspace = 'wsp_1') =>
    getReportStatus.run(bench.read(workspace), { limit: 20, ...input })
  const done = { status: 'completed' as const, pdf_url: '/uploads/reports/wsp_1/x.pdf' }
  const told = await ask({ report_id: 'rep_1' })
  expect(told).toMatchObject({ ...done, total: 1 })
  expect(JSON.stringify(told)).not.toContain('secret')
  const { reports, total, status } = await ask({ period_start: '2026-02-01' })
  expect([status, total, reports.map(({ report_id }) => report_id)]).toEqual(['completed', 1, ['rep_1']])
  expect((await ask({})).total).toBe(2)
  for (const input of [{ report_id: 'rep_1' }, {}])
    await expect(ask(input, 'wsp_2')).rejects.toThrow('no such')
})

test('getReportStatus names the locations that a period has no report of, and what else can be read', async () => {
  const place = (id: string, business_name: string, more: object = {}) =>
    putRow(bench.owner, BusinessLocation, {
      id,
      workspace_id: 'wsp_1',
      business_name,
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      ...more,
    })
  await place('loc_1', 'Bakery')
  await place('loc_2', 'Workshop')
  await place('loc_3', 'Café')
  await place('loc_4', 'Closed', { is_active: false })
  await place('loc_5', 'Prospect', { is_prospect: true })
  await place('loc_6', 'Elsewhere', { workspace_id: 'wsp_2' })
  await putRow(bench.owner, Report, {
    id: 'rep_1',
    workspace_id: 'wsp_1',
    business_location_id: 'loc_1',
    render_token: 'secret',
    template: 'monthly_reputation_report',
    period_start: '2026-02-01',
    period_end: '2026-02-28',
    status: 'completed',
  })
  const ask = (input: object, workspace = 'wsp_1') =>
    getReportStatus.run(bench.read(workspace), { limit: 20, ...input })
  const { locations_without } = await ask({ period_start: '2026-02-01' })
  expect(locations_without).toEqual({ total: 2, names: ['Café', 'Workshop'] })
  for (const input of [{}, { period_start: '2026-02-01', business_location_id: 'loc_1' }])
    expect(await ask(input)).not.toHaveProperty('locations_without')
  const hintOf = (input: object, workspace?: string) =>
    ask(input, workspace).then(
      () => 'answered',
      (error: Refusal) => error.details.hint,
    )
  for (const input of [{ report_id: 'rep_9' }, { period_start: '2026-03-01' }])
    expect(await hintOf(input)).toBe(
      'The newest reports are rep_1 (monthly_reputation_report, 2026-02-01 to 2026-02-28).',
    )
  expect(await hintOf({ report_id: 'rep_1' }, 'wsp_2')).toBeUndefined()
})
