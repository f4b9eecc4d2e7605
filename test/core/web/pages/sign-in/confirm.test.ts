import { afterEach, beforeEach, expect, test } from 'bun:test'
import { runCommand } from '../../../../../core/contexts/run-command'
import { User } from '../../../../../core/tenancy/User'
import { packForm, unpackForm } from '../../../../../core/web/framework/forms'
import { type Gate, startGate } from '../../../../support/harness'
import { createVisitor, type Visitor } from '../../../../support/visitor'

const password = 'correct horse staple'
let gate: Gate
let ada: Visitor
beforeEach(async () => {
  gate = await startGate()
  const { agencyId: agency_id } = gate.tenant
  await gate.owner
    .rows(User)
    .insert({ workspace_id: agency_id, agency_id, role: 'owner', is_active: true, name: 'Ada' })
  ada = createVisitor((request) => gate.gateway.fetch(request, () => '203.0.113.7'))
  const { commands } = gate.registry
  const made = await runCommand({ commands, owner: gate.owner }, 'owner link create', { agency_id })
  await ada.open(String(made.owner_link).replace('http://localhost:3000', ''))
  await ada.submit('/app/link')
  await ada.submit('/app/welcome', { email: 'ada@example.com', password, again: password })
})
afterEach(() => gate.stop())

const invite = async (fields: Parameters<Visitor['submit']>[1]) => {
  await ada.open('/app/members')
  gate.clock.advance(11 * 60_000)
  return ada.submit('/app/members', fields)
}
const named = async (name: string) =>
  (await gate.owner.rows(User).list()).filter((person) => person.name === name)

test('what was typed into a form goes on with the password, once, with every value of a field', async () => {
  const { workspaceId, otherWorkspaceId } = gate.tenant
  const workspaces = [workspaceId, otherWorkspaceId]
  const asked = await invite({ name: 'Bo <b> & مخبز', role: 'member', workspace: workspaces })
  expect(asked.text).toContain('Confirm your password')
  expect(asked.text).toContain('Your input is kept')
  expect((await ada.submit('/app/confirm', { password: 'wrong' })).text).toContain('not your password')
  expect(await named('Bo <b> & مخبز')).toEqual([])
  const shown = await ada.submit('/app/confirm', { password })
  expect(shown.html).toMatch(/\/app\/link\?token=/)
  const people = await named('Bo <b> & مخبز')
  expect(people.map(({ workspace_ids }) => [...(workspace_ids ?? [])].sort())).toEqual([workspaces.sort()])
  // The session went on under a new cookie, and so did the token of its forms.
  expect((await ada.open('/app/members')).status).toBe(200)
  expect((await ada.submit('/app/members', { name: 'Cy' })).html).toMatch(/\/app\/link\?token=/)
})

test('a form with a fault shows it, with what was typed', async () => {
  const name = 'x'.repeat(500)
  await invite({ name })
  const shown = await ada.submit('/app/confirm', { password })
  expect([shown.status, shown.html.includes(name)]).toEqual([422, true])
  expect(shown.text).toContain('Enter a name of at most')
  expect((await ada.open('/app/account')).path).toBe('/app/account')
})

test('who may not send it is refused after the password as before it, and no other page is reached so', async () => {
  const [person] = await named('Ada')
  await invite({ name: 'Bo' })
  const sent = { password, held: Buffer.from('name=Bo').toString('base64url') }
  for (const to of [
    '/app/sign-out',
    '/app/members/one?x',
    '/app/nowhere',
    '//evil.example',
    '/app/confirm',
  ]) {
    expect((await ada.submit('/app/confirm', { ...sent, to })).status).toBe(404)
    gate.clock.advance(11 * 60_000)
    await ada.open('/app/members')
    await ada.submit('/app/members', { name: 'Bo' })
  }
  await gate.owner.rows(User).update(person?.id ?? '', { role: 'member', workspace_ids: [] })
  const refused = await ada.submit('/app/confirm', sent)
  expect([refused.status, refused.text.includes('Only owners can open this page')]).toEqual([403, true])
  expect(await named('Bo')).toEqual([])
})

test('a form with a secret in it, and one that is too long, is filled in once more', async () => {
  const form = (text: string) => unpackForm(Buffer.from(text).toString('base64url'))
  for (const name of ['password', 'new_password', 'api_token', 'client_secret', 'code'])
    expect(packForm(form(`name=x&${name}=y`))).toBeNull()
  expect(packForm(form(`name=${'x'.repeat(30_000)}`))).toBeNull()
  const held = packForm(form('csrf=abc&country_code=DE&empty=&a=1&a=2')) ?? ''
  expect([unpackForm(held).names(), unpackForm(held).all('a')]).toEqual([
    ['country_code', 'empty', 'a'],
    ['1', '2'],
  ])
  expect(() => form(Array.from({ length: 201 }, (_, n) => `f${n}=`).join('&'))).toThrow('at most 200 fields')
  expect(unpackForm('\u0000%%%').names().length).toBeLessThan(2)
  const asked = await invite({ name: 'x'.repeat(40_000) })
  expect([asked.path, asked.text.includes('is kept')]).toEqual(['/app/confirm?next=%2Fapp%2Fmembers', false])
})
