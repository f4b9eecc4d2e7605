import { afterAll, beforeAll, expect, test } from 'bun:test'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { holdMail } from '../../../../plugins/reports/mail/release'
import { Report } from '../../../../plugins/reports/records/Report'
import { ScheduledReport } from '../../../../plugins/reports/records/ScheduledReport'
import { type Gate, startGate } from '../../../support/harness'
import { part } from '../../../support/part'
import { signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'

let gate: Gate
let ada: Visitor
let location: string
beforeAll(async () => {
  gate = await startGate({ plugins: [...corePlugins, ...builtin] })
  const { cookie } = await signedIn(gate)
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = cookie.indexOf('=')
  ada.cookies.set(cookie.slice(0, at), cookie.slice(at + 1))
  location = (await place('Harbour Bakehouse', true)).id
})
afterAll(() => gate.stop())

const place = (business_name: string, is_active: boolean) =>
  gate.put(BusinessLocation, { business_name, is_active, is_prospect: false, auto_response_enabled: false })
const report = (more: Record<string, unknown>) =>
  gate.put(
    Report,
    part({
      template: 'monthly_reputation_report',
      period_start: '2025-01-01',
      period_end: '2025-01-31',
      business_location_id: location,
      period_label: 'January 2025',
      is_public: false,
      ...more,
    }),
  )
const inbox = async () => (await ada.open('/app/inbox?source=reports')).text

test('a failed report waits until it is made again, and then it is gone', async () => {
  await report({ status: 'failed', error_message: 'No room left' })
  expect(await inbox()).toContain('Reputation report, January 2025')
  await report({ status: 'completed', source: 'manual' })
  expect(await inbox()).not.toContain('January 2025')
})

test('a report of a schedule or an agent waits until it is shared, one of a person does not', async () => {
  const february = { period_start: '2025-02-01', period_end: '2025-02-28', status: 'completed' }
  await report({ ...february, source: 'manual', period_label: 'By hand' })
  const made = await report({ ...february, source: 'agent', period_label: 'By an agent' })
  await report({ ...february, source: 'scheduled', period_label: 'By a schedule' })
  const before = await inbox()
  expect(before).toContain('By an agent')
  expect(before).toContain('By a schedule')
  expect(before).not.toContain('By hand')
  await gate.owner.rows(Report).update(made.id, { is_public: true, public_share_id: 'abcdefGHIJ12' })
  expect(await inbox()).not.toContain('By an agent')
})

test('a report that is mailed later waits with that time, once, until it is sent or held', async () => {
  const mail_at = new Date(gate.clock.now().getTime() + 3_600_000).toISOString()
  const made = await report({
    period_start: '2025-03-01',
    period_end: '2025-03-31',
    status: 'completed',
    source: 'scheduled',
    period_label: 'March 2025',
    mail_state: 'planned',
    mail_at,
  })
  const titles = async () => (await inbox()).match(/Reputation report, March 2025/g)?.length ?? 0
  expect(await inbox()).toContain('A report waits for your look: Reputation report, March 2025')
  const count = await titles()
  const entry = await ada.open(`/app/inbox?entry=reports~planned.${made.id}`)
  expect(entry.text).toMatch(
    /Renown mails it on .* Until then, edit the paragraph, send it now, or hold it\./,
  )
  await holdMail(gate.owner, made.id)
  expect(await inbox()).not.toContain('waits for your look')
  // Then it is a new report that nobody shared, in one entry as well.
  expect(await titles()).toBe(count)
})

test('a schedule of a paused location waits, and one of an active location does not', async () => {
  const paused = await place('Paused Bakery', false)
  for (const business_location_id of [paused.id, location]) {
    await gate.put(ScheduledReport, {
      business_location_id,
      template: 'monthly_reputation_report',
      cadence: 'monthly',
      day: 1,
      timezone: 'UTC',
      recipients_count: 0,
      is_active: true,
    })
  }
  const text = await inbox()
  expect(text.match(/A schedule makes reports of a paused location/g)).not.toBeNull()
  expect(text).toContain('Paused Bakery')
})
