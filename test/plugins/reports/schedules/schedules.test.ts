import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Row } from 'renown'
import { everything, where } from '../../../../core/contracts/where'
import { corePlugins } from '../../../../core/product/core-plugins'
import { auditOf } from '../../../../core/tenancy/audit/audit'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { Report } from '../../../../plugins/reports/records/Report'
import { ScheduledReport } from '../../../../plugins/reports/records/ScheduledReport'
import { addSchedule, removeSchedule } from '../../../../plugins/reports/schedules/change-schedules'
import { dueSchedules } from '../../../../plugins/reports/schedules/dueSchedules'
import { type Cadence, nextRun, reportedPeriod } from '../../../../plugins/reports/schedules/next-run'
import {
  createSchedule,
  pauseScheduleAct,
  removeScheduleAct,
  resumeScheduleAct,
} from '../../../../plugins/reports/schedules/schedule-commands'
import { type Gate, startGate } from '../../../support/harness'

const at = (text: string) => new Date(text)
const schedule = (cadence: Cadence['cadence'], day: number, timezone = 'UTC') => ({ cadence, day, timezone })

describe('the next run', () => {
  test.each([
    ['weekly', 1, '2026-11-23T05:59:00Z', '2026-11-23T06:00:00.000Z'],
    ['weekly', 1, '2026-11-23T06:00:00Z', '2026-11-30T06:00:00.000Z'],
    ['weekly', 7, '2026-11-23T00:00:00Z', '2026-11-29T06:00:00.000Z'],
    ['monthly', 1, '2026-11-23T00:00:00Z', '2026-12-01T06:00:00.000Z'],
    ['monthly', 31, '2026-02-01T00:00:00Z', '2026-02-28T06:00:00.000Z'],
    ['monthly', 31, '2026-02-28T07:00:00Z', '2026-03-31T06:00:00.000Z'],
    ['quarterly', 1, '2026-11-23T00:00:00Z', '2027-01-01T06:00:00.000Z'],
    ['quarterly', 15, '2026-10-14T00:00:00Z', '2026-10-15T06:00:00.000Z'],
  ] as const)('%s on day %d after %s is %s', (cadence, day, after, run) => {
    expect(nextRun(schedule(cadence, day), at(after)).toISOString()).toBe(run)
  })

  test('is at 6 o’clock of the time zone, also after the clocks change', () => {
    const madrid = schedule('monthly', 1, 'Europe/Madrid')
    expect(nextRun(madrid, at('2026-10-02T00:00:00Z')).toISOString()).toBe('2026-11-01T05:00:00.000Z')
    expect(nextRun(madrid, at('2026-09-02T00:00:00Z')).toISOString()).toBe('2026-10-01T04:00:00.000Z')
  })

  test('covers the last full week, month or quarter', () => {
    const of = (cadence: Cadence['cadence'], run: string) =>
      Object.values(reportedPeriod(schedule(cadence, 1), at(run)))
    expect(of('weekly', '2026-11-25T06:00:00Z')).toEqual(['2026-11-16', '2026-11-22'])
    expect(of('monthly', '2026-03-01T06:00:00Z')).toEqual(['2026-02-01', '2026-02-28'])
    expect(of('quarterly', '2027-01-01T06:00:00Z')).toEqual(['2026-10-01', '2026-12-31'])
  })
})

