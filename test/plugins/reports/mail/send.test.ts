import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { dayMs, hourMs, minuteMs, moveState, where } from 'renown'
import { Agency } from '../../../../core/tenancy/Agency'
import { User } from '../../../../core/tenancy/User'
import { Workspace } from '../../../../core/tenancy/Workspace'
import { setParagraph } from '../../../../plugins/reports/acts/paragraph'
import { addRecipient, isMember, mailList, moveRecipient } from '../../../../plugins/reports/mail/recipients'
import { decideMail, dueReportMail, holdMail, sendNow } from '../../../../plugins/reports/mail/release'
import { sendReportMail } from '../../../../plugins/reports/mail/sendReportMail'
import { Report } from '../../../../plugins/reports/records/Report'
import { mailState, ReportMail } from '../../../../plugins/reports/records/ReportMail'
import { ReportRecipient } from '../../../../plugins/reports/records/ReportRecipient'
import { ScheduledReport } from '../../../../plugins/reports/records/ScheduledReport'
import { pauseSchedule, removeSchedule } from '../../../../plugins/reports/schedules/change-schedules'
import { dueSchedules } from '../../../../plugins/reports/schedules/dueSchedules'
import { reportedPeriod } from '../../../../plugins/reports/schedules/next-run'
import { startMailWorld } from './mail-world'

let world: Awaited<ReturnType<typeof startMailWorld>>
beforeAll(async () => {
  world = await startMailWorld()
})
afterAll(() => world.stop())
beforeEach(() => world.clear())

const confirmed = async (list_id: string, email = 'client@shop.example') => {
  const { token: stop_token } = await world.owner.newToken('rrs_')
  return world.owner.rows(ReportRecipient).insert({
    workspace_id: world.workspace_id,
    list_id,
    email,
    email_key: email,
    stop_token,
    state: 'confirmed',
    proof: 'link',
  })
}
/** A report of a schedule with one confirmed recipient, due now. */
const scheduled = async (given: Record<string, unknown> = {}, bytes?: number) => {
  const schedule = await world.schedule()
  const recipient = await confirmed(schedule.id)
  const planned = {
    scheduled_report_id: schedule.id,
    mail_state: 'planned',
    mail_at: world.owner.now().toISOString(),
  }
  return { schedule, recipient, report: await world.report({ ...planned, ...given }, bytes) }
}
/** What a person of a test has. */
interface Given {
  readonly role?: 'owner' | 'member'
  readonly is_active?: boolean
  readonly agency_id?: string
  readonly workspace_ids?: 'this' | 'other'
}
const get = async (id: string) => {
  const report = await world.owner.rows(Report).get(id)
  if (!report) throw new Error(`There is no report ${id}`)
  return report
}
const only = async () => {
  const mails = await world.mails()
  expect(mails).toHaveLength(1)
  const [mail] = mails
  if (!mail) throw new Error('There is no message.')
  return mail
}
const header = (data: string, name: string) =>
  new RegExp(`^${name}:(.*(?:\r\n[ \t].*)*)`, 'im')
    .exec(data)?.[1]
    ?.replaceAll(/\r\n[ \t]+/g, ' ')
    .trim()

