import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { where } from '../../../../../core/contracts/where'
import { AuditEntry } from '../../../../../core/tenancy/audit/AuditEntry'
import { User } from '../../../../../core/tenancy/User'
import { Workspace } from '../../../../../core/tenancy/Workspace'
import { type Gate, startGate } from '../../../../support/harness'
import { formOf, signedIn } from '../../../../support/signed-in'
import { smtpServer } from '../../../../support/smtp-server'

let gate: Gate
let cookie: string
let csrf: string
let second: string
const enter = async (started: Gate) => {
  gate = started
  const person = await signedIn(gate)
  cookie = person.cookie
  csrf = person.session.csrf_token
  second = gate.tenant.otherWorkspaceId
}
beforeAll(async () => enter(await startGate()))
afterAll(() => gate.stop())

const path = '/app/clients'
const open = async (at: string) => {
  const answer = await gate.ask(at, { key: null, headers: { cookie } })
  const html = (await answer.text()).replace(/^.*<main/s, '<main')
  return { status: answer.status, html, text: html.replaceAll(/<[^>]+>/g, ' ') }
}
const send = async (at: string, fields: Record<string, string>) => {
  const answer = await gate.ask(`${path}/${at}`, formOf({ csrf, ...fields }, { cookie }))
  const html = (await answer.text()).replace(/^.*<main/s, '<main')
  const to = answer.headers.get('location')
  return { status: answer.status, to, html, text: html.replaceAll(/<[^>]+>/g, ' ') }
}
const workspaces = {
  count: () => gate.owner.rows(Workspace).count(where.eq('agency_id', gate.tenant.agencyId)),
  get: (id: string) => gate.owner.rows(Workspace).get(id),
}
const audited = async () =>
  (await gate.owner.rows(AuditEntry).list({ limit: 100 })).map(
    ({ action, subject }) => `${action} ${subject}`,
  )

describe('a client', () => {
  test('is added to the own agency, as the command adds it', async () => {
    const { status, to } = await send('new', { name: ' Corner <b>Bakery</b> ', timezone: 'Europe/Madrid' })
    const id = /\/w\/(\w+)/.exec(to ?? '')?.[1] ?? ''
    expect(`${status} ${to}`).toBe(`303 /app/w/${id}`)
    expect(await workspaces.get(id)).toMatchObject({
      name: 'Corner <b>Bakery</b>',
      timezone: 'Europe/Madrid',
      is_home: false,
      is_active: true,
      agency_id: gate.tenant.agencyId,
    })
    expect(await audited()).toContain('workspace.add Corner <b>Bakery</b>')
    expect((await open(path)).html).toContain('Corner &lt;b>Bakery&lt;/b>')
  })

  test('is not added without a name or with an unknown time zone, and what was typed stays', async () => {
    const before = await workspaces.count()
    const nameless = await send('new', { name: ' ', timezone: 'Europe/Madrid' })
    expect(nameless.status).toBe(422)
    expect(nameless.html).toMatch(/id="name"[^>]*aria-invalid="true"/)
    expect(nameless.html).toMatch(/value="Europe\/Madrid" selected/)
    const placeless = await send('new', { name: 'Café', timezone: 'Mars/Olympus' })
    expect(placeless.status).toBe(422)
    expect(placeless.html).toMatch(/id="timezone"[^>]*aria-invalid="true"/)
    expect(placeless.html).toMatch(/id="name"[^>]*value="Café"/)
    expect(
      (await send('new', { name: 'x', timezone: 'UTC', agency_id: gate.stranger.agencyId })).status,
    ).toBe(422)
    expect(await workspaces.count()).toBe(before)
  })

  test('gets another name', async () => {
    const refused = await send('one', { of: second, name: '' })
    expect(refused.status).toBe(422)
    expect(refused.html).toMatch(/id="name"[^>]*aria-invalid="true"/)
    expect((await send('one', { of: second, name: 'Harbour' })).to).toBe(`${path}?done=renamed`)
    expect((await workspaces.get(second))?.name).toBe('Harbour')
    expect((await open(`${path}?done=renamed`)).text).toContain('The client was renamed.')
  })

  test('is archived after a question that says what stops, and restored', async () => {
    const asked = await open(`${path}/archive?of=${second}`)
    expect(asked.text).toContain('Archive Harbour?')
    expect(asked.text).toContain('Renown reads no reviews and sends no replies')
    expect((await workspaces.get(second))?.is_active).toBe(true)
    expect((await send('archive', { of: second })).to).toBe(`${path}?done=archived`)
    expect((await workspaces.get(second))?.is_active).toBe(false)
    expect((await open(path)).text).not.toContain('Harbour')
    const archived = await open(`${path}?show=archived`)
    expect(archived.text).toContain('Harbour')
    expect(archived.html).not.toContain(`/app/w/${second}`)
    expect((await open(`${path}/one?of=${second}`)).text).toContain('Restore Harbour')
    expect((await send('restore', { of: second })).to).toBe(`${path}?done=restored`)
    expect((await workspaces.get(second))?.is_active).toBe(true)
    expect(await audited()).toEqual(
      expect.arrayContaining(['workspace.archive Harbour', 'workspace.restore Harbour']),
    )
  })

  test('that is the home workspace stays', async () => {
    const { workspaceId } = gate.tenant
    expect((await open(`${path}/archive?of=${workspaceId}`)).text).toContain(
      'You cannot archive the home workspace',
    )
    expect((await send('archive', { of: workspaceId })).status).toBe(409)
    expect((await workspaces.get(workspaceId))?.is_active).toBe(true)
  })

  test('of another agency is not found, by any page or form', async () => {
    const theirs = gate.stranger.workspaceId
    const before = await workspaces.get(theirs)
    for (const page of ['one', 'archive', 'invite'])
      expect(`${page} ${(await open(`${path}/${page}?of=${theirs}`)).status}`).toBe(`${page} 404`)
    for (const form of ['one', 'archive', 'restore', 'invite'])
      expect(`${form} ${(await send(form, { of: theirs, name: 'Mine' })).status}`).toBe(`${form} 404`)
    expect(await workspaces.get(theirs)).toEqual(before)
  })
})

