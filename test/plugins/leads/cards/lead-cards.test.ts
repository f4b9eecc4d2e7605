import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything, where } from '../../../../core/contracts/where'
import leads from '../../../../plugins/leads'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { testHomeCard, testLocationCard } from '../../../support/card-suite'
import type { Gate } from '../../../support/harness'
import { testInboxSource } from '../../../support/inbox-suite'
import { type BoardWorld, boardWorld } from '../support/board-world'

const past = '2020-03-01T09:00:00.000Z'
const lead = (more: object = {}) => ({
  mention_id: 'men_1',
  tracker_id: 'trk_1',
  location_id: 'loc_1',
  intent_score: 60,
  stage: 'new' as const,
  is_archived: false,
  first_name: 'Ann',
  ...more,
})
const put = (gate: Gate, more: object, workspaceId = gate.tenant.workspaceId) =>
  gate.put(Lead, lead(more), workspaceId)

testInboxSource({
  plugin: leads,
  name: 'leads',
  shows: 'Ann may want to buy',
  async prepare(gate, workspaceId) {
    await put(gate, {}, workspaceId)
    await put(gate, { seen_at: past }, workspaceId)
    await put(gate, { stage: 'contacted' }, workspaceId)
    await put(gate, { is_archived: true }, workspaceId)
  },
})

testInboxSource({
  plugin: leads,
  name: 'next-steps',
  shows: 'Call again',
  async prepare(gate, workspaceId) {
    const due = { next_step: 'Call again', due_at: past, stage: 'contacted' }
    await put(gate, due, workspaceId)
    await put(gate, { ...due, stage: 'won' }, workspaceId)
    await put(gate, { ...due, is_archived: true }, workspaceId)
    await put(gate, { ...due, due_at: '2999-01-01T00:00:00.000Z' }, workspaceId)
  },
  async change(gate) {
    const due = where.and(where.eq('workspace_id', gate.tenant.workspaceId), where.eq('due_at', past))
    await gate.owner.rows(Lead).updateMany(due, { due_at: '2020-04-01T09:00:00.000Z' })
  },
})

testHomeCard({
  plugin: leads,
  name: 'leads',
  shows: 'Nobody has seen them yet.',
  prepare: async (gate) => void (await put(gate, {})),
})

testLocationCard({
  plugin: leads,
  name: 'leads',
  shows: 'Open the board of this location',
  async prepare(gate, { id, workspace_id }) {
    await put(gate, { location_id: id }, workspace_id)
  },
})

describe('Leads on other pages', () => {
  let world: BoardWorld
  beforeAll(async () => {
    world = await boardWorld()
  })
  afterAll(() => world.gate.stop())
  beforeEach(() => world.gate.owner.rows(Lead).removeWhere(everything))

  test('a new lead is marked as seen in the inbox, and leaves it', async () => {
    const { id } = await world.lead({ first_name: '<b>Ann\u202e' })
    const { html } = await world.ada.open(`/app/inbox?kind=leads&entry=leads~${id}`)
    expect(html).toContain('&lt;b>Ann may want to buy')
    expect(html).not.toContain('\u202e')
    const after = await world.ada.submit('/app/inbox/act')
    expect(after.status).toBe(200)
    expect((await world.rowOf(id))?.seen_at).toBeString()
    expect((await world.ada.open('/app/inbox?kind=leads')).text).not.toContain('may want to buy')
  })

  test('the home page counts new leads and due steps, each with a link to them', async () => {
    await world.lead()
    await world.lead({ stage: 'contacted', next_step: 'Call', due_at: past })
    const { html } = await world.ada.open('/app')
    expect(html).toContain('href="/app/leads?stage=new&amp;seen=no"')
    expect(html).toContain('href="/app/leads?due=1"')
  })
})
