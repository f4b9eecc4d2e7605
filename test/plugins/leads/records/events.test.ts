import { afterEach, beforeEach, expect, test } from 'bun:test'
import { everything, type Row } from 'renown'
import { EventEntry } from '../../../../core/events/EventEntry'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import { dispatchLead } from '../../../../plugins/leads/dispatch/dispatchLead'
import leads from '../../../../plugins/leads/index'
import { publishMention } from '../../../../plugins/leads/records/events'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { putRow } from '../../../support/any-state'
import { publishedEvents } from '../../../support/published-events'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
let mention: Row<typeof Mention>
beforeEach(async () => {
  bench = await workbench([tenancy, leads])
  const at = bench.now.toISOString()
  mention = await putRow(bench.owner, Mention, {
    workspace_id: 'wsp_1',
    location_id: 'loc_1',
    tracker_id: 'trk_1',
    source: 'bluesky',
    source_id: 'p',
    url: 'https://forum.example/1',
    body: 'Who repairs roofs?',
    excerpt: 'roofs',
    language: 'en',
    author: { handle: 'ann' },
    posted_at: at,
    discovered_at: at,
    matched_keywords: ['roof'],
    is_lead: false,
    status: 'new',
    is_read: false,
    is_archived: false,
    tags: [],
  })
})
afterEach(() => bench.stop())

const dispatch = () =>
  dispatchLead(bench.owner, {
    mention,
    location: {},
    judgement: {
      relevance: 'relevant',
      intent: { score: 70, reason: 'Asks.', reasons: [], method: 'intent.rules@1' },
    },
    policy: { may_link_identity: true, may_extract_contact: true, may_store_author: true },
  })
const events = () => publishedEvents(bench.owner)

test('a new lead is one event, however often its mention is judged', async () => {
  const { lead_id = '' } = (await dispatch()) as { lead_id?: string }
  await dispatch()
  const created = {
    type: 'lead.created',
    data: { lead_id, mention_id: mention.id, intent_score: 70, source: 'bluesky' },
  }
  expect(await events()).toEqual([created])
  // The process was killed between the row and its event.
  await bench.owner.rows(EventEntry).removeWhere(everything)
  await dispatch()
  expect(await events()).toEqual([created])
})

test('a lead that a person moves is an event with both stages', async () => {
  const { lead_id = '' } = (await dispatch()) as { lead_id?: string }
  await bench.command('lead move', { lead_id, stage: 'contacted' })
  expect((await events()).at(-1)).toEqual({
    type: 'lead.stage_changed',
    data: { lead_id, from: 'new', stage: 'contacted' },
  })
  await expect(bench.command('lead move', { lead_id, stage: 'won_over' })).rejects.toThrow()
  await expect(bench.command('lead move', { lead_id, stage: 'lost' })).rejects.toThrow('lost_reason')
  expect(await events()).toHaveLength(2)
  expect(await bench.owner.rows(Lead).count()).toBe(1)
})

test('a mention is an event unless it is irrelevant or a copy', async () => {
  await publishMention(bench.owner, mention, 'irrelevant')
  await publishMention(bench.owner, { ...mention, duplicate_of: 'mnt_0' }, 'relevant')
  expect(await events()).toEqual([])
  for (const relevance of ['maybe', 'relevant'] as const)
    await publishMention(bench.owner, mention, relevance)
  expect(await events()).toEqual([
    {
      type: 'mention.found',
      data: { mention_id: mention.id, tracker_id: 'trk_1', source: 'bluesky', relevance: 'maybe' },
    },
  ])
})
