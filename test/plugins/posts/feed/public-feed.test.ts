import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from 'renown'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { WhiteLabelDomain } from '../../../../core/tenancy/domains/WhiteLabelDomain'
import { readJsonFeed } from '../../../../plugins/feeds/json-feed'
import { readXmlFeed } from '../../../../plugins/feeds/xml-feed'
import posts from '../../../../plugins/posts'
import { connectChannel, disconnectChannel, renewChannel } from '../../../../plugins/posts/acts/channels'
import { feedItemsMax } from '../../../../plugins/posts/feed/public-feed'
import type { PostContent } from '../../../../plugins/posts/records/content'
import { Post } from '../../../../plugins/posts/records/Post'
import { PostChannel } from '../../../../plugins/posts/records/PostChannel'
import { edgeCases } from '../../../support/edge-cases'
import { type Gate, startGate } from '../../../support/harness'
import { postWorld, standInTarget } from '../support/post-world'

describe('the feed of a location', () => {
  let gate: Gate
  let of: { location_id: string; platform: 'feed' }
  beforeEach(async () => {
    gate = await startGate({ plugins: [...corePlugins, posts] })
    const location = await gate.put(BusinessLocation, {
      business_name: 'Harbour Bakehouse',
      website: 'https://bakehouse.test',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
    })
    of = { location_id: location.id, platform: 'feed' }
  })
  afterEach(() => gate.stop())

  const connect = async () => (await connectChannel(gate.owner, of)).public_id ?? ''
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString()
  const publish = (content: Partial<PostContent>, more: object = {}) =>
    gate.put(Post, {
      business_location_id: of.location_id,
      platform: 'feed',
      post_type: 'update',
      status: 'published',
      external_post_id: 'x',
      published_at: at(0),
      is_active: true,
      revision: 1,
      content: { summary: 'Fresh bread', language: 'en', media: [], ...content },
      ...more,
    })
  const get = (path: string, headers = {}) => gate.ask(`/p/feed/${path}`, { key: null, headers })
  const read = async (id: string) => {
    const [rss, json] = await Promise.all([get(`${id}/rss.xml`), get(`${id}/feed.json`)])
    expect([rss.status, json.status]).toEqual([200, 200])
    return { rss: await rss.text(), json: await json.text() }
  }

  test('has the members that RSS 2.0 and JSON Feed 1.1 require, under the media types of both', async () => {
    const id = await connect()
    const post = await publish({
      media: [{ format: 'photo', source_url: 'https://pic.test/a.jpg', alt: 'Loaf' }],
    })
    const [rss, json] = await Promise.all([get(`${id}/rss.xml`), get(`${id}/feed.json`)])
    expect(rss.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    expect(json.headers.get('content-type')).toBe('application/feed+json; charset=utf-8')
    const xml = await rss.text()
    const url = `http://localhost:3000/p/feed/${id}`
    for (const part of [
      '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ',
      '<title>Harbour Bakehouse</title>\n<link>https://bakehouse.test/</link>\n<description>Posts of Harbour',
      `<atom:link href="${url}/rss.xml" rel="self" type="application/rss+xml"/>`,
      `<guid isPermaLink="false">${post.id}</guid><pubDate>Sun, 01 Mar 2026 09:00:00 GMT</pubDate>`,
    ])
      expect(xml).toContain(part)
    expect(await json.json()).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Harbour Bakehouse',
      description: 'Posts of Harbour Bakehouse',
      feed_url: `${url}/feed.json`,
      language: 'en',
      home_page_url: 'https://bakehouse.test/',
      authors: [{ name: 'Harbour Bakehouse', url: 'https://bakehouse.test/' }],
      items: [
        {
          id: post.id,
          date_published: at(0),
          language: 'en',
          image: 'https://pic.test/a.jpg',
          content_html: '<p>Fresh bread</p><p><img src="https://pic.test/a.jpg" alt="Loaf"></p>',
        },
      ],
    })
  })

  test('lists only published posts of this location for the feed, newest first, and at most 50', async () => {
    const id = await connect()
    for (let n = 0; n < feedItemsMax + 5; n++)
      await publish({ summary: `Post ${n}` }, { published_at: at(n) })
    await publish({ summary: 'Elsewhere' }, { business_location_id: 'loc_other' })
    await publish({ summary: 'On WordPress' }, { platform: 'wordpress' })
    await publish({ summary: 'Scheduled' }, { status: 'scheduled', scheduled_at: at(59) })
    const { rss, json } = await read(id)
    const wanted = Array.from({ length: feedItemsMax }, (_, n) => `<p>Post ${feedItemsMax + 4 - n}</p>`)
    const { items } = JSON.parse(json) as { items: { id: string; content_html: string }[] }
    expect(items.map(({ content_html }) => content_html)).toEqual(wanted)
    expect([...rss.matchAll(/<guid[^>]*>(\w+)/g)].map(([, guid]) => guid ?? '')).toEqual(
      items.map((one) => one.id),
    )
    expect(await read(id)).toEqual({ rss, json })
  })

  test('says dates, terms and the link of an offer', async () => {
    const id = await connect()
    const event = { title: 'Spring sale', start: '2026-03-01T00:00:00Z', end: '2026-03-07T00:00:00Z' }
    const offer = {
      coupon_code: 'SPRING',
      terms: 'One each',
      redeem_url: 'https://bakehouse.test/sale?a=1&b=2',
    }
    await publish({ event, offer }, { post_type: 'offer' })
    const { rss, json } = await read(id)
    const [item] = (JSON.parse(json) as { items: Record<string, string>[] }).items
    expect(item).toMatchObject({ title: 'Spring sale', external_url: offer.redeem_url })
    for (const part of ['2026-03-01 – 2026-03-07', 'SPRING', 'One each', 'a=1&amp;b=2'])
      expect(item?.content_html).toContain(part)
    expect(rss).toContain('<link>https://bakehouse.test/sale?a=1&amp;b=2</link>')
  })

  test('carries texts of strangers as text, in both formats', async () => {
    const id = await connect()
    const texts = [...edgeCases, 'b\u0008c\uFFFE']
    for (const summary of texts) await publish({ summary: `${summary} end`.slice(0, 1_500) })
    await publish({
      summary: ']]></description><script>alert(1)</script>',
      call_to_action: { type: 'shop', url: 'javascript:x' },
      media: [{ format: 'photo', source_url: 'data:text/html,x', alt: '"><script>' }],
    })
    const { rss, json } = await read(id)
    expect(rss).not.toMatch(/<script|&lt;script|=&quot;(javascript|data):/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 does not allow them
    expect(rss).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/)
    expect(json).not.toMatch(/<script|=\\"(javascript|data):/)
    expect((await readXmlFeed(rss)).items).toHaveLength(texts.length + 1)
    expect(readJsonFeed(json).items).toHaveLength(texts.length + 1)
  })

  test('carries descriptions and addresses of pictures as text, in both formats', async () => {
    const id = await connect()
    const alt = `"Rye" & 'spelt' <b>loaf</b>`
    await publish({ media: [{ format: 'photo', source_url: 'https://pic.test/a.jpg?b="&c=1', alt }] })
    const { rss, json } = await read(id)
    const said = '&quot;Rye&quot; &amp; &#39;spelt&#39; &lt;b&gt;loaf&lt;/b&gt;'
    const img = `<p><img src="https://pic.test/a.jpg?b=%22&amp;c=1" alt="${said}"></p>`
    const [item] = (JSON.parse(json) as { items: { content_html: string }[] }).items
    expect(item?.content_html).toBe(`<p>Fresh bread</p>${img}`)
    expect(rss).toContain(`<media:description>${said}</media:description>`)
    expect(rss).toContain(said.replaceAll('&', '&amp;'))
  })

  test('answers 304 until something changes', async () => {
    const id = await connect()
    await publish({})
    const first = await get(`${id}/rss.xml`)
    const known = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await get(`${id}/rss.xml`, known)).status).toBe(304)
    const since = { 'if-modified-since': first.headers.get('last-modified') ?? '' }
    expect((await get(`${id}/rss.xml`, since)).status).toBe(304)
    gate.clock.advance(60_000)
    const post = await publish({ summary: 'News' })
    expect((await get(`${id}/rss.xml`, known)).status).toBe(200)
    const changed = await get(`${id}/rss.xml`, since)
    expect([changed.status, Date.parse(changed.headers.get('last-modified') ?? '')]).toEqual([
      200,
      Math.floor(Date.parse(post.updated_date) / 1_000) * 1_000,
    ])
  })

  test('has an address that nobody guesses, that can be renewed, and that ends with the channel', async () => {
    const id = await connect()
    expect(id).toMatch(/^[0-9A-Za-z]{32}$/)
    expect(await connect()).toBe(id)
    const status = async (one: string) => (await get(`${one}/feed.json`)).status
    const renewed = (await renewChannel(gate.owner, of)).public_id ?? ''
    expect([await status(id), await status(renewed)]).toEqual([404, 200])
    await disconnectChannel(gate.owner, of)
    expect(await status(renewed)).toBe(404)
    expect(await status(await connect())).toBe(200)
  })

  test("is never found by another channel's id, nor on another agency's domain", async () => {
    const id = await connect()
    await gate.put(PostChannel, {
      location_id: of.location_id,
      platform: 'webhook',
      public_id: 'w'.repeat(32),
    })
    expect((await get(`${'w'.repeat(32)}/rss.xml`)).status).toBe(404)
    const { agencyId: agency_id } = gate.stranger
    await gate.put(
      WhiteLabelDomain,
      { agency_id, domain: 'other.test', state: 'verified', token: 't' },
      agency_id,
    )
    expect((await get(`${id}/rss.xml`, { host: 'other.test' })).status).toBe(404)
  })
})