describe('a message with a report', () => {
  test('goes to each confirmed recipient once, with the headers that mailboxes ask for', async () => {
    const { schedule, report, recipient } = await scheduled({ paragraph: 'A <b>good</b> month.' })
    await confirmed(schedule.id, 'second@shop.example')
    await Promise.all([world.due(), world.due()])
    const sent = await world.run()
    expect(sent.map(({ state }) => state)).toEqual(['sent', 'sent'])
    expect((await get(report.id)).mail_state).toBe('released')
    await world.due()
    await world.run()
    await sendNow(world.owner, report.id)
    await world.run()
    expect(world.server.received.map(({ to }) => to)).toHaveLength(2)
    const found = world.server.received.find(({ to }) => to.includes('<client@shop.example>'))
    const mine = found?.data.replaceAll('=\r\n', '') ?? ''
    const id = sent.find(({ email }) => email === 'client@shop.example')?.id
    expect(header(mine, 'Message-ID')).toBe(`<${id}@localhost>`)
    expect(header(mine, 'Auto-Submitted')).toBe('auto-generated')
    expect(header(mine, 'List-Unsubscribe')).toContain(`/p/report-stop/${recipient.stop_token}>`)
    expect(header(mine, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    expect(header(mine, 'From')).toMatch(/<news@example\.com>$/)
    expect(mine).toContain('Reputation score: 80 of 100')
    expect(mine).toContain('A <b>good</b> month.')
    expect(mine).toContain('A &lt;b&gt;good&lt;/b&gt; month.')
    expect(mine).toContain('Content-Type: application/pdf')
  })

  test('links a PDF of more than 2 MiB', async () => {
    const { report } = await scheduled({}, 2 * 1024 * 1024 + 1)
    await world.due()
    await world.run()
    const [mail] = world.server.received
    expect(mail?.data).not.toContain('application/pdf')
    expect(mail?.data.replaceAll('=\r\n', '')).toContain(String(report.pdf_url))
  })

  test('waits until the PDF has the newest paragraph', async () => {
    const { report } = await scheduled()
    await setParagraph(world.owner, report, 'New.')
    await world.due()
    expect(await world.run()).toMatchObject([{ state: 'queued', attempts: 1 }])
    expect(world.server.commands).toEqual([])
    await world.owner.rows(Report).update(report.id, { pdf_state: undefined })
    world.gate.clock.advance(minuteMs)
    expect(await world.run()).toMatchObject([{ state: 'sent' }])
  })

  test.each([
    [
      'the recipient stopped it',
      async (s: Scheduled) => void (await moveRecipient(world.owner, s.recipient, 'stopped')),
    ],
    ['the report is held', async (s: Scheduled) => void (await holdMail(world.owner, s.report.id))],
    [
      'the schedule is paused',
      async (s: Scheduled) => void (await pauseSchedule(world.owner, s.schedule.id, false)),
    ],
    [
      'the schedule is removed',
      async (s: Scheduled) => void (await removeSchedule(world.owner, s.schedule.id)),
    ],
  ])('is not sent if %s, also right before its content', async (_, stop) => {
    const before = await scheduled()
    await world.due()
    await stop(before)
    expect(await world.run()).toMatchObject([{ state: 'cancelled' }])
    await world.clear()
    const after = await scheduled()
    await world.due()
    const { commands } = world.server
    // The connection is open and the recipient accepted when the person stops it.
    const rows = world.owner.rows(ReportMail)
    const { id } = await only()
    const mail = { ...world.owner.outbound.mail }
    const send: typeof mail.send = (message) =>
      world.owner.outbound.mail.send({
        ...message,
        async beforeContent() {
          await stop(after)
          await message.beforeContent?.()
        },
      })
    const owner = { ...world.owner, outbound: { ...world.owner.outbound, mail: { ...mail, send } } }
    await sendReportMail.run(owner, { mail_id: id }, world.task())
    expect(await rows.get(id)).toMatchObject({ state: 'cancelled' })
    expect(commands).toContain('DATA')
    expect(world.server.received).toEqual([])
  })

  test('is not made if the schedule was paused in time', async () => {
    const { schedule, report } = await scheduled()
    await pauseSchedule(world.owner, schedule.id, false)
    await world.due()
    expect(await world.mails()).toEqual([])
    expect(await get(report.id)).toMatchObject({
      mail_state: 'cancelled',
      mail_note: 'The schedule is paused.',
    })
    // A person can still send it.
    expect(await sendNow(world.owner, report.id)).toEqual({ queued: 1 })
    expect(await world.run()).toMatchObject([{ state: 'sent' }])
  })
})
type Scheduled = Awaited<ReturnType<typeof scheduled>>

describe('a report that no schedule made', () => {
  test('is sent to its own recipients when a person sends it, and not before', async () => {
    const report = await world.report()
    await confirmed(report.id)
    await world.due()
    expect(await world.mails()).toEqual([])
    expect(await sendNow(world.owner, report.id)).toEqual({ queued: 1 })
    expect((await get(report.id)).mail_state).toBe('released')
    expect(await world.run()).toMatchObject([{ state: 'sent' }])
    await confirmed(report.id, 'second@shop.example')
    expect(await sendNow(world.owner, report.id)).toEqual({ queued: 1 })
  })

  test('is planned if its schedule asks for it while it is being made', async () => {
    const { id } = await world.schedule()
    const { period_start, period_end } = reportedPeriod(
      { cadence: 'monthly', day: 1, timezone: 'UTC' },
      world.owner.now(),
    )
    const made = await world.owner.rows(Report).insert({
      workspace_id: world.workspace_id,
      business_location_id: world.location,
      status: 'queued',
      template: 'monthly_reputation_report',
      period_start,
      period_end,
      is_open: true,
    })
    await world.owner.rows(ScheduledReport).update(id, { next_run_at: '2026-01-01T06:00:00.000Z' })
    await dueSchedules.run(world.owner, new AbortController().signal)
    expect(await get(made.id)).toMatchObject({ mail_state: 'planned', scheduled_report_id: id })
  })
})

describe('a report that people look at first', () => {
  test('is sent 24 hours after it was made, and not while it is held', async () => {
    const { id } = await world.schedule({ review_first: true })
    await world.owner.rows(ScheduledReport).update(id, { next_run_at: '2026-01-01T06:00:00.000Z' })
    const before = world.owner.now().getTime()
    await dueSchedules.run(world.owner, new AbortController().signal)
    const [made] = await world.owner.rows(Report).list({ limit: 1 })
    expect(made).toMatchObject({ mail_state: 'planned', scheduled_report_id: id })
    const mail_at = Date.parse(made?.mail_at ?? '')
    expect(mail_at).toBeGreaterThanOrEqual(before + dayMs)
    expect(mail_at).toBeLessThanOrEqual(world.owner.now().getTime() + dayMs)
  })

  test('is held until a person sends it', async () => {
    const mail_at = new Date(world.owner.now().getTime() + hourMs).toISOString()
    const { report } = await scheduled({ mail_at })
    await world.due()
    expect(await world.mails()).toEqual([])
    await holdMail(world.owner, report.id)
    world.gate.clock.advance(2 * hourMs)
    await world.due()
    expect(await world.mails()).toEqual([])
    await sendNow(world.owner, report.id)
    expect(await world.run()).toMatchObject([{ state: 'sent', by_person: true }])
  })
})

describe('a mail server', () => {
  test('that refuses the recipient ends it, with its words shortened', async () => {
    await scheduled()
    world.server.faults.recipient = `550 5.1.1 no such user ${'x'.repeat(400)}`
    await world.due()
    await world.run()
    const mail = await only()
    expect(mail.state).toBe('failed')
    expect(mail.error).toContain('no such user')
    expect(mail.error?.length).toBeLessThanOrEqual(300)
    await world.run()
    expect(world.server.commands.filter((line) => line.startsWith('RCPT'))).toHaveLength(1)
  })

  test.each([
    ['answers 450 to the recipient', { recipient: '450 4.2.1 try later' }],
    ['answers 452 to the content', { data: '452 4.3.1 full' }],
    ['closes the connection before the content', { cutAt: 'DATA' }],
    ['closes the connection after its greeting', { cutAt: 'EHLO' }],
  ])('that %s gets it again', async (_, faults) => {
    await scheduled()
    await world.due()
    Object.assign(world.server.faults, faults)
    expect(await world.run()).toMatchObject([{ state: 'queued', attempts: 1 }])
    // Not before its time.
    expect(await world.run()).toMatchObject([{ state: 'queued', attempts: 1 }])
    for (const name of Object.keys(faults))
      delete world.server.faults[name as keyof typeof world.server.faults]
    world.gate.clock.advance(minuteMs)
    expect(await world.run()).toMatchObject([{ state: 'sent', attempts: 2 }])
    expect(world.server.received).toHaveLength(1)
  })

  test('that refuses for a day ends it', async () => {
    await scheduled()
    await world.due()
    world.server.faults.recipient = '450 4.2.1 try later'
    const began = world.gate.clock.now().getTime()
    for (let n = 0; n < 12; n++) {
      await world.run()
      world.gate.clock.advance(
        Math.max(0, Date.parse((await only()).due_at) - world.gate.clock.now().getTime()),
      )
    }
    const mail = await only()
    expect(mail).toMatchObject({ state: 'failed', attempts: 10 })
    expect(Date.parse(mail.ended_at ?? '') - began).toBeLessThanOrEqual(dayMs + hourMs)
  })

  test('that gives no answer after the content leaves it unknown until a person decides', async () => {
    await scheduled()
    await world.due()
    world.server.faults.loseAnswer = true
    expect(await world.run()).toMatchObject([{ state: 'unknown' }])
    delete world.server.faults.loseAnswer
    world.gate.clock.advance(2 * dayMs)
    await world.due()
    expect(await world.run()).toMatchObject([{ state: 'unknown' }])
    const { id } = await only()
    const first = world.server.received.length
    await decideMail(world.owner, id, 'again')
    expect(await world.run()).toMatchObject([{ state: 'sent' }])
    expect(world.server.received).toHaveLength(first + 1)
    const ids = world.server.received.map(({ data }) => header(data, 'Message-ID'))
    expect(new Set(ids).size).toBe(1)
  })
})

/** Leaves a message as a process that was killed leaves it. */
const killedWhile = (id: string, has_content: boolean) =>
  world.owner.rows(ReportMail).updateWhere(where.eq('id', id), {
    ...moveState(mailState, 'queued', 'sending', { now: world.owner.now() }),
    attempts: 1,
    has_content,
  })

describe('a process that is killed', () => {
  test('before the content is sent again, and after it is never sent blindly', async () => {
    await scheduled()
    await world.due()
    const { id } = await only()
    await killedWhile(id, false)
    expect(await world.run()).toMatchObject([{ state: 'sent', attempts: 2 }])
    await world.clear()
    await scheduled()
    await world.due()
    await killedWhile((await only()).id, true)
    expect(await world.run()).toMatchObject([{ state: 'unknown' }])
    expect(world.server.received).toEqual([])
  })

  test('leaves a message that is put into the queue again, and none that has ended', async () => {
    await scheduled()
    await world.due()
    const { id } = await only()
    await killedWhile(id, false)
    const asked = async () => {
      const enqueued: string[] = []
      const enqueue = async (_: string, { key = '' }: { readonly key?: string }) => {
        enqueued.push(key)
        return { job_id: 'job_1', deduplicated: false }
      }
      await dueReportMail.run({ ...world.owner, enqueue }, new AbortController().signal)
      return enqueued
    }
    expect(await asked()).toEqual([id])
    expect(await world.run()).toMatchObject([{ state: 'sent' }])
    expect(await asked()).toEqual([])
  })

  test('that lost its job sends nothing', async () => {
    await scheduled()
    await world.due()
    const lost = async () => {
      throw new Error('the lease is lost')
    }
    await expect(world.run({ hold: lost })).rejects.toThrow('the lease is lost')
    expect(world.server.received).toEqual([])
    expect(await world.mails()).toMatchObject([{ state: 'queued', has_content: false }])
  })
})

describe('a recipient', () => {
  test('who is no member confirms once by a link, and stops by one', async () => {
    const { id } = await world.schedule()
    const list = await mailList(world.owner, id)
    const added = await addRecipient(world.owner, list, ' Client@Shop.example ')
    expect(added).toMatchObject({ state: 'pending', email: 'Client@Shop.example' })
    expect(await world.run()).toMatchObject([{ kind: 'confirmation', state: 'sent' }])
    const [asked] = world.server.received
    const [, path = ''] =
      /(\/p\/report-confirm\/[\w-]+)/.exec(asked?.data.replaceAll('=\r\n', '') ?? '') ?? []
    const outside = (to: string, body?: string) =>
      world.gate.ask(to, {
        key: null,
        ...(body === undefined ? {} : { method: 'POST', body }),
        headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      })
    // A scanner that opens the link confirms nothing.
    expect((await outside(path)).status).toBe(200)
    const state = async () => (await world.owner.rows(ReportRecipient).get(added.id))?.state
    expect(await state()).toBe('pending')
    const confirming = await outside(path, '')
    expect(await confirming.text()).toContain('You are on the list')
    expect(await state()).toBe('confirmed')
    const other = await world.schedule({ template: 'visibility_report' })
    const again = await addRecipient(
      world.owner,
      await mailList(world.owner, other.id),
      'client@shop.example',
    )
    expect(again).toMatchObject({ state: 'confirmed', proof: 'link' })

    const stop = `/p/report-stop/${added.stop_token}`
    expect(await (await outside(stop)).text()).toContain('Stop reports')
    expect(await state()).toBe('confirmed')
    const stopped = await outside(stop, 'List-Unsubscribe=One-Click')
    expect(stopped.status).toBe(200)
    expect(await state()).toBe('stopped')
    // Mail programs may send the form in parts.
    const multipart = await world.gate.ask(`/p/report-stop/${again.stop_token}`, {
      key: null,
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    })
    expect(await multipart.text()).toContain('Reports stopped')
    expect((await world.owner.rows(ReportRecipient).get(again.id))?.state).toBe('stopped')
    // An owner who adds the address again only asks for a new confirmation.
    expect((await addRecipient(world.owner, list, 'client@shop.example')).state).toBe('pending')
  })

  test('of a link that ended, or of another one, confirms nothing', async () => {
    const { id } = await world.schedule()
    await addRecipient(world.owner, await mailList(world.owner, id), 'client@shop.example')
    await world.run()
    const data = world.server.received[0]?.data.replaceAll('=\r\n', '') ?? ''
    const [, path = ''] = /(\/p\/report-confirm\/[\w-]+)/.exec(data) ?? []
    world.gate.clock.advance(15 * dayMs)
    expect((await world.gate.ask(path, { key: null })).status).toBe(404)
    expect((await world.gate.ask(`${path.slice(0, -1)}_`, { key: null })).status).toBe(404)
  })

  test.each(['a@b.example\r\nBcc: evil@c.example', 'a@b.example, c@d.example', 'Ada <a@b.example>', ''])(
    '%j is refused',
    async (email) => {
      const { id } = await world.schedule()
      const list = await mailList(world.owner, id)
      await expect(addRecipient(world.owner, list, email)).rejects.toMatchObject({ code: 'invalid_field' })
      expect(await world.mails()).toEqual([])
    },
  )

  test.each([
    ['an owner', { role: 'owner' }, true],
    ['an owner who was removed', { role: 'owner', is_active: false }, false],
    ['a member with this workspace', { role: 'member', workspace_ids: 'this' }, true],
    ['a member with this workspace who was removed', { workspace_ids: 'this', is_active: false }, false],
    ['a member with another workspace', { role: 'member', workspace_ids: 'other' }, false],
    ['an owner of another agency', { role: 'owner', agency_id: 'agc_other' }, false],
  ] as const)(
    'who is %s needs a confirmation unless the person may open the workspace',
    async (_, given, isOne) => {
      const { role = 'member', is_active = true, agency_id, workspace_ids } = given as Given
      const workspace = await world.owner.rows(Workspace).get(world.workspace_id)
      const own = workspace?.agency_id ?? ''
      const person = await world.owner.rows(User).insert({
        workspace_id: own,
        agency_id: agency_id ?? own,
        role,
        is_active,
        email: 'ada@agency.example',
        ...(workspace_ids === undefined
          ? {}
          : { workspace_ids: [workspace_ids === 'this' ? world.workspace_id : 'wsp_other'] }),
      })
      const { id } = await world.schedule()
      const list = await mailList(world.owner, id)
      const added = await addRecipient(world.owner, list, 'Ada@Agency.example')
      await world.owner.rows(User).removeWhere(where.eq('id', person.id))
      expect([added.state, added.proof]).toEqual(isOne ? ['confirmed', 'member'] : ['pending', undefined])
    },
  )

  test('of the agency gets mail as long as the person is active', async () => {
    expect(await isMember(world.owner, world.workspace_id, 'nobody@shop.example')).toBe(false)
    const { schedule, recipient } = await scheduled()
    await world.owner.rows(ReportRecipient).update(recipient.id, { proof: 'member' })
    await world.due()
    expect(await world.run()).toMatchObject([
      { state: 'cancelled', error: 'The recipient no longer has access to the workspace.' },
    ])
    expect(schedule.is_active).toBe(true)
  })

  test('whose agency has line breaks in its name gets no other header', async () => {
    const [agency] = await world.owner.rows(Agency).list({ limit: 1 })
    await world.owner
      .rows(Agency)
      .update(agency?.id ?? '', { name: 'Evil\r\nBcc: x@y.example, "<z@y.example>' })
    await scheduled()
    await world.due()
    await world.run()
    const [mail] = world.server.received
    expect(mail?.to).toHaveLength(1)
    expect(mail?.data).not.toMatch(/^Bcc:/im)
    expect(header(mail?.data ?? '', 'From')).toMatch(/<news@example\.com>$/)
  })
})
