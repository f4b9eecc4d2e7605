import { describe, expect, test } from 'bun:test'
import { isRefusal } from 'renown'
import { type FoundPost, readSource } from 'renown/leads'
import { inbound } from '../../../../plugins/leads/inbound/inbound-source'
import { readItems } from '../../../../plugins/leads/inbound/read-items'
import { unreadableAnswers } from '../../../support/liar'
import { pathsOf, replaced } from '../../../support/replaced'

const now = new Date('2026-03-10T12:00:00.000Z')
const minute = 60_000

/** Items as F5Bot and others send them, with all fields that are read. */
const itemOf = (n: number, more: object = {}) => ({
  id: `item-${n}`,
  url: `https://forum.example/t/${n}`,
  title: `Is Acme any good? ${n}`,
  content_html: `<p>Post <b>${n}</b></p>`,
  content_text: `Post ${n}`,
  summary: `Post ${n}`,
  date_published: new Date(now.getTime() - n * minute).toISOString(),
  language: 'en',
  date_modified: new Date(now.getTime()).toISOString(),
  username: `writer${n}`,
  authors: [{ name: `writer${n}`, url: `https://forum.example/u/${n}` }],
  ...more,
})

/** Reads a message on the way that the receiver reads it. */
const receive = async (message: unknown) => {
  const items = await readItems(message)
  const source = { ...inbound, read: async () => ({ ...items, cursor: null, isMore: false }) }
  const ctx = { now: () => now } as never
  const request = {
    target: 'x',
    cursor: null,
    since: now.toISOString(),
    signal: new AbortController().signal,
  }
  return readSource(ctx, source, request)
}
const outcomeOf = async (message: unknown) => {
  try {
    return await receive(message)
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}
const idsOf = (posts: readonly FoundPost[]) => posts.map(({ source_id }) => source_id)

describe('items that other services send', () => {
  test('have an id, address, text, author and time', async () => {
    const { posts, unread } = await receive([itemOf(1), itemOf(2)])
    expect([idsOf(posts), unread]).toEqual([['inbound item-1', 'inbound item-2'], []])
    expect(posts[0]).toMatchObject({
      channel: 'web',
      url: 'https://forum.example/t/1',
      title: 'Is Acme any good? 1',
      body: 'Post 1',
      author: { handle: 'writer1' },
      posted_at: '2026-03-10T11:59:00.000Z',
      language: 'en',
    })
  })

  test('are none where the list is empty', async () => {
    for (const message of [[], { version: 'https://jsonfeed.org/version/1.1', items: [] }]) {
      const { posts, unread } = await receive(message)
      expect([posts, unread]).toEqual([[], []])
    }
  })

  test('cost their own post and are counted if a value has another type', async () => {
    const message = [itemOf(1), itemOf(2), itemOf(3)]
    const known = new Map((await receive(message)).posts.map((post) => [post.source_id, post]))
    for (const path of pathsOf(message)) {
      const where = path.join('.')
      const outcome = await outcomeOf(replaced(message, path, -17))
      if (isRefusal(outcome)) continue
      const { posts, unread } = outcome
      expect([where, posts.length + unread.length >= 3]).toEqual([where, true])
      const others = posts.filter(({ source_id }) => !source_id.endsWith(`-${Number(path[0]) + 1}`))
      for (const post of others)
        if (known.has(post.source_id))
          expect([where, post]).toEqual([where, known.get(post.source_id) as FoundPost])
      expect([where, others.filter(({ source_id }) => known.has(source_id)).length]).toEqual([where, 2])
    }
  })

  const empty = ['[]']
  const lies = Object.keys(unreadableAnswers).filter((name) => !empty.includes(name))
  test.each(lies)('are never none because of %s', async (name) => {
    const lie = await unreadableAnswers[name]?.(Response.json(itemOf(1)))
    const text = (await lie?.text()) ?? ''
    let message: unknown = text
    try {
      message = JSON.parse(text)
    } catch {
      // The receiver refuses what is not JSON. A text of JSON is refused here.
    }
    expect(isRefusal(await outcomeOf(message))).toBe(true)
  })

  test('lose the characters that hide words', async () => {
    const hidden = 'Acme\u202e is\u200b fi\u{e0041}ne'
    const { posts } = await receive([itemOf(1, { title: hidden, content_html: hidden })])
    expect([posts[0]?.title, posts[0]?.body]).toEqual(['Acme is fine', 'Acme is fine'])
  })

  test('may have empty texts for what they lack', async () => {
    const empty = { id: '', content_html: '', content_text: '', summary: 'A summary', username: '' }
    const { posts } = await receive([itemOf(1, empty), itemOf(2, { content_html: '' })])
    expect(posts).toMatchObject([
      {
        source_id: 'inbound https://forum.example/t/1',
        body: 'A summary',
        author: { handle: 'writer1' },
      },
      { source_id: 'inbound item-2', body: 'Post 2' },
    ])
  })

  test('never have a time ahead of now', async () => {
    const ahead = new Date(now.getTime() + 3 * 24 * 60 * minute).toISOString()
    const { posts } = await receive([itemOf(1, { date_published: ahead })])
    expect(posts).toHaveLength(1)
    expect(posts[0]).not.toHaveProperty('posted_at')
  })

  test.each([
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['credentials', 'https://user:secret@forum.example/'],
    ['nothing', ''],
  ])('are refused with %s as their address', async (_, url) => {
    const { posts, unread } = await receive([itemOf(1, { url }), itemOf(2)])
    expect([idsOf(posts), unread.length]).toEqual([['inbound item-2'], 1])
  })

  test('have one post for one id, and an id of limited length', async () => {
    const long = 'x'.repeat(5_000)
    const { posts } = await receive([
      itemOf(1),
      itemOf(1),
      itemOf(2, { id: long }),
      itemOf(3, { id: `${long}y` }),
    ])
    expect(posts.length).toBe(3)
    expect(new Set(idsOf(posts)).size).toBe(3)
    for (const id of idsOf(posts)) expect(id.length).toBeLessThan(200)
  })

  test('have at most 20,000 characters of text', async () => {
    const { posts } = await receive([itemOf(1, { content_html: `<p>${'acme '.repeat(100_000)}</p>` })])
    expect(posts[0]?.body.length).toBeLessThanOrEqual(20_000)
  })
})