describe('an invitation', () => {
  const people = () => gate.owner.rows(User).list({ where: where.eq('role', 'member') })

  test('shows its link once where there is no mail server', async () => {
    expect((await open(`${path}/invite?of=${second}`)).text).toContain('no mail server')
    const { status, text, html } = await send('invite', { of: second, name: 'Mia Chen' })
    expect(status).toBe(200)
    expect(html).toMatch(/value="http:\/\/localhost:3000\/app\/link\?token=rnw_link_\w+"/)
    expect(text).toContain('no mail server is set up')
    expect(await people()).toMatchObject([{ name: 'Mia Chen', workspace_ids: [second] }])
  })

  test('marks what is wrong and keeps what was typed', async () => {
    const before = (await people()).length
    const nameless = await send('invite', { of: second, name: ' ' })
    expect(nameless.status).toBe(422)
    expect(nameless.html).toMatch(/id="name"[^>]*aria-invalid="true"/)
    expect((await people()).length).toBe(before)
  })
})

describe('an invitation with a mail server', () => {
  test('is mailed, says where it went, and leaves the link where the mail cannot be sent', async () => {
    await gate.stop()
    const server = smtpServer()
    const settings = { SMTP_URL: server.url(), MAIL_FROM: 'renown@example.com' }
    await enter(await startGate({ settings, reaches: true }))
    expect((await open(`${path}/invite?of=${second}`)).text).toContain('from renown@example.com')
    const wrong = await send('invite', { of: second, name: 'Mia', email: 'a@b, c@d' })
    expect(wrong.html).toMatch(/id="email"[^>]*aria-invalid="true"/)
    expect(wrong.html).toMatch(/id="name"[^>]*value="Mia"/)
    const sent = await send('invite', { of: second, name: 'Mia', email: 'mia@example.com' })
    expect(sent.text).toContain('The mail server accepted the link for')
    expect(sent.html).not.toContain('rnw_link_')
    expect(server.received).toMatchObject([{ to: ['<mia@example.com>'] }])
    server.faults.recipient = '550 5.1.1 no such user'
    const failed = await send('invite', { of: second, name: 'Bo', email: 'bo@example.com' })
    expect(failed.text).toContain('The mail could not be sent')
    expect(failed.html).toContain('rnw_link_')
    server.stop()
  })
})