test('a post for the feed is in the feed once it is published, once, even if its process ends in between', async () => {
  const world = await postWorld(standInTarget().target)
  try {
    const of = { location_id: world.location.id, platform: 'feed' } as const
    const early = await world.draft('Early', { platform: 'feed' })
    await expect(world.bench.command('post publish', { post_id: early.id })).rejects.toThrow('not connected')
    const { rss } = await world.bench.command('post channel connect', of)
    await world.bench.command('post publish', { post_id: early.id })
    await world.tick()
    const post = await world.post(early.id)
    expect([post.status, post.external_post_id, post.external_url]).toEqual(['published', early.id, rss])
    // The process of the next one ends after its attempt was written.
    const late = await world.draft('Late', { platform: 'feed' })
    await world.bench.command('post publish', { post_id: late.id })
    await expect(
      world.bench.registry.queues
        .get('publish-post')
        ?.run(world.owner, { post_id: late.id }, { ...world.task, hold: dieAt(2) }),
    ).rejects.toThrow('killed')
    await world.pass(30)
    expect((await world.post(late.id)).status).toBe('published')
    const shown = await world.owner.rows(Post).list({ where: where.eq('status', 'published'), limit: 9 })
    expect(shown.map(({ id }) => id).toSorted()).toEqual([early.id, late.id].toSorted())
    const listed = await world.bench.command('post channel list', { location_id: world.location.id })
    expect(JSON.stringify(listed)).toContain(String(rss))
    const renewed = await world.bench.command('post channel renew', { location_id: world.location.id })
    expect(renewed.rss).not.toBe(rss)
  } finally {
    await world.stop()
  }
})

function dieAt(time: number): () => Promise<void> {
  let held = 0
  return async () => {
    if (++held === time) throw new Error('killed')
  }
}
