import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { FoundPost } from 'renown/leads'
import type { Row } from '../../../../core/contracts/entity'
import { moveMention } from '../../../../plugins/leads/decisions/mention-commands'
import { formerUrl } from '../../../../plugins/leads/finding/canonical-url'
import { judgeOne } from '../../../../plugins/leads/finding/judgeMentions'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { describeGateStores } from '../../../support/mongo'
import { type FindingWorld, findingWorld, post } from '../support/finding-world'

type MentionRow = Row<typeof Mention>

describeGateStores('Mentions on %s', (_, open) => {
  let world: FindingWorld
  beforeEach(async () => {
    world = await findingWorld({}, await open())
  })
  afterEach(() => world.stop())

  const feed = 'https://feeds.example/1'
  const counted = async () =>
    (await world.mentions()).filter(({ duplicate_of }) => duplicate_of === undefined)
  const total = async (id: string) => (await world.owner.rows(BrandTracker).get(id))?.mentions_total
  const found = async (posts: readonly FoundPost[]) => {
    world.search.read = () => ({ posts })
    await world.read(6)
  }
  const long = Array.from({ length: 14 }, (_, n) => `Acme opened shop number ${n} in town`).join('. ')
  const question =
    'Can anyone recommend a good plumber in Leeds? I need Acme or someone else urgently, the boiler leaks'

  const judge = async () => {
    const judging = judgeOne.run as (ctx: unknown, payload: object, task: object) => Promise<void>
    for (const { id } of await world.mentions())
      await judging(world.owner, { mention_id: id }, { attempt: 9 })
  }

  describe('posts of different people are never one post', () => {
    const people = Array.from({ length: 12 }, (_, n) => `person${n}`)

    test.each<[where: string, url: (n: number) => string]>([
      ['comments on a GitHub issue', (n) => `https://github.com/o/r/issues/1#issuecomment-${n}`],
      ['comments of a feed with fragments', (n) => `https://blog.example/post/#comment-${n}`],
      ['comments of a feed without fragments', () => 'https://blog.example/post/'],
      ['comments of a feed with one fragment', () => 'https://blog.example/post/#comments'],
      ['posts told apart by ref', (n) => `https://forum.example/view?ref=${n}`],
      ['posts told apart by source', (n) => `https://forum.example/view?source=${n}`],
      ['posts told apart by si', (n) => `https://forum.example/view?si=${n}`],
      ['posts on a thread of Reddit', () => 'https://www.reddit.com/r/x/comments/1abc/t/'],
    ])('%s', async (_, url) => {
      const tracker = await world.tracker(['acme'])
      await found(
        people.map((handle, n) =>
          post(`c${n}`, `acme, says ${handle} for the ${n}th time`, {
            url: url(n),
            author: { handle },
            title: 'Acme, again',
          }),
        ),
      )
      expect(await counted()).toHaveLength(12)
      expect(await total(tracker.id)).toBe(12)
    })

    test('who ask one question: each may become a lead', async () => {
      const tracker = await world.tracker(['acme'], {
        location_id: (await world.location({ city: 'Leeds', country: 'GB' } as never)).id,
      })
      await found(
        ['ann', 'bob', 'cleo'].map((handle, n) =>
          post(`q${n}`, question, { url: `https://forum.example/t/${n}`, author: { handle } }),
        ),
      )
      const [first, ...others] = await world.mentions()
      expect(others.map(({ similar_to }) => similar_to)).toEqual([first?.id, first?.id])
      expect(first?.similar_to).toBeUndefined()
      expect(await total(tracker.id)).toBe(3)
      await judge()
      expect(await world.owner.rows(Lead).list()).toHaveLength(3)
    })

    test('who ask one question: the first is who posted first, in whatever order they were found', async () => {
      await world.tracker(['acme'])
      const asked = (handle: string, posted_at: string) =>
        post(handle, question, { url: `https://forum.example/t/${handle}`, author: { handle }, posted_at })
      await found([asked('late', '2026-03-15T09:00:00.000Z')])
      await found([asked('early', '2026-03-14T09:00:00.000Z')])
      const ids = new Map((await world.mentions()).map(({ source_id, id }) => [source_id, id]))
      for (const { id } of await world.mentions())
        await world.owner.rows(Mention).update(id, { similar_to: undefined })
      await found([asked('last', '2026-03-15T10:00:00.000Z')])
      const last = (await world.mentions()).find(({ source_id }) => source_id === 'last')
      expect(last?.similar_to).toBe(ids.get('early'))
    })

    test('who are not known, on one page', async () => {
      await world.tracker(['acme'])
      const url = 'https://blog.example/post/'
      const { author: _, ...nobody } = post('1', 'acme never answers the telephone', { url })
      await found([nobody, { ...nobody, source_id: '2', body: 'I like acme a lot more than the other one' }])
      expect(await counted()).toHaveLength(2)
    })

    test('who use a name that many use', async () => {
      await world.tracker(['acme'])
      for (const [n, handle] of ['Anonymous', '[deleted]', 'guest'].entries())
        await found([
          post(`a${n}`, question, { url: `https://forum.example/a/${n}`, author: { handle } }),
          post(`b${n}`, question, { url: `https://forum.example/b/${n}`, author: { handle } }),
        ])
      expect(await counted()).toHaveLength(6)
    })
  })

  describe('one post is one post', () => {
    test.each<[what: string, first: Partial<FoundPost>, again: Partial<FoundPost>]>([
      ['with tracking in its address', {}, { url: 'https://www.forum.example/1/?utm_source=x#top' }],
      ['by its author elsewhere', {}, { url: 'https://other.example/9' }],
      [
        'a long article that others publish',
        { body: long },
        { body: long, url: 'https://press.example/9', author: { handle: 'press' } },
      ],
      ['an excerpt of it', {}, { body: `${question.slice(0, 70)}…` }],
      ['without its author', {}, { author: { handle: '' } }],
    ])('%s', async (_, first, again) => {
      const tracker = await world.tracker(['acme'])
      const original = post('1', question, first)
      await found([original, { ...original, source_id: '2', ...again }])
      const [one, two] = await world.mentions()
      expect(two?.duplicate_of).toBe(one?.id as string)
      expect(await total(tracker.id)).toBe(1)
    })

    test.each<[what: string, url: string, other: string]>([
      ['of Reddit', 'https://www.reddit.com/r/leeds/comments/1abc/plumber/', 'https://redd.it/1abc'],
      ['of YouTube', 'https://www.youtube.com/watch?v=abc', 'https://youtu.be/abc?si=x'],
      ['of X', 'https://x.com/ann/status/7', 'https://twitter.com/ann/status/7?s=20'],
    ])('%s, found in two ways under two names', async (_, url, other) => {
      await world.tracker(['acme'], { feeds: [feed] })
      world.search.read = () => ({ posts: [post('1', question, { url, author: { handle: 'ann' } })] })
      world.feed.read = () => ({
        posts: [
          post('2', `${question} …`, { channel: 'news', url: other, author: { handle: '/u/Ann of Leeds' } }),
        ],
      })
      await world.read()
      await world.read(30)
      expect(await world.mentions()).toHaveLength(2)
      expect(await counted()).toHaveLength(1)
    })

    test('does not come back by another way after its text was removed', async () => {
      await world.tracker(['acme'])
      const url = 'https://www.reddit.com/r/leeds/comments/1abc/plumber/'
      await found([post('1', question, { url })])
      const [first] = await world.mentions()
      await world.owner.rows(Mention).update(first?.id ?? '', {
        body: '',
        author: { handle: '' },
        removal_rule: 'delete_with_source',
        text_hash: undefined,
      })
      await found([post('2', question, { url: 'https://redd.it/1abc' })])
      const [, again] = await world.mentions()
      expect(again?.duplicate_of).toBe(first?.id as string)
    })
  })

  describe('mentions of earlier versions', () => {
    const old = (row: MentionRow, changes: Partial<MentionRow> = {}) =>
      world.owner.rows(Mention).update(row.id, { canonical_url: formerUrl(row.url), ...changes })

    test('are found by their earlier address', async () => {
      const tracker = await world.tracker(['acme'])
      await found([post('1', question, { url: 'https://forum.example/view?ref=7#c1' })])
      const [row] = await world.mentions()
      await old(row as MentionRow)
      await found([post('2', `${question}!`, { url: 'https://www.forum.example/view?ref=7#c1' })])
      expect(await total(tracker.id)).toBe(1)
    })

    test('of a feed get the id that the feed has now, and are stored once', async () => {
      const tracker = await world.tracker(['acme'], { feeds: [feed] })
      const item = post('feeds.example 1', question, { channel: 'blog', url: 'https://blog.example/a' })
      world.feed.read = () => ({ posts: [item] })
      await world.read()
      await old((await world.mentions())[0] as MentionRow)
      world.feed.read = () => ({ posts: [{ ...item, source_id: 'feeds.example 1 https://blog.example/a' }] })
      await world.read(20)
      expect(await world.mentions()).toMatchObject([{ source_id: 'feeds.example 1 https://blog.example/a' }])
      expect(await total(tracker.id)).toBe(1)
      world.feed.read = () => ({
        posts: [
          { ...item, source_id: 'feeds.example 1 https://blog.example/a' },
          { ...item, source_id: 'other' },
        ],
      })
      await world.read(20)
      expect(await world.mentions()).toHaveLength(2)
    })

    test('that counted as copies of another person count when they are read again, and are judged', async () => {
      const tracker = await world.tracker(['acme'])
      const posts = ['ann', 'bob'].map((handle, n) =>
        post(`${n}`, `${question}, writes ${handle}`, {
          url: `https://github.com/o/r/issues/1#issuecomment-${n}`,
          author: { handle },
        }),
      )
      await found(posts)
      const [first, second] = (await world.mentions()) as [MentionRow, MentionRow]
      await old(first, { is_judged: true })
      await old(second, { duplicate_of: first.id, is_judged: true })
      await found(posts)
      expect((await counted()).map(({ is_judged }) => is_judged)).toEqual([true, false])
      expect(await total(tracker.id)).toBe(2)
    })

    test('that are copies stay copies', async () => {
      await world.tracker(['acme'])
      const posts = [post('1', question), post('2', question, { url: 'https://other.example/2' })]
      await found(posts)
      await found(posts)
      expect(await counted()).toHaveLength(1)
    })
  })

  describe('a post that two trackers of a location found', () => {
    const shared = async () => {
      const { id: location_id } = await world.location()
      const one = await world.tracker(['acme'], { location_id })
      const two = await world.tracker(['plumber'], { location_id, name: 'need' })
      await found([post('1', question), post('2', 'acme alone'), post('3', 'a plumber alone')])
      return { one, two, location_id }
    }
    const once = async () => (await world.mentions()).filter(({ same_post_as }) => same_post_as === undefined)

    test('counts once, and for each tracker', async () => {
      const { one, two } = await shared()
      expect(await world.mentions()).toHaveLength(4)
      expect((await once()).map(({ source_id }) => source_id)).toEqual(['1', '2', '3'])
      expect([await total(one.id), await total(two.id)]).toEqual([2, 2])
      await judge()
      expect(await once()).toHaveLength(3)
    })

    test('of two locations counts for each', async () => {
      await world.tracker(['acme'])
      await world.tracker(['plumber'])
      await found([post('1', question)])
      expect(await once()).toHaveLength(2)
    })

    test('counts where it is relevant, and where a person decided', async () => {
      await shared()
      const rows = (await world.mentions()).filter(({ source_id }) => source_id === '1')
      const counting = async () => (await once()).find(({ source_id }) => source_id === '1')?.id
      const hidden = rows.find(({ same_post_as }) => same_post_as !== undefined)
      const shown = rows.find(({ same_post_as }) => same_post_as === undefined)
      await world.owner.rows(Mention).update(shown?.id ?? '', { relevance: 'irrelevant', is_judged: true })
      await judge()
      expect(await counting()).toBe(hidden?.id as string)
      await moveMention(world.owner, { ...(shown as MentionRow) }, 'saved')
      expect(await counting()).toBe(shown?.id as string)
    })

    test('never vanishes, however its mentions are judged at the same time', async () => {
      await shared()
      const judging = judgeOne.run as (ctx: unknown, payload: object, task: object) => Promise<void>
      const rows = await world.mentions()
      await Promise.all(rows.map(({ id }) => judging(world.owner, { mention_id: id }, { attempt: 9 })))
      expect((await once()).map(({ source_id }) => source_id)).toEqual(['1', '2', '3'])
    })
  })
})
