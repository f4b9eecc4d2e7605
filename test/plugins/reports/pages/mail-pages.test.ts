import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { moveState, where } from 'renown'
import { Report } from '../../../../plugins/reports/records/Report'
import { mailState, ReportMail } from '../../../../plugins/reports/records/ReportMail'
import { ReportRecipient, recipientState } from '../../../../plugins/reports/records/ReportRecipient'
import { ScheduledReport } from '../../../../plugins/reports/records/ScheduledReport'
import { signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'
import { startMailWorld } from '../mail/mail-world'

let world: Awaited<ReturnType<typeof startMailWorld>>
let ada: Visitor
beforeAll(async () => {
  world = await startMailWorld()
  const person = await signedIn(world.gate)
  ada = createVisitor((asked) => world.gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = person.cookie.indexOf('=')
  ada.cookies.set(person.cookie.slice(0, at), person.cookie.slice(at + 1))
})
afterAll(() => world.stop())
beforeEach(() => world.clear())

const rows = () => world.owner.rows(ReportRecipient).list({ limit: 10 })

describe('the page of reports', () => {
  const asked = { template: 'monthly_reputation_report', cadence: 'monthly', day: '1' }
  test('makes a schedule with recipients, or nothing if one of them is no address', async () => {
    await ada.open('/app/reports')
    const form = { location: world.location, ...asked, review_first: 'yes' }
    const wrong = { ...form, recipients: 'ada@shop.example\r\nBcc evil' }
    const refused = await ada.submit('/app/reports/schedule', wrong)
    expect(refused.text).toContain('This is none: Bcc evil')
    expect(await world.owner.rows(ScheduledReport).count()).toBe(0)
    await ada.submit('/app/reports/schedule', {
      ...form,
      recipients: 'ada@shop.example\r\n\r\nbob@shop.example',
    })
    expect(await world.owner.rows(ScheduledReport).list({ limit: 2 })).toMatchObject([
      { recipients_count: 2, review_first: true, keep_paragraph: false },
    ])
    expect((await rows()).map(({ state }) => state)).toEqual(['pending', 'pending'])
  })
})

describe('the page of a schedule', () => {
  test('adds and removes recipients, and pauses', async () => {
    const { id } = await world.schedule()
    const page = `/app/reports/scheduled?schedule=${id}`
    const { text } = await ada.open(page)
    expect(text).toContain('Active')
    const own = { schedule: id, id }
    const path = '/app/reports/scheduled'
    const refused = await ada.submit(`${path}/add-recipient`, { ...own, email: 'a@b.example, c@d.example' })
    expect(refused.text).toContain('Type one e-mail address')
    const added = await ada.submit(`${path}/add-recipient`, { ...own, email: 'ada@shop.example' })
    expect(added.text).toContain('Not confirmed')
    const [{ id: recipient } = { id: '' }] = await rows()
    await ada.submit(`${path}/ask-again`, { schedule: id, recipient })
    await ada.submit(`${path}/remove-recipient`, { schedule: id, recipient })
    expect(await rows()).toEqual([])
    expect((await ada.submit(`${path}/pause`, own)).text).toContain('The schedule is paused.')
    expect((await ada.submit(`${path}/resume`, own)).text).toContain('The schedule is active again.')
  })
})

describe('the page of a report', () => {
  test('sends it, holds it, and shows what became of each message', async () => {
    const report = await world.report({ mail_state: 'planned', mail_at: '2999-01-01T00:00:00.000Z' })
    const page = `/app/reports/one?report=${report.id}`
    expect((await ada.open(page)).text).toContain('Planned')
    const own = { report: report.id, id: report.id }
    const path = '/app/reports/one'
    expect((await ada.submit(`${path}/hold`, own)).text).toContain('It is not mailed until you send it.')
    await ada.submit(`${path}/add-recipient`, { ...own, email: 'ada@shop.example' })
    const [recipient] = await rows()
    const moved = moveState(recipientState, 'pending', 'confirmed', { now: world.owner.now() })
    await world.owner.rows(ReportRecipient).updateWhere(where.eq('id', recipient?.id ?? ''), moved)
    expect((await ada.submit(`${path}/send`, own)).text).toContain('Waiting')
    expect(await world.owner.rows(Report).get(report.id)).toMatchObject({ mail_state: 'released' })
    const mine = where.eq('report_id', report.id)
    const [mail] = await world.owner.rows(ReportMail).list({ where: mine, limit: 2 })
    const mails = world.owner.rows(ReportMail)
    for (const [from, to] of [
      ['queued', 'sending'],
      ['sending', 'unknown'],
    ] as const) {
      await mails.updateWhere(mine, moveState(mailState, from, to, { now: world.owner.now() }))
    }
    expect((await ada.open(page)).text).toContain('It arrived')
    await ada.submit(`${path}/decide`, { report: report.id, mail: mail?.id ?? '', decision: 'arrived' })
    expect(await mails.get(mail?.id ?? '')).toMatchObject({ state: 'sent' })
  })
})
