import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { FoundPost, Recheck, SourcePolicy } from 'renown/leads'
import { moveMention } from '../../../../plugins/leads/decisions/mention-commands'
import { judgeOne } from '../../../../plugins/leads/finding/judgeMentions'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { putRow } from '../../../support/any-state'
import { describeGateStores } from '../../../support/mongo'
import { type FindingWorld, findingWorld, post } from '../support/finding-world'

describeGateStores('Looks on %s', (_, openStore) => {
  let world: FindingWorld
  const open = async (policy: Partial<SourcePolicy> = {}) => {
    world = await findingWorld(policy, await openStore())
    await world.tracker(['acme'], { sources: ['forum'] })
  }
  afterEach(() => world.stop())

  const hour = 1 / 24
  const words = 'acme, who can mend a roof?'

  /** A stand-in of the forum: its search lists `listed`, and a look by an id sees `held`. */
  function forum() {
    const held = new Map<string, FoundPost | 'deleted'>()
    const standIn = {
      held,
      /** What the search lists. It can lag behind. */
      listed: [] as FoundPost[],
      /** What each look answers in place of the truth. */
      lie: null as ((ids: readonly string[]) => readonly Recheck[]) | null,
      looks: 0,
      put(...posts: FoundPost[]) {
        for (const one of posts) held.set(one.source_id, one)
        standIn.listed.push(...posts)
      },
    }
    world.search.read = ({ since }) => ({
      posts: standIn.listed.filter(({ posted_at = since }) => posted_at >= since),
    })
    world.search.recheck = (ids) => {
      standIn.looks += 1
      if (standIn.lie) return standIn.lie(ids)
      return ids.map((source_id): Recheck => {
        const found = held.get(source_id)
        if (found === undefined) return { source_id, state: 'missing' }
        return found === 'deleted' ? { source_id, state: 'gone' } : { source_id, state: 'found', post: found }
      })
    }
    return standIn
  }

  const many = (count: number) => Array.from({ length: count }, (_, n) => post(`p${n}`, `${words} ${n}`))
  const removedOf = async () =>
    (await world.mentions())
      .filter(({ removed_at_source_at }) => removed_at_source_at !== undefined)
      .map(({ source_id }) => source_id)
  const only = async () => {
    const [row] = await world.mentions()
    if (!row) throw new Error('no mention')
    return row
  }

  async function withLead() {
    const mention = await only()
    const { id, tracker_id, location_id, workspace_id } = mention
    await moveMention(world.owner, mention, 'saved')
    await world.owner.rows(Mention).update(id, {
      suggested_reply: 'We mend roofs.',
      suggested_reply_by: 'caller',
      tags: ['roof'],
      relevance: 'relevant',
      relevance_reason: 'It says “mend a roof”.',
      intent_reason: 'It asks “who can mend a roof?”.',
      is_judged: true,
    })
    const lead = await putRow(world.owner, Lead, {
      workspace_id,
      mention_id: id,
      tracker_id,
      location_id,
      intent_score: 80,
      intent_reason: 'It asks “who can mend a roof?”.',
      stage: 'contacted',
      is_archived: false,
      notes: 'Called on Monday',
      next_step: 'Send the offer',
      phone: '01632 960001',
    })
    await world.owner.rows(Mention).update(id, { is_lead: true, lead_id: lead.id })
    return lead.id
  }

  describe('a deletion', () => {
    beforeEach(() => open())

    test('that the source states for one post counts at the first look', async () => {
      const there = forum()
      there.put(...many(20))
      await world.read()
      there.held.set('p3', 'deleted')
      await world.applyPolicies(1)
      expect(await removedOf()).toEqual(['p3'])
      expect((await world.mentions()).find(({ source_id }) => source_id === 'p3')).toMatchObject({
        body: '',
        excerpt: '',
      })
    })

    test('of a post that is only missing counts at a second look an hour later, and is a doubt until then', async () => {
      const there = forum()
      there.put(...many(20))
      await world.read()
      there.held.delete('p3')
      await world.applyPolicies(1)
      const doubted = (await world.mentions()).find(({ source_id }) => source_id === 'p3')
      expect([await removedOf(), doubted?.missing_since, doubted?.body]).toEqual([
        [],
        world.bench.now.toISOString(),
        `${words} 3`,
      ])
      await world.applyPolicies(hour / 2)
      expect(await removedOf()).toEqual([])
      await world.applyPolicies(hour)
      expect(await removedOf()).toEqual(['p3'])
    })

    test('of many posts at once needs a second look, also when the source states it', async () => {
      const there = forum()
      there.put(...many(20))
      await world.read()
      there.lie = (ids) => ids.map((source_id) => ({ source_id, state: 'gone' }))
      await world.applyPolicies(1)
      expect(await removedOf()).toEqual([])
      there.lie = null
      await world.applyPolicies(hour)
      expect(await removedOf()).toEqual([])
      expect((await world.mentions()).filter(({ missing_since }) => missing_since !== undefined)).toEqual([])
    })

    const lies: Record<string, (ids: readonly string[]) => readonly Recheck[]> = {
      'an empty answer': () => [],
      'other ids': (ids) => ids.map((id) => ({ source_id: `x${id}`, state: 'gone' })),
      'an outage': () => {
        throw new Error('503')
      },
      'every post missing': (ids) => ids.map((source_id) => ({ source_id, state: 'missing' })),
    }
    test.each(Object.entries(lies))('is never concluded from one hour of %s', async (_, lie) => {
      const there = forum()
      there.put(...many(30))
      await world.read()
      there.lie = lie
      await world.applyPolicies(1)
      await world.applyPolicies(hour / 2)
      there.lie = null
      await world.applyPolicies(1)
      expect([
        await removedOf(),
        (await world.mentions()).every(({ body }) => body.startsWith(words)),
      ]).toEqual([[], true])
    })

    test('is not undone by a search that still lists the post, and is undone by a look that finds it', async () => {
      const there = forum()
      there.put(post('1', words))
      await world.read()
      there.held.set('1', 'deleted')
      await world.applyPolicies(1)
      await world.read(6)
      expect(await only()).toMatchObject({ body: '', removed_at_source_at: expect.any(String) })
      there.held.set('1', post('1', words))
      await world.applyPolicies(1)
      const back = await only()
      expect([back.body, back.removed_at_source_at, back.edited_at, back.is_judged]).toEqual([
        words,
        undefined,
        undefined,
        false,
      ])
    })

    test('keeps what people decided and wrote, and removes what quotes the post', async () => {
      const there = forum()
      there.put(post('1', words))
      await world.read()
      const lead = await withLead()
      there.held.set('1', 'deleted')
      await world.applyPolicies(1)
      const row = await only()
      expect(row).toMatchObject({
        status: 'saved',
        suggested_reply: 'We mend roofs.',
        tags: ['roof'],
        is_lead: true,
      })
      expect([row.relevance_reason, row.intent_reason]).toEqual([undefined, undefined])
      const kept = await world.owner.rows(Lead).get(lead)
      expect(kept).toMatchObject({
        stage: 'contacted',
        notes: 'Called on Monday',
        next_step: 'Send the offer',
        phone: '01632 960001',
        intent_score: 80,
      })
      expect(kept?.intent_reason).toBeUndefined()
    })

    test('removes a draft that Renown wrote and that quotes the post, and no other', async () => {
      const there = forum()
      there.put(post('1', words), post('2', words), post('3', words, { author: { handle: 'eve' } }))
      await world.read()
      const quoting = 'You asked: “who can mend a roof?” We can.'
      const drafts = [
        [quoting, 'llm:model'],
        ['Thank you, we would love to help.', 'template:v1'],
        [quoting, 'caller'],
      ] as const
      for (const [at, { id }] of (await world.mentions()).entries()) {
        const [suggested_reply = '', suggested_reply_by = ''] = drafts[at] ?? []
        await world.owner.rows(Mention).update(id, { suggested_reply, suggested_reply_by })
      }
      for (const id of ['1', '2', '3']) there.held.set(id, 'deleted')
      await world.applyPolicies(1)
      expect((await world.mentions()).map(({ body, suggested_reply }) => [body, suggested_reply])).toEqual([
        ['', undefined],
        ['', 'Thank you, we would love to help.'],
        ['', quoting],
      ])
    })

    test('is looked for daily for a week, and then no more', async () => {
      const there = forum()
      there.put(post('1', words))
      await world.read()
      for (let n = 0; n < 24 * 10; n++) await world.applyPolicies(hour)
      expect([there.looks, (await only()).recheck_at]).toEqual([7, undefined])
    })
  })

  describe('an edit', () => {
    beforeEach(() => open())

    const edited = (body: string) => post('1', body, { edited_at: '2026-03-16T08:00:00.000Z' })

    test('that takes the name out is noticed: the mention no longer counts, and the work of people stays', async () => {
      const there = forum()
      there.put(post('1', words))
      await world.read()
      const lead = await withLead()
      there.held.set('1', edited('who can mend a roof?'))
      await world.applyPolicies(1)
      const row = await only()
      expect(row).toMatchObject({
        body: 'who can mend a roof?',
        matched_keywords: [],
        unmatched_at: world.bench.now.toISOString(),
        relevance: 'irrelevant',
        body_version: 2,
        edited_at: '2026-03-16T08:00:00.000Z',
        status: 'saved',
        suggested_reply: 'We mend roofs.',
        lead_id: lead,
      })
      expect(await world.owner.rows(Lead).get(lead)).toMatchObject({
        notes: 'Called on Monday',
        stage: 'contacted',
        phone: '01632 960001',
      })
      // Judging the new words changes nothing of this.
      await judgeOne.run(world.owner, { mention_id: row.id }, { attempt: 1 } as Parameters<
        typeof judgeOne.run
      >[2])
      expect(await only()).toMatchObject({ relevance: 'irrelevant', is_judged: true, intent_score: 0 })
    })

    test('is not undone by a search that still lists the earlier words', async () => {
      const there = forum()
      there.put(post('1', words))
      await world.read()
      there.held.set('1', edited('who can mend a roof?'))
      await world.applyPolicies(1)
      await world.read(6)
      expect(await only()).toMatchObject({ body: 'who can mend a roof?', body_version: 2 })
    })

    test('is not concluded from an answer without the text or the title', async () => {
      const there = forum()
      there.put(post('1', words, { title: 'Roofs' }))
      await world.read()
      there.lie = () => [{ source_id: '1', state: 'found', post: post('1', '', { title: 'Roofs' }) }]
      await world.applyPolicies(1)
      there.listed = [post('1', '', { title: 'Roofs' })]
      await world.read(6)
      there.lie = () => [{ source_id: '1', state: 'found', post: post('1', words) }]
      await world.applyPolicies(1)
      const row = await only()
      expect(row).toMatchObject({ title: 'Roofs', body: words, body_version: 1, matched_keywords: ['acme'] })
      expect(row.unmatched_at).toBeUndefined()
    })

    test('that puts the name back makes it count again', async () => {
      const there = forum()
      there.put(post('1', words))
      await world.read()
      there.held.set('1', edited('who can mend a roof?'))
      await world.applyPolicies(1)
      there.held.set('1', edited('Hello acme again'))
      await world.applyPolicies(1)
      const row = await only()
      expect(row).toMatchObject({ body: 'Hello acme again', matched_keywords: ['acme'], is_judged: false })
      expect(row.unmatched_at).toBeUndefined()
    })

    test('of spaces and quotes alone is none', async () => {
      const there = forum()
      there.put(post('1', words))
      await world.read()
      there.held.set('1', post('1', words.replace(', ', ',\n')))
      await world.applyPolicies(1)
      expect(await only()).toMatchObject({ body: words, body_version: 1 })
    })

    test('that a reading shows, without a look, is noticed too', async () => {
      const there = forum()
      const posted_at = '2026-03-15T11:59:00.000Z'
      there.put(post('1', words, { posted_at }))
      await world.read()
      there.listed = [{ ...edited('who can mend a roof?'), posted_at }]
      await world.read(6)
      expect(await only()).toMatchObject({ body: 'who can mend a roof?', relevance: 'irrelevant' })
    })

    test('keeps the title where the look does not say it', async () => {
      const there = forum()
      there.put(post('1', 'who can mend a roof?', { title: 'acme' }))
      await world.read()
      there.lie = () => [{ source_id: '1', state: 'found', post: edited('who mends roofs?') }]
      await world.applyPolicies(1)
      const row = await only()
      expect(row).toMatchObject({ title: 'acme', body: 'who mends roofs?', matched_keywords: ['acme'] })
      expect(row.unmatched_at).toBeUndefined()
    })
  })

  describe('a post that its source lists late', () => {
    test('is found by the daily reading of the last seven days', async () => {
      await open()
      const there = forum()
      const kept: FoundPost[] = []
      const read = world.search.read
      world.search.read = async (request) => ({
        ...(await read(request)),
        cursor: world.bench.now.toISOString(),
      })
      there.put(post('0', words))
      await world.read()
      for (const days of [1, 2, 3, 6]) {
        const at = new Date(world.bench.now.getTime() + 5 * 60_000).toISOString()
        kept.push(post(`late${days}`, `${words} late ${days}`, { posted_at: at }))
      }
      for (let n = 0; n < 4; n++) await world.read(60)
      for (const day of [1, 2, 3, 4, 5, 6]) {
        for (const one of kept.filter(({ source_id }) => source_id === `late${day}`)) there.put(one)
        await world.readBack(day === 1 ? 1 : 1.01)
      }
      expect((await world.mentions()).map(({ source_id }) => source_id)).toEqual([
        '0',
        'late1',
        'late2',
        'late3',
        'late6',
      ])
    })

    test('costs readings only within the budget of the source', async () => {
      await open()
      forum()
      world.search.perHour = 1
      await world.read()
      const before = world.search.asked.length
      await world.readBack(1.1)
      await world.readBack(0)
      expect(world.search.asked.length - before).toBe(1)
    })

    test('ends although the source sends it in a circle', async () => {
      await open()
      await world.read()
      world.search.read = ({ cursor }) => ({ isMore: true, cursor: cursor === '100' ? '200' : '100' })
      await world.readBack(1.1)
      for (let n = 0; n < 5; n++) await world.readBack(0)
      expect(world.search.asked.length).toBeLessThan(10)
    })
  })
})
