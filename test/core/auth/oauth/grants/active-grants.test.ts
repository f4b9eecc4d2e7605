import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createIsHolderActive } from '../../../../../core/auth/oauth/grants/active-grants'
import { Agency } from '../../../../../core/tenancy/Agency'
import { User } from '../../../../../core/tenancy/User'
import { type Gate, startGate } from '../../../../support/harness'

let gate: Gate
beforeAll(async () => {
  gate = await startGate()
})
afterAll(() => gate.stop())

const person = (agency_id: string, is_active = true) =>
  gate.owner.rows(User).insert({ workspace_id: agency_id, agency_id, role: 'owner', is_active })

test('a grant is active while its agency and its person are there, active and belong together', async () => {
  const isActive = createIsHolderActive(gate.documents)
  const { agencyId: agency_id } = gate.tenant
  const { id: user_id } = await person(agency_id)
  const { id: paused } = await person(agency_id, false)
  const { id: stranger } = await person(gate.stranger.agencyId)
  expect(await isActive({ agency_id, user_id })).toBe(true)
  expect(await isActive({ agency_id, user_id: 'usr_gone' })).toBe(false)
  expect(await isActive({ agency_id: 'agn_gone', user_id })).toBe(false)
  expect(await isActive({ agency_id: 'agn_gone', user_id: 'usr_gone' })).toBe(false)
  expect(await isActive({ agency_id, user_id: paused })).toBe(false)
  expect(await isActive({ agency_id, user_id: stranger })).toBe(false)
  await gate.owner.rows(Agency).update(agency_id, { is_active: false })
  expect(await isActive({ agency_id, user_id })).toBe(false)
})
