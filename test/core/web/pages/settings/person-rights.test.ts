import { afterAll, beforeAll, expect, test } from 'bun:test'
import { runCommand } from '../../../../../core/contexts/run-command'
import { where } from '../../../../../core/contracts/where'
import { AuditEntry } from '../../../../../core/tenancy/audit/AuditEntry'
import { PersonRequest } from '../../../../../core/tenancy/rights/PersonRequest'
import { builtin } from '../../../../../plugins'
import { Lead } from '../../../../../plugins/leads/records/Lead'
import { freshColumns } from '../../../../support/chdb'
import { type Gate, startGate } from '../../../../support/harness'
import { sampleRow } from '../../../../support/sample-row'
import { signedIn } from '../../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../../support/visitor'

const path = '/app/people-rights'
const email = 'plantessa.p@planted.example'
let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
let ada: Visitor
let stranger: Visitor
let hers: string
let namesake: string

const visitorOf = (sent: string) => {
  const visitor = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const [name = '', value = ''] = sent.split('=')
  visitor.cookies.set(name, value)
  return visitor
}
const lead = async (fields: object, key: string) => {
  const row = { ...sampleRow(Lead, 'plain', true), ...fields, dispatch_key: key }
  return (await gate.put(Lead, row as never, gate.tenant.workspaceId)).id
}

beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: builtin, columns })
  ada = visitorOf((await signedIn(gate, { agencyId: gate.tenant.agencyId })).cookie)
  stranger = visitorOf(
    (await signedIn(gate, { agencyId: gate.stranger.agencyId, email: 'bob@other.test' })).cookie,
  )
  hers = await lead({ email, first_name: 'Plantessa', last_name: 'Plantowski', notes: 'called twice' }, 'a')
  namesake = await lead({ email: 'else@else.test', first_name: 'Plantessa', last_name: 'Plantowski' }, 'b')
}, 60_000)
afterAll(async () => {
  await gate.stop()
  await columns.close()
})

let request = ''
const page = () => `${path}?request=${request}`

test('a search shows what is there, and stores no identifier', async () => {
  await ada.open(path)
  const shown = await ada.submit(path, { email, name: 'plantessa  PLANTOWSKI' })
  request = new URL(shown.path, 'http://x').searchParams.get('request') ?? ''
  expect(shown.text).toContain('Lead')
  expect(shown.html).toContain(hers)
  expect(shown.html).toContain(namesake)
  const row = await gate.owner.rows(PersonRequest).get(request)
  expect(JSON.stringify(row).toLowerCase()).not.toContain('plant')
  const nothing = await ada.open(path)
  expect(nothing.text).not.toContain('lantessa')
})

test('what is no address is refused with the reason', async () => {
  await ada.open(path)
  const refused = await ada.submit(path, { email: 'nobody' })
  expect([refused.status, refused.text.includes('not a valid e-mail address')]).toEqual([422, true])
})

test('the export has all of it as JSON and as text, without secrets', async () => {
  await ada.open(page())
  const file = await ada.submit(`${path}/export`)
  const made = JSON.parse(file.html)
  expect(made.records.Lead.map(({ id }: { id: string }) => id).sort()).toEqual([hers, namesake].sort())
  expect(made.records.Lead[0].dispatch_key).toBeUndefined()
  await ada.open(page())
  const text = await ada.submit(`${path}/export`, {}, 1)
  expect(text.html).toContain('last_name: Plantowski')
})

test('another agency sees neither the search nor its export', async () => {
  expect((await stranger.open(page())).status).toBe(404)
  expect((await stranger.open(path)).text).not.toContain('Found')
})

test('an erasure needs the box, keeps what was ticked, and is one audit entry', async () => {
  await ada.open(page())
  const asked = await ada.submit(`${path}/erase`, { keep: [namesake] })
  expect([asked.status, (await gate.owner.rows(Lead).get(hers))?.email]).toEqual([422, email])
  await ada.open(page())
  const done = await ada.submit(`${path}/erase`, { keep: [namesake], sure: 'yes' })
  expect(done.text).toContain('Erased')
  const left = await gate.owner.rows(Lead).get(hers)
  expect([left?.email, left?.last_name, left?.notes]).toEqual([undefined, undefined, undefined])
  expect((await gate.owner.rows(Lead).get(namesake))?.last_name).toBe('Plantowski')
  const entries = await gate.owner
    .rows(AuditEntry)
    .list({ where: where.eq('record_id', request), limit: 100 })
  expect(entries.map(({ action }) => action).sort()).toEqual([
    'person.erase',
    'person.export',
    'person.export',
    'person.search',
  ])
  expect(JSON.stringify(entries)).not.toMatch(/plant/i)
})

test('the shell finds, exports and erases, and asks before', async () => {
  const kept = await lead({ email: 'third@planted.example', first_name: 'Tessa' }, 'c')
  const owner = { ...gate.owner, by: { host: 'command line' } }
  const run = (name: string, input: Record<string, unknown>) =>
    runCommand({ commands: gate.registry.commands, owner } as never, name, input) as Promise<
      Record<string, unknown>
    >
  const found = await run('person find', {
    agency_id: gate.tenant.agencyId,
    email: ['third@planted.example'],
  })
  const { request_id } = found as { request_id: string }
  expect(found).toMatchObject({ state: 'found', counts: [{ record_type: 'Lead', about: 1, named: 0 }] })
  expect(JSON.stringify(await run('person export', { request_id }))).toContain('Tessa')
  await expect(run('person erase', { request_id })).rejects.toThrow('Add --sure.')
  expect(await run('person erase', { request_id, sure: true })).toMatchObject({ state: 'erased' })
  expect(await run('person show', { request_id })).toMatchObject({ state: 'erased' })
  expect((await gate.owner.rows(Lead).get(kept))?.email).toBeUndefined()
})