describe('a schedule', () => {
  let gate: Gate
  let location: string
  beforeAll(async () => {
    gate = await startGate({ plugins: [...corePlugins, ...builtin] })
    const row = { business_name: 'Bakery', is_active: true, is_prospect: false, auto_response_enabled: false }
    location = (await gate.put(BusinessLocation, row)).id
  })
  afterAll(() => gate.stop())
  beforeEach(async () => {
    for (const entity of [Report, ScheduledReport]) await gate.owner.rows(entity).removeWhere(everything)
  })
  const add = (more = {}) =>
    addSchedule(gate.owner, {
      business_location_id: location,
      template: 'monthly_reputation_report',
      cadence: 'monthly',
      day: 1,
      ...more,
    })
  const run = () => dueSchedules.run(gate.owner, new AbortController().signal)
  const pass = (id: string) =>
    gate.owner.rows(ScheduledReport).update(id, { next_run_at: '2026-01-01T06:00:00.000Z' })

  test('asks for one report when it is due, also after runs that passed and when it runs twice', async () => {
    const { id, next_run_at } = await add()
    await run()
    expect(await gate.owner.rows(Report).count()).toBe(0)
    await pass(id)
    await Promise.all([run(), run()])
    const reports = await gate.owner.rows(Report).list()
    expect(reports).toMatchObject([{ source: 'scheduled', scheduled_report_id: id, status: 'queued' }])
    const after = await gate.owner.rows(ScheduledReport).get(id)
    expect(after).toMatchObject({ next_run_at, last_report_id: reports[0]?.id })
    // The process ended before it stored the next run, and the report was made meanwhile.
    await pass(id)
    await gate.owner.rows(Report).updateWhere(everything, { is_open: false })
    await run()
    expect(await gate.owner.rows(Report).count()).toBe(1)
  })

  test('begins a report with the paragraph of the one before only if a person wanted that', async () => {
    for (const keep_paragraph of [true, false]) {
      const { id } = await add({ keep_paragraph })
      const before = await gate.put(Report, {
        template: 'monthly_reputation_report',
        period_start: '2025-01-01',
        period_end: '2025-01-31',
        business_location_id: location,
        status: 'queued',
        paragraph: 'Hello.',
      })
      await gate.owner.rows(ScheduledReport).update(id, { last_report_id: before.id })
      await pass(id)
      await run()
      const [made] = await gate.owner.rows(Report).list({ where: where.eq('scheduled_report_id', id) })
      expect(made?.paragraph).toBe(keep_paragraph ? 'Hello.' : undefined)
      for (const entity of [Report, ScheduledReport]) await gate.owner.rows(entity).removeWhere(everything)
    }
  })

  test('is in the audit log when it is added, paused, resumed and removed', async () => {
    const input = { template: 'monthly_reputation_report', cadence: 'monthly', day: 1 } as const
    const { id } = (await createSchedule.command.run(gate.owner, {
      ...input,
      location_id: location,
      recipients: [],
      review_first: false,
      keep_paragraph: false,
    })) as { id: string }
    const row = (await gate.owner.rows(ScheduledReport).get(id)) as Row<typeof ScheduledReport>
    for (const act of [pauseScheduleAct, resumeScheduleAct, removeScheduleAct])
      await act.perform(gate.owner, { row, input: {} })
    const { entries } = await auditOf(gate.owner).list(gate.tenant.agencyId, { limit: 100 })
    const own = entries.filter(({ subject }) => subject === `schedule ${id}`)
    expect(own.map(({ action }) => action).toSorted()).toEqual([
      'location.report_schedule_add',
      'location.report_schedule_pause',
      'location.report_schedule_remove',
      'location.report_schedule_resume',
    ])
  })

  test('counts towards the limit of its location. getLimits shows the fullest locations first', async () => {
    const made: string[] = []
    for (const schedules of [1, 3, 2]) {
      const row = { is_active: true, is_prospect: false, auto_response_enabled: false }
      const { id } = await gate.put(BusinessLocation, { ...row, business_name: `Shop ${schedules}` })
      made.push(id)
      for (let day = 1; day <= schedules; day++) await add({ business_location_id: id, day })
    }
    const answer = (await (await gate.call('getLimits', {})).json()) as { limits: { name: string }[] }
    const own = answer.limits.filter(({ name }) => name === 'scheduled_reports')
    expect(own).toMatchObject([
      { subject: 'Shop 3', used: 3 },
      { subject: 'Shop 2', used: 2 },
      { subject: 'Shop 1', used: 1 },
    ])
    await gate.owner.rows(BusinessLocation).removeWhere(where.in('id', made))
  })

  test('asks for nothing once it is removed', async () => {
    const { id } = await add()
    await pass(id)
    await removeSchedule(gate.owner, id)
    await run()
    expect(await gate.owner.rows(Report).count()).toBe(0)
  })

  test('is refused with the field that is wrong', async () => {
    await expect(add({ cadence: 'weekly', day: 8 })).rejects.toMatchObject({
      details: { errors: [{ pointer: '/day' }] },
    })
    await expect(add({ template: 'none' })).rejects.toMatchObject({
      details: { errors: [{ pointer: '/template' }] },
    })
    await expect(add({ business_location_id: 'loc_none' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
