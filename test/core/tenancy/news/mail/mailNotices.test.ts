import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { MailMessage } from '../../../../../core/contracts/mail'
import type { Task } from '../../../../../core/contracts/queue'
import { ServiceFault } from '../../../../../core/contracts/service-fault'
import { tenancy, User, Workspace } from '../../../../../core/product/tenancy-plugin'
import { choiceOf, choose } from '../../../../../core/tenancy/news/mail/choices'
import { MailChoice } from '../../../../../core/tenancy/news/mail/MailChoice'
import { MailDelivery } from '../../../../../core/tenancy/news/mail/MailDelivery'
import { mailNotices } from '../../../../../core/tenancy/news/mail/mailNotices'
import { sendMail } from '../../../../../core/tenancy/news/mail/send-mail'
import { Notification } from '../../../../../core/tenancy/news/Notification'
import { part } from '../../../../support/part'
import { type Workbench, workbench } from '../../../../support/workbench'

let bench: Workbench
let ids: Record<string, string>
const sent: MailMessage[] = []
const queued: { delivery_id: string }[] = []
let fault: ServiceFault | undefined
let isConfigured = true

beforeEach(async () => {
  sent.length = 0
  queued.length = 0
  fault = undefined
  isConfigured = true
  bench = await workbench([tenancy], {
    mail: {
      get isConfigured() {
        return isConfigured
      },
      from: 'news@example.com',
      verify: async () => {},
      async send(message) {
        if (fault) throw fault
        sent.push(message)
      },
    },
  })
  ids = await bench.command('agency create', { name: 'Acme', owner_email: 'ada@example.com' })
})
afterEach(() => bench.stop())

/** The system context of the test, with a queue that keeps its jobs. */
const ctx = () => ({
  ...bench.owner,
  enqueue: async (_: string, job: { payload: unknown; key?: string }) => {
    const payload = job.payload as { delivery_id: string }
    const deduplicated = queued.some(({ delivery_id }) => delivery_id === payload.delivery_id)
    if (!deduplicated) queued.push(payload)
    return { job_id: 'job_1', deduplicated }
  },
})
const look = () => mailNotices.run(ctx(), new AbortController().signal)
const task = { hold: async () => {}, attempt: 1 } as unknown as Task
const deliver = async () => {
  for (const payload of queued.splice(0)) await sendMail.run(ctx(), payload, task)
}
const happen = (
  title: string,
  more: Partial<{ body: string; is_read: boolean; workspace_id: string }> = {},
) =>
  bench.owner.rows(Notification).insert({
    workspace_id: ids.workspace_id ?? '',
    type: 'sync',
    severity: 'warning',
    title,
    body: 'Look at it.',
    is_read: false,
    ...more,
  })
const pass = (minutes: number) => {
  bench.now = new Date(bench.now.getTime() + minutes * 60_000)
}
const person = async (id = ids.user_id) =>
  (await bench.owner.rows(User).get(id ?? '')) ?? expect.unreachable()
const workspace = async () =>
  (await bench.owner.rows(Workspace).get(ids.workspace_id ?? '')) ?? expect.unreachable()
const chooseFor = async (frequency: 'at_once' | 'daily' | 'weekly' | 'off') => {
  await choose(ctx(), await person(), await workspace(), frequency)
  pass(1)
}
const deliveries = () => bench.owner.rows(MailDelivery).list({})

describe('by default', () => {
  test('an owner gets one mail at the next 08:00 with all that is unread', async () => {
    await happen('Google disconnected')
    await happen('Facebook disconnected')
    await happen('Read already', { is_read: true })
    await look()
    pass(60)
    await look()
    await deliver()
    expect(sent).toEqual([])
    bench.now = new Date('2026-03-16T08:00:30.000Z')
    await look()
    await deliver()
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ to: 'ada@example.com', subject: 'Acme: 2 notifications' })
    expect(sent[0]?.text).toContain('Google disconnected')
    expect(sent[0]?.text).not.toContain('Read already')
    expect(sent[0]?.unsubscribeUrl).toContain('/app/mail/stop?token=rnw_mail_')
    for (let day = 0; day < 3; day++) {
      pass(24 * 60)
      await look()
      await deliver()
    }
    expect(sent).toHaveLength(1)
  })

  test('members and people without an address get none', async () => {
    const of = { workspace_id: ids.agency_id ?? '', agency_id: ids.agency_id ?? '', is_active: true }
    await bench.owner
      .rows(User)
      .insert({ ...of, role: 'member', email: 'mia@example.com', workspace_ids: [ids.workspace_id ?? ''] })
    await bench.owner.rows(User).insert({ ...of, role: 'owner', name: 'No address' })
    await happen('News')
    await look()
    pass(3 * 24 * 60)
    await look()
    await deliver()
    expect(sent.map(({ to }) => to)).toEqual(['ada@example.com'])
  })
})

