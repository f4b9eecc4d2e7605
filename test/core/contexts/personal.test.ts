import { afterAll, beforeAll, expect, test } from 'bun:test'
import { viewOf, withheldFields } from '../../../core/contexts/personal'
import { Workspace } from '../../../core/product/tenancy-plugin'
import { createRegistry } from '../../../core/registry/registry'
import leads from '../../../plugins/leads'
import { Lead } from '../../../plugins/leads/records/Lead'
import { type Gate, startGate } from '../../support/harness'
import { sampleRow } from '../../support/sample-row'

const contact = {
  first_name: 'Ann',
  last_name: 'Lee',
  phone: '+44 7700 900123',
  email: 'ann@example.com',
  suburb: 'Soho',
  postcode: 'W1D 4FA',
}
const names = Object.keys(contact)

let gate: Gate
let id: string
beforeAll(async () => {
  gate = await startGate({ plugins: [leads] })
  id = (await gate.put(Lead, { ...sampleRow(Lead, 'lead'), ...contact } as never)).id
})
afterAll(() => gate.stop())

const redact = (off = false) =>
  gate.registry.commands
    .get('workspace redact')
    ?.run(gate.owner, { workspace_id: gate.tenant.workspaceId, off })
const everyAnswer = async () => {
  const answers = await Promise.all([
    gate.ask('/api/entities/Lead'),
    gate.ask(`/api/entities/Lead/${id}`),
    gate.call('listLeadsWithMentions'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  return (await Promise.all(answers.map((answer) => answer.text()))).join('\n')
}

test('contact details leave only where the workspace does not keep them back, over every door', async () => {
  const open = await everyAnswer()
  for (const value of Object.values(contact)) expect(open).toContain(value)
  await redact()
  const kept = await everyAnswer()
  for (const value of Object.values(contact)) expect(kept).not.toContain(value)
  expect(kept).toContain(id)
  expect((await gate.owner.rows(Lead).get(id))?.email).toBe(contact.email)
})

test('what is kept back can be neither filtered, searched, sorted nor asked for', async () => {
  await redact()
  for (const name of names) {
    for (const query of [
      `q={"${name}":"x"}`,
      `q={"${name}":{"$contains":"x"}}`,
      `fields=${name}`,
      `sort=${name}`,
    ]) {
      expect((await gate.ask(`/api/entities/Lead?${query}`)).status).toBe(422)
    }
  }
})

test('the owner gives them back', async () => {
  await redact(true)
  expect(await everyAnswer()).toContain(contact.email)
  expect(await gate.documents.collection(Workspace).get(gate.tenant.workspaceId)).toMatchObject({
    redact_pii: false,
  })
})

test('a personal field must be optional, so that a row without it is still a row', () => {
  const strict = { ...Lead, personal: ['mention_id'] }
  expect(() =>
    createRegistry([{ ...leads, entities: [strict, ...(leads.entities ?? []).slice(1)] }]),
  ).toThrow('mention_id is personal and must be optional')
})

test('personal fields are hidden, and neither sorted nor searched by, where the workspace keeps them back', () => {
  const kept = { redact_pii: true } as never
  const open = { redact_pii: false } as never
  const entity = {
    ...Lead,
    personal: ['email', 'phone'],
    hidden: ['mention_id'],
    searchable: ['email', 'suburb'],
  }
  const own = { ...entity, sortable: ['created_date', 'email'] } as never
  const view = viewOf(own, kept)
  expect<unknown>(view).toEqual({
    ...(own as object),
    hidden: ['mention_id', 'email', 'phone'],
    searchable: ['suburb'],
    sortable: ['created_date'],
  })
  expect(viewOf(own, kept)).toBe(view)
  expect(viewOf(own, open)).toBe(own)
  const none = { ...entity, personal: [] } as never
  expect(viewOf(none, kept)).toBe(none)
  const { hidden: _, searchable: __, ...bare } = entity
  expect(viewOf(bare as never, kept)).toMatchObject({ hidden: ['email', 'phone'], searchable: [] })
  expect(withheldFields(own, kept)).toEqual(['email', 'phone'])
  expect(withheldFields(own, open)).toEqual([])
  const { personal: ___, ...plain } = entity
  expect(withheldFields(plain as never, kept)).toEqual([])
})
