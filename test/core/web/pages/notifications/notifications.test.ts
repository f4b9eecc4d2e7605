import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { choose } from '../../../../../core/tenancy/news/mail/choices'
import { MailChoice } from '../../../../../core/tenancy/news/mail/MailChoice'
import { Notification } from '../../../../../core/tenancy/news/Notification'
import { User } from '../../../../../core/tenancy/User'
import { Workspace } from '../../../../../core/tenancy/Workspace'
import { type Gate, startGate } from '../../../../support/harness'
import { signedIn } from '../../../../support/signed-in'
import { smtpServer } from '../../../../support/smtp-server'
import { createVisitor, type Visitor } from '../../../../support/visitor'

let gate: Gate
let ada: Visitor
let adaId: string
let server: ReturnType<typeof smtpServer>
const visitor = () => createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))

async function start(hasMail = true) {
  gate = await startGate(
    hasMail
      ? { reaches: true, settings: { SMTP_URL: server.url(), MAIL_FROM: 'Renown <news@example.com>' } }
      : {},
  )
  const { cookie, userId } = await signedIn(gate)
  adaId = userId
  ada = visitor()
  const [name = '', value = ''] = cookie.split('=')
  ada.cookies.set(name, value)
}
beforeEach(() => {
  server = smtpServer()
})
afterEach(async () => {
  await gate.stop()
  server.stop()
})

const happen = (title: string, more: object = {}) =>
  gate.owner.rows(Notification).insert({
    workspace_id: gate.tenant.workspaceId,
    type: 'sync',
    severity: 'warning',
    title,
    body: 'Look at it.',
    is_read: false,
    ...more,
  })
const unread = () => gate.owner.rows(Notification).count({ op: 'eq', field: 'is_read', value: false })

/** The elements directly in the body of a page, without the skip link. */
function outermost(html: string): string[] {
  const names: string[] = []
  new HTMLRewriter()
    .on('body > *', {
      element: (one) => void (one.getAttribute('class') === 'skip' || names.push(one.tagName)),
    })
    .transform(html)
  return names
}

describe('the page of notifications', () => {
  beforeEach(() => start())
  test('has everything in landmarks, the bell too, so that screen readers can jump to it', async () => {
    expect(outermost((await ada.open('/app/notifications')).html)).toEqual(['header', 'nav', 'main', 'nav'])
  })

  test('shows those of the workspace, unread ones first of all, and the bell counts them', async () => {
    await happen('Google disconnected')
    await happen('Read before', { is_read: true })
    await happen('Elsewhere', { workspace_id: gate.stranger.workspaceId })
    const seen = await ada.open('/app/notifications')
    expect(seen.text).toContain('Google disconnected')
    expect(seen.text).not.toContain('Read before')
    expect(seen.text).not.toContain('Elsewhere')
    expect(seen.html).toMatch(/class="bell"[\s\S]*?class="count"[^>]*>1</)
    expect((await ada.open('/app/notifications?status=all')).text).toContain('Read before')
    expect((await ada.open('/app/notifications?severity=critical')).text).toContain('No notification matches')
  })
  test('marks one as read, or all, and never those of another workspace', async () => {
    const other = await happen('Elsewhere', { workspace_id: gate.stranger.workspaceId })
    for (const title of ['One', 'Two', 'Three']) await happen(title)
    await ada.open('/app/notifications')
    await ada.submit('/app/notifications/read', { notification: other.id })
    expect(await unread()).toBe(4)
    await ada.open('/app/notifications')
    await ada.submit('/app/notifications/read', {}, 1)
    expect(await unread()).toBe(3)
    const after = await ada.submit('/app/notifications/read')
    expect(await unread()).toBe(1)
    expect(after.text).toContain('You have read everything.')
    expect((await gate.owner.rows(Notification).get(other.id))?.is_read).toBe(false)
  })
  test('pages through many, and escapes what strangers wrote', async () => {
    for (let index = 0; index < 51; index++) await happen(`<b>News ${index}</b>`)
    const seen = await ada.open('/app/notifications')
    expect(seen.html).not.toContain('<b>News')
    expect(seen.text).toContain('Older')
    const older = await ada.open('/app/notifications?skip=50')
    expect(older.text).toContain('<b>News')
    expect(older.text).toContain('Newer')
  })
})