describe('a choice', () => {
  test('at once: each notification is mailed within two looks, and once', async () => {
    await chooseFor('at_once')
    for (const title of ['First', 'Second', 'Third']) {
      await happen(title)
      pass(2)
      await look()
      await deliver()
    }
    expect(sent.map(({ subject }) => subject)).toEqual(['Acme: First', 'Acme: Second', 'Acme: Third'])
  })
  test('a notification that is still being written waits for the next mail, and is not lost', async () => {
    await chooseFor('at_once')
    await happen('Early')
    pass(2)
    const late = bench.now
    await happen('Same moment')
    await look()
    await deliver()
    expect(sent.map(({ subject }) => subject)).toEqual(['Acme: Early'])
    bench.now = late
    pass(2)
    await look()
    await deliver()
    expect(sent.map(({ subject }) => subject)).toEqual(['Acme: Early', 'Acme: Same moment'])
  })
  test('off: nothing is mailed, and nothing of that time afterwards', async () => {
    await chooseFor('off')
    await happen('While off')
    pass(48 * 60)
    await look()
    await deliver()
    expect(sent).toEqual([])
    await chooseFor('at_once')
    await happen('After')
    pass(2)
    await look()
    await deliver()
    expect(sent.map(({ subject }) => subject)).toEqual(['Acme: After'])
  })
})

describe('right before a message is sent', () => {
  const ready = async () => {
    await chooseFor('at_once')
    await happen('News')
    pass(2)
    await look()
    expect(queued).toHaveLength(1)
  }
  test.each([
    ['mail was stopped', () => chooseFor('off')],
    [
      'the person left',
      async () => void (await bench.owner.rows(User).update(ids.user_id ?? '', { is_active: false })),
    ],
    [
      'the workspace was archived',
      async () =>
        void (await bench.owner.rows(Workspace).update(ids.workspace_id ?? '', { is_active: false })),
    ],
    [
      'all was read',
      async () => {
        for (const { id } of await bench.owner.rows(Notification).list({}))
          await bench.owner.rows(Notification).update(id, { is_read: true })
      },
    ],
  ] as [string, () => Promise<unknown>][])('it is cancelled where %s', async (_, change) => {
    await ready()
    await change()
    await deliver()
    expect(sent).toEqual([])
    expect((await deliveries()).map(({ state }) => state)).toEqual(['cancelled'])
  })
  test('a worker that lost the job sends nothing', async () => {
    await ready()
    const lost = { ...task, hold: () => Promise.reject(new Error('lost')) } as Task
    expect(
      await sendMail.run(ctx(), queued[0] ?? { delivery_id: '' }, lost).catch((error) => error.message),
    ).toBe('lost')
    expect(sent).toEqual([])
  })
  test('one that was sent is not sent again', async () => {
    await ready()
    const again = [...queued]
    await deliver()
    for (const payload of again) await sendMail.run(ctx(), payload, task)
    expect(sent).toHaveLength(1)
    expect((await deliveries()).map(({ state }) => state)).toEqual(['sent'])
  })
})

describe('what fails', () => {
  test('wrong credentials wait like a server that is away; a refusal ends the message with its reason', async () => {
    await chooseFor('at_once')
    await happen('News')
    pass(2)
    await look()
    const [payload = { delivery_id: '' }] = queued
    for (const kind of ['auth', 'transient', 'unsupported'] as const) {
      fault = new ServiceFault(kind, 'no')
      expect(await sendMail.run(ctx(), payload, task).catch((error) => error.kind)).toBe('transient')
    }
    fault = new ServiceFault('permanent', 'no such user')
    expect(await sendMail.run(ctx(), payload, task).catch((error) => error.kind)).toBe('permanent')
    await sendMail.onDeadLetter?.(ctx(), payload, { kind: 'permanent', message: 'no such user' }, part({}))
    expect(await deliveries()).toMatchObject([{ state: 'failed', error: 'no such user' }])
  })
  test('a kill between the writes repeats them with the same message', async () => {
    await chooseFor('at_once')
    await happen('News')
    pass(2)
    const choice = await choiceOf(ctx(), ids.user_id ?? '', ids.workspace_id ?? '')
    await look()
    // As it was before the last write.
    await bench.owner
      .rows(MailChoice)
      .update(choice?.id ?? '', { mailed_until: choice?.mailed_until, due_at: choice?.due_at })
    await happen('More')
    pass(2)
    await look()
    expect(queued).toHaveLength(1)
    expect(await deliveries()).toHaveLength(1)
    await deliver()
    pass(2)
    await look()
    await deliver()
    expect(sent.map(({ subject }) => subject)).toEqual(['Acme: News', 'Acme: More'])
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(2)
  })
  test('without a mail server nothing is queued, and what happened is mailed once there is one', async () => {
    isConfigured = false
    await happen('News')
    await look()
    pass(48 * 60)
    await look()
    expect(queued).toEqual([])
    isConfigured = true
    await look()
    await deliver()
    expect(sent.map(({ subject }) => subject)).toEqual(['Acme: News'])
  })
})

describe('texts of strangers', () => {
  test('are one line in the subject and escaped in the page', async () => {
    await chooseFor('at_once')
    await happen('<img src=x onerror=alert(1)>\r\nBcc: evil@example.com', {
      body: '<script>alert(1)</script>',
    })
    pass(2)
    await look()
    await deliver()
    expect(sent[0]?.subject).not.toMatch(/[\r\n]/)
    expect(sent[0]?.html).not.toContain('<img')
    expect(sent[0]?.html).not.toContain('<script')
  })
  test('twenty are shown, and the others counted', async () => {
    await chooseFor('at_once')
    for (let index = 0; index < 23; index++) await happen(`News ${index}`)
    pass(2)
    await look()
    await deliver()
    expect(sent[0]?.subject).toBe('Acme: 23 notifications')
    expect(sent[0]?.text).toContain('3 more are on the page.')
  })
})
