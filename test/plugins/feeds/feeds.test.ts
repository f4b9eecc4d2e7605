import { describe, expect, test } from 'bun:test'
import { readSource } from 'renown/leads'
import { testMentionSource } from 'renown/testing'
import plugin from '../../../plugins/feeds'
import { feeds } from '../../../plugins/feeds/feeds'
import { googleAlerts, targetOf } from '../../../plugins/feeds/google-alerts'
import { platformWorld } from '../../support/source-world'
import { alerts, atom, createFeedHost, json, rss } from '../../support/stand-ins/feeds'

const setup = { plugin, isSafelyFetched: true, isJson: false } as const
const target = 'https://feeds.example/feed.xml'

testMentionSource({ ...setup, name: 'feeds', target, keepsWhole: true, standIn: () => createFeedHost(rss) })
testMentionSource({ ...setup, name: 'feeds', target, keepsWhole: true, standIn: () => createFeedHost(atom) })
testMentionSource({ ...setup, name: 'feeds', target, standIn: () => createFeedHost(json) })
testMentionSource({
  ...setup,
  name: 'google-alerts',
  givesAuthor: false,
  keepsWhole: true,
  target: 'https://www.google.com/alerts/feeds/123/456',
  standIn: () => createFeedHost(alerts),
})

const request = {
  target,
  cursor: null,
  since: '2026-01-01T00:00:00.000Z',
  signal: new AbortController().signal,
}

/** Reads a feed once, and returns the addresses that were requested too. */
async function read(
  answer: Response | (() => Response),
  more: Partial<typeof request> | { cursor: string } = {},
  source = feeds,
) {
  const asked: Request[] = []
  const world = await platformWorld({ plugin, isSafelyFetched: true }, async (request) => {
    asked.push(request)
    return typeof answer === 'function' ? answer() : answer
  })
  try {
    return { ...(await readSource(world.ctx, source, { ...request, ...more })), asked }
  } finally {
    await world.stop()
  }
}
const rssOf = (items: string) => `<rss version="2.0"><channel><title>x</title>${items}</channel></rss>`
const feedOf = (items: string) => new Response(rssOf(items))

