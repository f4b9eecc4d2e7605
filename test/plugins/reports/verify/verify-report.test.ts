import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Task } from 'renown'
import { where } from '../../../../core/contracts/where'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { makeReport } from '../../../../plugins/reports/making/makeReport'
import { Report } from '../../../../plugins/reports/records/Report'
import { ReportFile } from '../../../../plugins/reports/records/ReportFile'
import { verifyCommand } from '../../../../plugins/reports/verify/verify-command'
import type { ReportCheck } from '../../../../plugins/reports/verify/verify-report'
import { type Gate, startGate } from '../../../support/harness'
import { part } from '../../../support/part'
import { signedIn } from '../../../support/signed-in'

let gate: Gate
let id: string
beforeAll(async () => {
  gate = await startGate({ plugins: [...corePlugins, ...builtin] })
  const { id: business_location_id } = await gate.put(BusinessLocation, {
    business_name: 'Bäckerei',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
  })
  const asked = await gate.call('generateReport', { business_location_id })
  id = ((await asked.json()) as { report_id: string }).report_id
  const held = { hold: async () => {}, progress: async () => {}, save: async () => {} }
  const task: Task = {
    id: 'job_1',
    workspace_id: gate.tenant.workspaceId,
    attempt: 1,
    saved: {},
    ...held,
    signal: new AbortController().signal,
  }
  await makeReport.run(gate.owner, { report_id: id }, task)
})
afterAll(() => gate.stop())

const verify = async () => {
  const answer = await verifyCommand.run(gate.owner, { report_id: id })
  const checks = answer.checks as readonly ReportCheck[]
  const results: Record<string, string> = Object.fromEntries(checks.map(({ what, result }) => [what, result]))
  return { results, isBad: verifyCommand.isBad?.(answer) }
}

test('a report is checked against its hash, and each form against what is stored', async () => {
  const all = (result: string) =>
    Object.fromEntries(['data_hash', 'xlsx', 'csv', 'md', 'pdf'].map((what) => [what, result]))
  expect(await verify()).toEqual({ results: all('same'), isBad: false })

  const report = await gate.owner.rows(Report).get(id)
  const data = report?.report_data as Readonly<Record<string, unknown>>
  await gate.owner.rows(Report).update(id, { report_data: { ...data, reputationScore: 99 } })
  expect(await verify()).toEqual({ results: all('differs'), isBad: true })
  await gate.owner.rows(Report).update(id, { report_data: data })

  const [file] = await gate.owner.rows(ReportFile).list({ where: where.eq('report_id', id), limit: 1 })
  if (!file) throw new Error('There is no PDF')
  const bytes = Buffer.from(file.bytes, 'base64')
  bytes[bytes.length - 9] = (bytes.at(-9) ?? 0) ^ 1
  await gate.owner.rows(ReportFile).update(file.id, { bytes: bytes.toString('base64') })
  expect(await verify()).toEqual({ results: { ...all('same'), pdf: 'differs' }, isBad: true })

  await gate.owner.rows(ReportFile).removeWhere(where.eq('report_id', id))
  expect(await verify()).toEqual({ results: { ...all('same'), pdf: 'unknown' }, isBad: false })
})

test('getReportMarkdown returns the whole report as Markdown, and nothing of another workspace', async () => {
  const answer = await gate.call('getReportMarkdown', { report_id: id })
  const report = await gate.owner.rows(Report).get(id)
  const { markdown, ...rest } = (await answer.json()) as Record<string, unknown>
  expect(rest).toEqual({ report_id: id, status: 'completed', data_hash: report?.data_hash, truncated: false })
  expect(markdown).toStartWith('# Reputation report: Bäckerei\n')
  const foreign = await gate.call(
    'getReportMarkdown',
    { report_id: id },
    {
      workspace: gate.stranger.workspaceId,
    },
  )
  expect(foreign.status).toBeGreaterThanOrEqual(400)
  await gate.put(
    Report,
    part({
      ...report,
      id: 'rep_2',
      status: 'queued',
      is_open: true,
      pdf_url: undefined,
    }),
  )
  expect(await (await gate.call('getReportMarkdown', { report_id: 'rep_2' })).json()).toMatchObject({
    status: 'queued',
    markdown: null,
  })
})

test('the page of a report offers its forms to people who may see it', async () => {
  const { cookie } = await signedIn(gate)
  const open = (path: string, headers: Record<string, string> = { cookie }) =>
    gate.ask(path, { key: null, headers })
  const page = await (await open(`/app/reports/one?report=${id}`)).text()
  for (const extension of ['xlsx', 'csv', 'md']) {
    const address = `/app/data/reports/one/report.${extension}?report=${id}`
    expect(page).toContain(`href="${address}"`)
    const file = await open(address)
    expect(file.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="report-[0-9-]{21}\\.${extension}"$`),
    )
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(500)
    expect((await open(address, {})).status).toBe(303)
    expect((await open(`/app/data/reports/one/report.${extension}?report=rep_none`)).status).toBe(404)
    expect((await open(`/app/data/reports/one/report.${extension}?report=rep_2`)).status).toBe(404)
  }
})
