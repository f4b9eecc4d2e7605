import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { runCommand } from '../../../../core/contexts/run-command'
import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import { auditOf, commandLine } from '../../../../core/tenancy/audit/audit'
import { recordHistory } from '../../../../core/web/framework/record-history'
import leads from '../../../../plugins/leads'
import { changeLead } from '../../../../plugins/leads/dispatch/change-lead'
import { movedTo } from '../../../../plugins/leads/dispatch/moved-to'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { type Gate, startGate } from '../../../support/harness'
import { publishedEvents } from '../../../support/published-events'
import { signedIn } from '../../../support/signed-in'

let gate: Gate
let lead_id: string
let location_id: string
let user_id: string
beforeAll(async () => {
  gate = await startGate({ plugins: [leads] })
  const business = { is_active: true, is_prospect: false, auto_response_enabled: false }
  location_id = (await gate.put(BusinessLocation, { ...business, business_name: 'Acme' })).id
  user_id = (await signedIn(gate)).userId
})
afterAll(() => gate.stop())
beforeEach(async () => {
  const ids = { mention_id: 'men_1', tracker_id: 'trk_1', location_id }
  lead_id = (await gate.put(Lead, { ...ids, intent_score: 60, stage: 'new', is_archived: false })).id
})

const run = (name: string, input: object = {}) => {
  const owner = { ...gate.owner, by: { host: commandLine, user_id } }
  return runCommand({ commands: gate.registry.commands, owner }, name, { lead_id, ...input })
}
const lead = () => gate.owner.rows(Lead).get(lead_id)
const recorded = async () => {
  const query = { limit: 20, record_id: lead_id }
  const { entries } = await auditOf(gate.owner).list(gate.tenant.agencyId, query)
  return entries.map(({ action, what, subject }) => [action, what, subject])
}

test.each([
  ['lead move', { stage: 'contacted' }, 'move', 'Lead moved: new → contacted'],
  ['lead assign', { to: 'Ann' }, 'assign', 'Lead assigned'],
  ['lead next-step set', { next_step: 'Call' }, 'next_step', 'Next step of lead changed'],
  ['lead note add', { text: 'Nice' }, 'note', 'Notes of lead changed'],
  ['lead archive', {}, 'archive', 'Lead archived'],
  ['lead see', {}, 'see', 'Lead marked as seen'],
])('%s is in the audit log once, under the id of the lead', async (name, input, act, what) => {
  await run(name, input)
  const entry = [`location.lead_${act}`, what, `Acme: lead ${lead_id}`]
  expect(await recorded()).toEqual([entry])
  if (name !== 'lead move' && name !== 'lead note add') {
    await run(name, input)
    expect(await recorded()).toEqual([entry])
  }
})

test('taking out of the archive is recorded, but not of a lead that is not archived', async () => {
  await run('lead restore')
  expect(await recorded()).toEqual([])
  await run('lead archive')
  expect((await lead())?.archived_at).toBeDefined()
  gate.clock.advance(1)
  await run('lead restore')
  expect(await lead()).toMatchObject({ is_archived: false })
  expect((await lead())?.archived_at).toBeUndefined()
  expect((await recorded()).map(([action]) => action)).toEqual([
    'location.lead_unarchive',
    'location.lead_archive',
  ])
})

test('a refused move is not recorded', async () => {
  expect(run('lead move', { stage: 'won' })).rejects.toThrow('From new it can move to')
  await run('lead move', { stage: 'lost' }).catch(() => {})
  expect(await recorded()).toEqual([])
})

test('the history of a record names the person, and has no entries of another agency', async () => {
  await run('lead archive')
  const history = await recordHistory(gate.owner, gate.tenant.agencyId, lead_id, 10)
  expect(history.map(({ what, by }) => [what, by])).toEqual([['Lead archived', 'Ada']])
  expect(await recordHistory(gate.owner, gate.stranger.agencyId, lead_id, 10)).toEqual([])
})

test('a change from a value that somebody else changed meanwhile is refused and not recorded', async () => {
  const late = changeLead(gate.owner, lead_id, (_lead) => {
    // Another person saves between the read and the write.
    void gate.owner.rows(Lead).update(lead_id, { notes: 'Mine' })
    return { changes: { notes: 'Yours' } }
  })
  expect(late).rejects.toMatchObject({ code: 'conflict' })
  await late.catch(() => {})
  expect((await gate.owner.rows(Lead).get(lead_id))?.notes).toBe('Mine')
  expect(await recorded()).toEqual([])
})

test('two people who move a lead at the same time: one move is refused, and has no event', async () => {
  const fromNew = (to: 'contacted' | 'qualified') =>
    changeLead(gate.owner, lead_id, (lead) => {
      if (lead.stage !== 'new') throw new Error(`It is ${lead.stage} now`)
      return movedTo(gate.owner.now(), to)(lead)
    })
  const moves = await Promise.allSettled([fromNew('contacted'), fromNew('qualified')])
  expect(moves.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const { stage } = (await gate.owner.rows(Lead).get(lead_id)) ?? {}
  const events = (await publishedEvents(gate.owner)).filter(({ data }) => data.lead_id === lead_id)
  expect(events.map(({ data }) => data)).toEqual([{ lead_id, from: 'new', stage }])
})