describe('the page of mail', () => {
  test('without a server it says where mail would go, and how to set one up', async () => {
    await start(false)
    const seen = await ada.open('/app/notifications/mail')
    expect(seen.text).toContain('No mail server is set up')
    expect(seen.text).toMatch(/mail would go to ada@\S+ \(daily at 08:00\)/)
    expect(seen.text).toContain('SMTP_URL')
    expect(seen.text).not.toContain('Send a test mail')
  })
  test('keeps the choice of the person for the workspace', async () => {
    await start()
    await ada.open('/app/notifications/mail')
    expect((await ada.submit('/app/notifications/mail', { frequency: 'weekly' })).text).toContain(
      'Saved: weekly',
    )
    expect(await gate.owner.rows(MailChoice).list({})).toMatchObject([
      { user_id: adaId, workspace_id: gate.tenant.workspaceId, frequency: 'weekly' },
    ])
    const wrong = await ada.submit('/app/notifications/mail', { frequency: 'hourly' })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Choose one of')])
    expect(await gate.owner.rows(MailChoice).list({})).toMatchObject([{ frequency: 'weekly' }])
  })
  test('sends a test to the person alone, at most three in ten minutes, and shows what the server says', async () => {
    await start()
    await ada.open('/app/notifications/mail')
    expect((await ada.submit('/app/notifications/mail/test')).text).toContain('accepted a test mail')
    expect(server.received.map(({ to }) => to)).toEqual([[expect.stringMatching(/^<ada@/)]])
    server.faults.recipient = '550 5.1.1 no such user'
    const refused = await ada.submit('/app/notifications/mail/test')
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('no such user')])
    await ada.submit('/app/notifications/mail/test')
    expect((await ada.submit('/app/notifications/mail/test')).text).toContain('Wait a little')
  })
})

describe('the link that stops mail', () => {
  const link = async () => {
    const [person, workspace] = await Promise.all([
      gate.owner.rows(User).get(adaId),
      gate.owner.rows(Workspace).get(gate.tenant.workspaceId),
    ])
    if (!person || !workspace) throw new Error('missing')
    const { unsubscribe_token } = await choose(gate.owner, person, workspace, 'daily')
    return `/app/mail/stop?token=${unsubscribe_token}`
  }
  const frequency = async () => (await gate.owner.rows(MailChoice).list({}))[0]?.frequency
  /** As a mail program sends it: without cookies, and from no page. */
  const oneClick = (path: string, body: string | FormData = 'List-Unsubscribe=One-Click') =>
    gate.gateway.fetch(
      new Request(`http://localhost:3000${path}`, {
        method: 'POST',
        headers: {
          host: 'localhost:3000',
          ...(typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        },
        body,
      }),
      () => '203.0.113.7',
    )
  beforeEach(() => start())

  test('works with one POST of a mail program, once and again', async () => {
    const path = await link()
    const multipart = new FormData()
    multipart.set('List-Unsubscribe', 'One-Click')
    for (const body of ['List-Unsubscribe=One-Click', multipart]) {
      expect((await oneClick(path, body)).status).toBe(200)
      expect(await frequency()).toBe('off')
    }
  })
  test('asks a person first: opening it stops nothing', async () => {
    const path = await link()
    const stranger = visitor()
    const seen = await stranger.open(path)
    expect(seen.text).toContain('Stop this mail')
    expect(await frequency()).toBe('daily')
    const token = new URLSearchParams(path.split('?')[1]).get('token')
    expect((await stranger.submit(`/app/mail/stop?token=${token}`)).text).toContain('Mail stopped')
    expect(await frequency()).toBe('off')
  })
  test.each(['', '?token=', '?token=rnw_mail_x', '?token[$ne]=1'])(
    'a link with %j does nothing',
    async (query) => {
      await link()
      expect((await oneClick(`/app/mail/stop${query}`)).status).toBe(404)
      expect((await visitor().open(`/app/mail/stop${query}`)).status).toBe(404)
      expect(await frequency()).toBe('daily')
    },
  )
})

test('every other form is still checked against forgery', async () => {
  await start()
  const free = gate.gateway.pages.filter(({ isProvedByLink }) => isProvedByLink)
  expect(free.map(({ method, path, auth }) => `${method} ${path} ${auth}`)).toEqual([
    'POST /app/mail/stop none',
  ])
})
