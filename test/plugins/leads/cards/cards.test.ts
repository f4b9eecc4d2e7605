import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything } from '../../../../core/contracts/where'
import leads from '../../../../plugins/leads'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { MentionReply } from '../../../../plugins/leads/records/MentionReply'
import { SourceTarget } from '../../../../plugins/leads/records/SourceTarget'
import { testHomeCard, testLocationCard } from '../../../support/card-suite'
import type { Gate } from '../../../support/harness'
import { testInboxSource } from '../../../support/inbox-suite'
import { type MentionPages, mentionPages } from '../support/mention-pages'

const at = '2026-03-01T09:00:00.000Z'
const tracker = {
  location_id: 'loc_1',
  name: 'Harbour',
  keywords: ['harbour'],
  required_keywords: [],
  excluded_keywords: [],
  sources: [],
  languages: [],
  countries: [],
  is_active: true,
  mentions_total: 3,
}
const mention = (tracker_id: string, source_id: string) => ({
  location_id: 'loc_1',
  tracker_id,
  source: 'forum' as const,
  source_id,
  url: 'https://forum.example/1',
  body: 'Who knows Harbour?',
  excerpt: 'Who knows Harbour?',
  language: 'en',
  author: { handle: 'ann' },
  posted_at: at,
  discovered_at: at,
  matched_keywords: [],
  is_lead: false,
  status: 'new' as const,
  is_read: false,
  is_archived: false,
  tags: [],
  relevance: 'relevant' as const,
})
async function found(gate: Gate, workspaceId = gate.tenant.workspaceId) {
  const { id } = await gate.put(BrandTracker, tracker, workspaceId)
  await gate.put(Mention, mention(id, 'p1'), workspaceId)
}

testInboxSource({
  plugin: leads,
  name: 'mentions',
  shows: '1 new mention',
  prepare: found,
  async change(gate) {
    const own = await gate.owner.rows(BrandTracker).list({
      where: { op: 'eq', field: 'workspace_id', value: gate.tenant.workspaceId },
    })
    await gate.put(Mention, mention(own[0]?.id ?? '', 'p2'))
  },
})

testInboxSource({
  plugin: leads,
  name: 'mention-replies',
  shows: 'A reply was not sent on Forum',
  async prepare(gate, workspaceId) {
    const { id } = await gate.put(Mention, { ...mention('trk_1', 'p1'), is_read: true }, workspaceId)
    await gate.put(
      MentionReply,
      {
        location_id: 'loc_1',
        mention_id: id,
        source: 'forum',
        source_id: 'p1',
        text: 'We can help.',
        basis: 'b',
        account_id: 'a1',
        says_who: false,
        state: 'failed',
        failure_kind: 'rejected',
        error_message: 'Not allowed',
        revision: 1,
        requested_by: 'usr_1',
        requested_at: at,
      },
      workspaceId,
    )
  },
  async change(gate) {
    const own = { op: 'eq', field: 'workspace_id', value: gate.tenant.workspaceId } as const
    await gate.owner.rows(MentionReply).updateMany(own, { revision: 2 })
  },
})

testHomeCard({
  plugin: leads,
  name: 'mentions',
  shows: 'Relevant posts that nobody has read.',
  prepare: (gate) => found(gate),
})

testLocationCard({
  plugin: leads,
  name: 'mentions',
  shows: 'Mentions of this location',
  async prepare(gate, { id, workspace_id }) {
    await gate.put(BrandTracker, { ...tracker, location_id: id }, workspace_id)
  },
})

describe('Mentions on other pages', () => {
  let world: MentionPages
  beforeAll(async () => {
    world = await mentionPages()
  })
  afterAll(() => world.gate.stop())
  beforeEach(async () => {
    for (const entity of [Mention, SourceTarget]) await world.gate.owner.rows(entity).removeWhere(everything)
  })
  const failing = (more: object) =>
    world.gate.owner.rows(SourceTarget).insert({
      workspace_id: 'shared',
      source: 'hackernews',
      target: 'blue bottle',
      due_at: at,
      posts_seen: 0,
      unread_seen: 0,
      failures: 9,
      error: 'The server answered 500.',
      ...more,
    })

  test('the inbox names a source that keeps failing once, but not one that failed twice', async () => {
    await failing({ failures: 2, target: 'once' })
    expect((await world.ada.open('/app')).text).not.toContain('Hacker News cannot be read')
    await failing({})
    await failing({ target: 'another' })
    const { text } = await world.inbox()
    expect(text).toContain('Hacker News cannot be read')
    expect(text.match(/Hacker News cannot be read/g)?.length).toBeLessThanOrEqual(2)
  })

  test('the inbox has one entry for each tracker, and shows a stranger’s words as text', async () => {
    for (let n = 0; n < 3; n++)
      await world.mention({ body: '<img src=x>\u202e', excerpt: '<img src=x>\u202e' })
    await world.mention({ is_read: true })
    await world.mention({ relevance: 'maybe' })
    await world.mention({ status: 'saved' })
    const { text, html } = await world.inbox()
    expect(text).toContain('3 new mentions')
    expect(html).not.toContain('<img src=x>')
    expect(html).not.toContain('\u202e')
  })

  test('the home page says what to do first, and then that Renown looks', async () => {
    const [own] = await world.gate.owner.rows(BrandTracker).list({ limit: 1 })
    expect((await world.ada.open('/app')).text).toContain('It has not found one yet.')
    await world.gate.owner.rows(BrandTracker).removeWhere(everything)
    expect((await world.ada.open('/app')).text).toContain('Find posts about your business')
    await world.gate.put(BrandTracker, { ...world.trackerRow, id: own?.id ?? '' })
  })
})
