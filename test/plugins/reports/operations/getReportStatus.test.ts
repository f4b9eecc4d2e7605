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
  await putRow(bench.owner, Report, {
    id: 'rep_1',
    workspace_id: 'wsp_1',
    template: 'monthly_reputation_report',
    period_start: '2026-02-01',
    period_end: '2026-02-28',
    status: 'completed',
    pdf_url: '/uploads/reports/wsp_1/x.pdf',
    render_token: 'secret',
  })
  expect(await getReportStatus.run(bench.read('wsp_1'), { report_id: 'rep_1' })).toEqual({
    status: 'completed',
    pdf_url: '/uploads/reports/wsp_1/x.pdf',
  })
  await expect(getReportStatus.run(bench.read('wsp_2'), { report_id: 'rep_1' })).rejects.toThrow('no such')
})