describe('a feed', () => {
  test('is asked with the version of the last answer, and does not change with 304', async () => {
    const headers = { etag: '"v1"', 'last-modified': 'Sun, 15 Mar 2026 00:00:00 GMT' }
    const { cursor } = await read(new Response(rssOf(''), { headers }))
    const again = await read(new Response(null, { status: 304 }), { cursor: cursor as string })
    expect([again.posts, again.cursor]).toEqual([[], cursor])
    expect(again.asked[0]?.headers.get('if-none-match')).toBe('"v1"')
    expect(again.asked[0]?.headers.get('if-modified-since')).toBe(headers['last-modified'])
  })

  test('loses an item without a link, and not the others', async () => {
    const { posts, unread } = await read(
      feedOf(
        '<item><title>a</title><link>javascript:alert(1)</link></item><item><guid>https://b.example/1</guid><title>b</title></item>',
      ),
    )
    expect(posts.map(({ url }) => url)).toEqual(['https://b.example/1'])
    expect(unread).toEqual([{ reason: 'link' }])
  })

  test('keeps equal ids of two feeds apart, and shortens long ones', async () => {
    const item = (guid: string) =>
      `<item><guid>${guid}</guid><link>https://b.example/${guid.length}</link><title>b</title></item>`
    const one = await read(feedOf(item('7') + item('x'.repeat(900))))
    const other = await read(feedOf(item('7')), { target: 'https://other.example/feed' })
    expect([one.posts[0]?.source_id, other.posts[0]?.source_id]).toEqual([
      'feeds.example 7 b.example/1',
      'other.example 7 b.example/1',
    ])
    expect(one.posts[1]?.source_id).toMatch(/^sha256:[0-9a-f]{64}$/)
  })

  test('reads no entity of the document and no file', async () => {
    const { posts, asked } = await read(
      new Response(
        `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "yyyyyyyy">]>${rssOf('<item><link>https://b.example/1</link><title>a &x; &y; &amp; &#252;</title></item>')}`,
      ),
    )
    expect(posts[0]?.title).toBe('a &x; &y; & ü')
    expect(asked).toHaveLength(1)
  })

  test('takes an empty text in JSON as one that is missing', async () => {
    const item = {
      id: '',
      url: '',
      external_url: 'https://b.example/1',
      title: '',
      content_text: '',
      summary: 'A summary',
      username: '',
      author: { name: 'Kim', url: '' },
      date_published: '',
      date_modified: '2026-02-01T00:00:00Z',
    }
    const html = { url: 'https://b.example/2', content_text: '', content_html: '<p>Acme</p>' }
    const feed = { version: 'https://jsonfeed.org/version/1.1', items: [item, html] }
    const { posts } = await read(Response.json(feed))
    expect(posts).toMatchObject([
      {
        source_id: 'b.example/1',
        url: 'https://b.example/1',
        body: 'A summary',
        author: { handle: 'Kim' },
        posted_at: '2026-02-01T00:00:00.000Z',
      },
      { url: 'https://b.example/2', body: 'Acme' },
    ])
  })

  test('reads at most 5,000 items, and counts the others', async () => {
    const items = Array.from(
      { length: 5_020 },
      (_, n) => `<item><link>https://b.example/${n}</link><title>t</title></item>`,
    )
    const { posts, unread } = await read(feedOf(items.join('')))
    expect([posts.length, unread.length]).toEqual([5_000, 20])
  })

  test('is decoded by its own encoding', async () => {
    const latin = Buffer.from(
      `<?xml version="1.0" encoding="iso-8859-1"?>${rssOf('<item><link>https://b.example/1</link><title>Zürich</title></item>')}`,
      'latin1',
    )
    expect((await read(new Response(latin))).posts[0]?.title).toBe('Zürich')
    const headers = { 'content-type': 'text/xml; charset=x-none' }
    expect((await read(new Response(latin, { headers }))).posts[0]?.title).toBe('Zürich')
    const silent = latin.subarray(latin.indexOf('<rss'))
    await expect(read(new Response(silent, { headers }))).rejects.toThrow('unknown encoding')
  })

  test('names the platform of its posts, whose terms then apply', async () => {
    const { posts } = await read(
      feedOf('<item><link>https://old.reddit.com/r/x/1</link><title>t</title></item>'),
    )
    expect(posts[0]?.channel).toBe('reddit')
  })

  test('belongs to one of the two sources', () => {
    for (const address of [
      'https://www.google.com/alerts/feeds/1/2',
      'https://www.google.co.uk/alerts/feeds/1/2',
      target,
    ]) {
      const url = new URL(address)
      expect([feeds.takes?.(url), googleAlerts.takes?.(url)].filter(Boolean)).toHaveLength(1)
    }
  })
})

describe('Google Alerts', () => {
  test.each([
    ['https://www.google.com/url?rct=j&url=https://b.example/a%3Fx%3D1&ct=ga', 'https://b.example/a?x=1'],
    ['https://www.google.com/url?q=https://b.example/', 'https://b.example/'],
    ['https://www.google.com/url?url=javascript:alert(1)', undefined],
    ['https://www.google.com/url?ct=ga', undefined],
    ['https://b.example/url?url=https://c.example', 'https://b.example/url?url=https://c.example'],
  ])('the link %s leads to %s', (link, url) => {
    expect(targetOf(link)).toBe(url as string)
  })

  test('opens no redirect', async () => {
    const body = alerts.write([{ id: 1, text: 'Acme', author: '', at: new Date() }])
    const address = 'https://www.google.com/alerts/feeds/1/2'
    const { posts, asked } = await read(new Response(body), { target: address }, googleAlerts)
    expect(posts[0]?.url).toBe('https://blog.example/posts/1')
    expect(asked.map(({ url }) => url)).toEqual([address])
  })
})
