import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ServiceDay } from '../../../core/outbound/limits/ServiceDay'
import { withCore } from '../../../core/product/core-plugins'
import { UsageDay } from '../../../core/requests/UsageDay'
import { Agency } from '../../../core/tenancy/Agency'
import { builtin } from '../../../plugins'
import { VisibilityTracker } from '../../../plugins/visibility/records/VisibilityTracker'
import { EventSubscription } from '../../../plugins/webhooks/records/EventSubscription'
import { putRow } from '../../support/any-state'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
const now = '2026-11-20T12:00:00.000Z'
beforeAll(async () => {
  columns = await freshColumns()
  const settings = { LIMIT_SETUPS_PER_DAY: '3', VISIBILITY_SEARCHES_PER_DAY: '100' }
  gate = await startGate({ plugins: withCore(builtin), columns, settings })
  gate.clock.stop()
  gate.clock.advance(Date.parse(now) - gate.clock.now().getTime())
})
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

interface Limit {
  readonly name: string
  readonly subject?: string
  readonly [more: string]: unknown
}
const limits = async (workspace?: string) => {
  const answer = await gate.call('getLimits', {}, workspace ? { workspace } : {})
  const { limits: all } = (await answer.json()) as { limits: Limit[] }
  return new Map(all.map((one) => [one.name, one]))
}

test('what the credential used today is counted, with what is left and when it starts again', async () => {
  const until = '2026-11-21T00:00:00.000Z'
  const at_limit = expect.any(String)
  expect((await limits()).get('setups_per_day')).toEqual({
    name: 'setups_per_day',
    per: 'credential',
    unit: 'set-ups of trackers',
    at_limit,
    used: 0,
    limit: 3,
    left: 3,
    resets_at: until,
  })
  const { agencyId } = gate.tenant
  const day = { workspace_id: agencyId, created_date: now, updated_date: now, expires_at: until }
  const id = `agent_key:${agencyId}:setups-day:2026-11-20`
  await gate.documents.collection(UsageDay).insert({ ...day, id, used: 4 })
  expect((await limits()).get('setups_per_day')).toMatchObject({ used: 3, left: 0, runs_out_at: now })
})

test('limits of the credential are told beside those of the workspace', async () => {
  const names = [...(await limits()).values()].filter(({ per }) => per === 'credential')
  expect(names.map(({ name }) => name)).toEqual([
    'drafts_per_day',
    'reports_per_day',
    'setups_per_day',
    'own_open_proposals',
    'own_event_subscriptions',
  ])
})

test('paid locations are those of the agency, and shown only where they are counted', async () => {
  expect((await limits()).has('paid_locations')).toBe(false)
  await gate.owner.rows(Agency).update(gate.tenant.agencyId, { paid_capacity: 2 })
  expect((await limits()).get('paid_locations')).toMatchObject({ used: 0, limit: 2, left: 2, per: 'agency' })
  expect((await limits(gate.tenant.otherWorkspaceId)).get('paid_locations')).toMatchObject({ limit: 2 })
})

test('subscriptions to events count while they are active, by workspace and by credential', async () => {
  const { agencyId, workspaceId, otherWorkspaceId } = gate.tenant
  const own = `agent_key:${agencyId}`
  const later = '2026-11-21T00:00:00.000Z'
  const subscriptions = [
    [workspaceId, own, 'active', later],
    [workspaceId, 'agent_key:of_another', 'active', later],
    [otherWorkspaceId, own, 'active', later],
    [workspaceId, own, 'ended', later],
    [workspaceId, own, 'active', now],
  ] as const
  for (const [workspace_id, credential, state, expires_at] of subscriptions)
    await putRow(gate.owner, EventSubscription, {
      workspace_id,
      agency_id: agencyId,
      credential,
      type: 'review.received',
      url: 'https://hooks.example.com/',
      secret: 'sealed',
      state,
      cursor: 0,
      attempts: 0,
      expires_at,
      verified_at: now,
      delivered: 0,
    })
  const here = await limits()
  expect(here.get('event_subscriptions')).toMatchObject({ used: 2 })
  expect(here.get('own_event_subscriptions')).toMatchObject({ used: 2 })
  const elsewhere = await limits(otherWorkspaceId)
  expect(elsewhere.get('event_subscriptions')).toMatchObject({ used: 1 })
  expect(elsewhere.get('own_event_subscriptions')).toMatchObject({ used: 2 })
})

test('searches and budgets of trackers are counted by workspace, and say when they run out', async () => {
  expect((await limits()).has('ai_searches_per_day')).toBe(false)
  const { workspaceId } = gate.tenant
  const { id } = await gate.owner.rows(VisibilityTracker).insert({
    workspace_id: workspaceId,
    location_id: 'loc_1',
    name: 'Acme',
    brand_name: 'Acme',
    brand_aliases: [],
    competitors: [],
    engines: ['chatgpt'],
    is_active: true,
    provider: 'recorded',
    run_frequency_hours: 24,
    budget: { search_calls_per_day: 10, usd_per_month: 5 },
  })
  const spent = { created_date: now, updated_date: now, expires_at: now }
  const days = gate.documents.collection(ServiceDay)
  for (const [account, used] of [
    [`visibility:${workspaceId}`, 75],
    [`visibility-tracker:${id}`, 10],
  ] as const) {
    const key = `${account}:2026-11-20`
    await days.insert({ ...spent, id: key, workspace_id: key, used })
  }
  const found = await limits()
  // 75 in twelve hours: the other 25 last four hours.
  expect(found.get('ai_searches_per_day')).toMatchObject({
    used: 75,
    limit: 100,
    left: 25,
    runs_out_at: '2026-11-20T16:00:00.000Z',
  })
  expect(found.get('tracker_searches_per_day')).toMatchObject({ subject: 'Acme', left: 0, runs_out_at: now })
  expect(found.get('tracker_budget_per_month')).toMatchObject({
    used: 0,
    limit: 5,
    left: 5,
    unit: 'US dollars',
    resets_at: expect.any(String),
  })
  expect((await limits(gate.tenant.otherWorkspaceId)).has('ai_searches_per_day')).toBe(false)
})
