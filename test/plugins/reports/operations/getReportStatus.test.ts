import { afterEach, beforeEach, expect, test } from 'bun:test'
import { tenancy } from '../../../../core/product/tenancy-plugin'
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
      ...{ id, workspace_id: 'wsp_1', template: 'monthly_reputation_report' },
      ...{ period_start: '2026-02-01', period_end: '2026-02-28', render_token: 'secret' },
      ...{ status: 'completed' as const, pdf_url: '/uploads/reports/wsp_1/x.pdf', ...more },
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
