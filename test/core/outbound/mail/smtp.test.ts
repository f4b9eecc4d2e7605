import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { MailMessage } from '../../../../core/contracts/mail'
import { isMailAddress } from '../../../../core/outbound/mail/mail-address'
import { createMail } from '../../../../core/outbound/mail/smtp'
import { readConfig } from '../../../../core/process/config'
import { smtpServer } from '../../../support/smtp-server'

let server: ReturnType<typeof smtpServer>
beforeEach(() => {
  server = smtpServer()
})
afterEach(() => server.stop())

const message: MailMessage = {
  to: 'ada@example.com',
  subject: 'Acme: 2 notifications',
  text: 'Two things happened.',
  html: '<p>Two things happened.</p>',
  messageId: 'mdl_1@renown.example',
  unsubscribeUrl: 'https://renown.example/app/mail/stop?token=rnw_mail_x',
}
const mail = (url = server.url()) => createMail({ SMTP_URL: url, MAIL_FROM: 'Renown <news@example.com>' })
const faultOf = (sending: Promise<void>) =>
  sending.then(
    () => 'sent',
    (error) => error,
  )

describe('a message', () => {
  test('goes to one recipient with the headers that mailboxes ask for', async () => {
    await mail().send(message)
    const [got, ...others] = server.received
    expect(others).toEqual([])
    expect([got?.from, got?.to]).toEqual(['<news@example.com>', ['<ada@example.com>']])
    const head =
      got?.data
        .slice(0, got.data.indexOf('\r\n\r\n'))
        .replaceAll(/\r\n[ \t]+/g, ' ')
        .split('\r\n') ?? []
    for (const line of [
      'From: Renown <news@example.com>',
      'To: ada@example.com',
      'Subject: Acme: 2 notifications',
      'Message-ID: <mdl_1@renown.example>',
      'Auto-Submitted: auto-generated',
      'List-Unsubscribe: <https://renown.example/app/mail/stop?token=rnw_mail_x>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    ])
      expect(head).toContain(line)
    expect(got?.data).toContain('text/plain')
    expect(got?.data).toContain('text/html')
  })

  test('cannot add headers through its subject', async () => {
    await mail().send({ ...message, subject: 'Hello\r\nBcc: evil@example.com' })
    expect(server.received[0]?.to).toEqual(['<ada@example.com>'])
    expect(server.received[0]?.data).not.toMatch(/^Bcc:/m)
  })

  test('of which a silent server says nothing may have arrived', async () => {
    server.faults.keepSilent = true
    const patient = createMail({ SMTP_URL: server.url(), MAIL_FROM: 'news@example.com' }, 3_000)
    const fault = await faultOf(patient.send(message))
    expect(fault).toMatchObject({ kind: 'transient', delivery: undefined })
    expect(server.received).toHaveLength(1)
  })

  test('keeps its Message-ID when the answer was lost and it is sent again', async () => {
    server.faults.loseAnswer = true
    expect(await faultOf(mail().send(message))).toMatchObject({ kind: 'transient' })
    server.faults.loseAnswer = false
    await mail().send(message)
    const ids = server.received.map(({ data }) => /^Message-ID: (.+)$/m.exec(data)?.[1]?.trim())
    expect(ids).toEqual(['<mdl_1@renown.example>', '<mdl_1@renown.example>'])
  })
})

describe('a recipient', () => {
  test.each([
    'x@b.example\r\nBcc: evil@c.example',
    'a@b.example, c@d.example',
    'a@b.example;c@d.example',
    'Ada <ada@example.com>',
    'ada@example.com (comment)',
    '"a b"@example.com',
    'group: a@b.example;',
    'ada',
    '@example.com',
    'a@b@c.example',
    '',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(254)}`,
  ])('%j is no address and is never sent to', async (to) => {
    expect(isMailAddress(to)).toBe(false)
    expect(await faultOf(mail().send({ ...message, to }))).toMatchObject({
      kind: 'permanent',
      code: 'recipient',
    })
    expect(server.received).toEqual([])
  })
  test.each(['ada@example.com', "o'neil+renown@mail.example.co.uk", 'jürgen@bücher.example'])(
    '%j is one',
    (to) => {
      expect(isMailAddress(to)).toBe(true)
    },
  )
})

describe('what goes wrong', () => {
  test('a refused recipient is final', async () => {
    server.faults.recipient = '550 5.1.1 no such user'
    expect(await faultOf(mail().send(message))).toMatchObject({ kind: 'permanent', code: '550' })
  })
  test.each(['recipient', 'data'] as const)('a 4xx answer to %s can pass', async (where) => {
    server.faults[where] = '452 4.3.1 insufficient storage'
    expect(await faultOf(mail().send(message))).toMatchObject({ kind: 'transient', code: '452' })
  })
  test('a server that is away can come back', async () => {
    const url = server.url()
    server.stop()
    expect(await faultOf(mail(url).send(message))).toMatchObject({ kind: 'transient' })
  })
  test('refused credentials are named, and no password is repeated', async () => {
    const password = 's3cret-p@ss'
    const url = server.url(`user:${encodeURIComponent(password)}@`)
    server.faults.auth = `535 5.7.8 wrong: ${password} ${encodeURIComponent(password)} ${btoa(password)}`
    const fault = (await faultOf(mail(url).verify())) as Error
    expect(fault).toMatchObject({ kind: 'auth', code: 'smtp_auth' })
    for (const secret of [password, encodeURIComponent(password), btoa(password)])
      expect(fault.message).not.toContain(secret)
  })
  test('an at sign in the user or the password is written as %40', async () => {
    await mail(server.url('news%40example.com:p%40ss@')).verify()
    const said = server.commands.find((line) => line.startsWith('AUTH PLAIN ')) ?? ''
    expect(atob(said.slice('AUTH PLAIN '.length)).split('\0').slice(1)).toEqual(['news@example.com', 'p@ss'])
  })
  test('a server elsewhere must offer encryption before it gets a message', async () => {
    const elsewhere = smtpServer('127.0.0.2')
    try {
      expect(await faultOf(mail(elsewhere.url('user:pass@')).send(message))).toMatchObject({
        kind: 'transient',
      })
      expect(elsewhere.received).toEqual([])
      expect(elsewhere.commands.some((line) => line.startsWith('AUTH'))).toBe(false)
    } finally {
      elsewhere.stop()
    }
  })
  test('without a server nothing is sent, and the error names the settings', async () => {
    const none = createMail({ SMTP_URL: '', MAIL_FROM: '' })
    expect([none.isConfigured, none.from]).toEqual([false, null])
    const fault = (await faultOf(none.send(message))) as Error
    expect(fault).toMatchObject({ kind: 'unsupported' })
    expect(fault.message).toContain('SMTP_URL')
  })
})

describe('the settings', () => {
  const read = (env: Record<string, string>) => () => readConfig(env)
  test('a server needs a sender', () => {
    expect(read({ SMTP_URL: 'smtp://mail.example:587' })).toThrow('MAIL_FROM')
    expect(read({ SMTP_URL: 'smtp://mail.example:587', MAIL_FROM: 'news@example.com' })).not.toThrow()
  })
  test.each(['http://mail.example', 'mail.example:25', 'smtp:///x', 'smtp://mail.example/path'])(
    '%s is no mail server',
    (SMTP_URL) => {
      expect(read({ SMTP_URL, MAIL_FROM: 'news@example.com' })).toThrow('SMTP_URL')
    },
  )
  test.each(['news', 'a@b.example, c@d.example', 'X <a@b>\r\nBcc: <c@d>'])('%j is no sender', (MAIL_FROM) => {
    expect(read({ SMTP_URL: 'smtps://mail.example', MAIL_FROM })).toThrow('MAIL_FROM')
  })
})
