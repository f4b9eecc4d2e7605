import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel, Recheck } from 'renown/leads'
import { type FindingWorld, findingWorld, post } from '../support/finding-world'

/** Posts of a platform that came by another road, such as a feed or a webhook, under the terms of the platform. */
let world: FindingWorld
const feed = 'https://feeds.example/a'
const hour = 1 / 24
const words = 'acme, who can mend a roof?'
beforeEach(async () => {
  world = await findingWorld()
  await world.tracker(['acme'], { feeds: [feed] })
})
afterEach(() => world.stop())

async function arrives(channel: Channel = 'reddit', body = words) {
  world.feed.read = () => ({
    posts: [post('item-1', body, { channel, url: 'https://platform.example/t3_1' })],
  })
  await world.read()
  world.feed.read = () => ({})
}
const only = async () => {
  const [row] = await world.mentions()
  if (!row) throw new Error('no mention')
  return row
}

describe('where the source of the platform can look', () => {
  let asked: string[][] = []
  let answer: (source_id: string) => Recheck
  beforeEach(() => {
    asked = []
    answer = (source_id) => ({ source_id, state: 'found', post: post(source_id, `${words} And more of it.`) })
    world.search.knows = 'platform.example'
    world.search.recheck = (ids) => {
      asked.push([...ids])
      return ids.map(answer)
    }
  })

  test('a post of Reddit is looked at by its own id, and its text goes when its author deletes it', async () => {
    await arrives()
    await world.applyPolicies(hour)
    expect(asked).toEqual([['t3_1']])
    // The feed has only a part of the post, so its words stay.
    expect(await only()).toMatchObject({ body: words, body_version: 1 })
    answer = (source_id) => ({ source_id, state: 'gone' })
    await world.applyPolicies(1)
    expect(await only()).toMatchObject({
      body: '',
      author: { handle: '' },
      removal_rule: 'delete_with_source',
    })
  })

  test('it is looked at as long as its text is kept, not only in the first week', async () => {
    await arrives()
    for (let day = 0; day < 20; day++) await world.applyPolicies(1)
    expect(asked.length).toBe(20)
    expect(await only()).toMatchObject({ body: words })
  })

  test('its text goes within two days when the platform does not answer', async () => {
    await arrives()
    await world.applyPolicies(hour)
    world.search.recheck = () => {
      throw new Error('503')
    }
    await world.applyPolicies(0.9)
    expect(await only()).toMatchObject({ body: words })
    await world.applyPolicies(0.2)
    expect(await only()).toMatchObject({ body: '', removal_rule: 'recheck_days' })
  })

  test('an edit there that takes the name out is noticed', async () => {
    await arrives()
    answer = (source_id) => ({ source_id, state: 'found', post: post(source_id, 'who can mend a roof?') })
    await world.applyPolicies(hour)
    expect(await only()).toMatchObject({ body: 'who can mend a roof?', relevance: 'irrelevant' })
    expect((await only()).unmatched_at).toBeDefined()
  })

  test('a post of a platform without such terms loses its words, and is looked at for a week', async () => {
    await arrives('news')
    await world.applyPolicies(1)
    answer = (source_id) => ({ source_id, state: 'missing' })
    await world.applyPolicies(1)
    expect(await only()).toMatchObject({ body: words, missing_since: expect.any(String) })
    await world.applyPolicies(1)
    expect(await only()).toMatchObject({ body: '', author: { handle: 'sam' } })
  })
})

describe('where nothing can look', () => {
  test.each(['reddit'] as const)(
    'the text of a post of %s is kept for 30 days and no longer',
    async (channel) => {
      await arrives(channel)
      for (let day = 0; day < 29; day++) await world.applyPolicies(1)
      expect(await only()).toMatchObject({ body: words, keep_until: '2026-04-14T12:00:00.000Z' })
      await world.applyPolicies(1)
      expect(await only()).toMatchObject({ body: '', removal_rule: 'recheck_days' })
    },
  )

  test('posts of other platforms stay', async () => {
    await arrives('news')
    await world.applyPolicies(60)
    expect(await only()).toMatchObject({ body: words })
  })
})
