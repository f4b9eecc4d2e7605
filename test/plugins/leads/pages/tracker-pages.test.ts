import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything } from '../../../../core/contracts/where'
import { faultWords } from '../../../../plugins/leads/pages/fault-words'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { SourceTarget } from '../../../../plugins/leads/records/SourceTarget'
import type { Visitor } from '../../../support/visitor'
import { type MentionPages, mentionPages } from '../support/mention-pages'

const path = '/app/mentions/tracker'
let world: MentionPages
let ada: Visitor
let id = ''
beforeAll(async () => {
  world = await mentionPages()
  ada = world.ada
})
afterAll(() => world.gate.stop())
beforeEach(async () => {
  for (const entity of [Mention, BrandTracker, SourceTarget])
    await world.gate.owner.rows(entity).removeWhere(everything)
  id = (await world.gate.put(BrandTracker, world.trackerRow)).id
})

const row = () => world.gate.owner.rows(BrandTracker).get(id)
const open = () => ada.open(`${path}?tracker=${id}`)
const typed = {
  name: 'Harbour',
  keywords: '"blue bottle"',
  exclude: '',
  required: '',
  languages: '',
  feeds: '',
}

describe('A new tracker', () => {
  test('begins with the name of the business, and leads to the place where the first mention appears', async () => {
    await world.gate.owner.rows(BrandTracker).removeWhere(everything)
    const list = await ada.open('/app/mentions/trackers')
    expect(list.text).toContain('No tracker yet. Begin with the name of your business.')
    const { html } = await ada.open(path)
    expect(html).toContain('&quot;Harbour Bakehouse&quot;</textarea>')
    const begun = await ada.submit(`${path}/begin`, {
      ...typed,
      keywords: '"harbour bakehouse"\r\n\r\nharbour NEAR/5 bakery',
      languages: 'en, DE',
      sources: ['hackernews', 'news'],
      location_id: world.location.id,
    })
    expect(begun.path).toStartWith('/app/mentions?')
    expect(begun.text).toContain('Looking now. The first mentions appear here in a minute.')
    expect(begun.html).toContain('data-reload')
    expect(begun.text).toContain('Hacker News Starts in a minute')
    const [tracker] = await world.gate.owner.rows(BrandTracker).list()
    expect(tracker).toMatchObject({
      keywords: ['"harbour bakehouse"', 'harbour NEAR/5 bakery'],
      languages: ['en', 'de'],
      sources: ['hackernews', 'news'],
      location_id: world.location.id,
      is_active: true,
      workspace_id: world.gate.tenant.workspaceId,
    })
  })

  test('says each mistake of the keyword language with its line, and keeps what was typed', async () => {
    await ada.open(path)
    const keywords = 'acme\n\nacme NEAR/x boiler\n"open'
    const refused = await ada.submit(`${path}/begin`, {
      ...typed,
      keywords,
      exclude: 'zoo OR',
      location_id: world.location.id,
    })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Line 3, character')
    expect(refused.text).toContain('Line 4, character')
    expect(refused.html).toMatch(/id="exclude-error"[^>]*><span>Line 1, character \d+: /)
    expect(refused.html).toContain('acme\n\nacme NEAR/x boiler\n&quot;open</textarea>')
    await ada.open(path)
    const none = await ada.submit(`${path}/begin`, {
      ...typed,
      keywords: ' \n',
      location_id: world.location.id,
    })
    expect(none.text).toContain('Add at least one keyword.')
    await ada.open(path)
    const tongue = await ada.submit(`${path}/begin`, {
      ...typed,
      languages: 'klingon!!',
      location_id: world.location.id,
    })
    expect(tongue.html).toMatch(/id="languages-error"/)
  })

  test('is refused for a location of another workspace', async () => {
    await ada.open(path)
    const refused = await ada.submit(`${path}/begin`, { ...typed, location_id: 'loc_foreign' })
    expect(refused.status).toBe(422)
    expect(await world.gate.owner.rows(BrandTracker).count()).toBe(1)
  })
})

describe('The preview', () => {
  const fill = async () => {
    for (let n = 0; n < 30; n++)
      await world.mention({ body: `${'far away '.repeat(40)}a Blue Bottle, number ${n}` })
    await world.mention({ body: 'nothing of the kind' })
    await world.mention({ body: 'a blue bottle of a stranger' }, world.gate.stranger.workspaceId)
  }

  test('shows which stored posts the keywords match, with the words marked, as soon as the page opens', async () => {
    await fill()
    const { text, html } = await open()
    expect(text).toContain('Matches 30 of the last 31 posts.')
    expect(text).toContain('and 10 more')
    expect(html).toContain('<mark>Blue Bottle</mark>')
    expect(text).not.toContain('of a stranger')
  })

  test('answers what a browser types, without saving it', async () => {
    await fill()
    await open()
    const { html } = await open()
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const ask = async (fields: Record<string, string>) => {
      const answer = await world.gate.gateway.fetch(
        new Request(`http://localhost:3000${path}/preview`, {
          method: 'POST',
          headers: {
            accept: 'application/json',
            origin: 'http://localhost:3000',
            'sec-fetch-site': 'same-origin',
            'content-type': 'application/x-www-form-urlencoded',
            cookie: [...ada.cookies].map((pair) => pair.join('=')).join('; '),
          },
          body: new URLSearchParams({ ...fields, csrf }).toString(),
        }),
        () => '203.0.113.7',
      )
      return (await answer.json()) as { shown: { preview: { mistakes: object[] } } }
    }
    const some = await ask({ keywords: 'nothing', exclude: '', required: '', languages: '' })
    expect(some.shown.preview).toMatchObject({ posts: 31, matched: 1, mistakes: [] })
    const wrong = await ask({ keywords: 'fine\n"open', exclude: '', required: '', languages: '' })
    expect(wrong.shown.preview.mistakes).toMatchObject([{ field: 'keywords', line: 2, at: 0 }])
    expect(await row()).toMatchObject({ keywords: ['"blue bottle"'] })
  })

  test('has a button for browsers without a script, which keeps what was typed', async () => {
    await fill()
    await open()
    const { status, text, html } = await ada.submit(`${path}/preview`, { ...typed, keywords: 'nothing' })
    expect(status).toBe(200)
    expect(text).toContain('Matches 1 of the last 31 posts.')
    expect(html).toContain('>nothing</textarea>')
    expect(await row()).toMatchObject({ keywords: ['"blue bottle"'] })
  })
})

describe('A stored tracker', () => {
  test('is changed, and two owners who save at once do not overwrite each other', async () => {
    const eve = await world.visitorOf('eve')
    await eve.open(`${path}?tracker=${id}`)
    await open()
    const saved = await ada.submit(`${path}/save`, { ...typed, keywords: 'one' })
    expect(saved.text).toContain('Tracker saved.')
    const late = await eve.submit(`${path}/save`, { ...typed, keywords: 'two' })
    expect(late.status).toBe(422)
    expect(late.text).toContain('Somebody else changed the tracker since you opened it.')
    expect(late.html).toContain('two</textarea>')
    expect(await row()).toMatchObject({ keywords: ['one'] })
  })

  test('is saved although it was searched in the meantime', async () => {
    await open()
    await world.gate.owner.rows(BrandTracker).update(id, { last_run_at: '2026-03-01T00:00:00.000Z' })
    expect((await ada.submit(`${path}/save`, { ...typed, keywords: 'one' })).text).toContain('Tracker saved.')
  })

  test('is paused, resumed and archived, and an archived one leaves the list', async () => {
    await open()
    expect((await ada.submit(`${path}/pause`)).text).toContain('Tracker paused.')
    expect(await row()).toMatchObject({ is_active: false })
    await ada.submit(`${path}/archive`)
    expect((await row())?.archived_at).toBeDefined()
    expect((await ada.open('/app/mentions/trackers')).text).toContain('Archived trackers (1)')
    await open()
    await ada.submit(`${path}/resume`)
    expect(await row()).toMatchObject({ is_active: true })
    expect((await row())?.archived_at).toBeUndefined()
  })

  test('says in words how each source is read', async () => {
    const target = (source: string, more: object) =>
      world.gate.owner.rows(SourceTarget).insert({
        workspace_id: 'shared',
        source,
        target: 'blue bottle',
        due_at: world.gate.owner.now().toISOString(),
        posts_seen: 0,
        unread_seen: 0,
        failures: 0,
        ...more,
      })
    await target('hackernews', { error: 'The server answered 500.', failures: 2 })
    await target('stackexchange', { read_at: world.gate.owner.now().toISOString() })
    const { text } = await open()
    expect(text).toContain('Hacker News Failed The server answered 500.')
    expect(text).toContain('Looking now')
    await target('mastodon', { target: 'bluebottle', error: 'Too many requests', failures: 1 })
    expect((await open()).text).toContain('None has worked yet')
    expect(text).toMatch(/Stack Exchange Read/)
    expect(text).toMatch(/YouTube Needs a setting Set YOUTUBE_API_KEY/)
  })

  test('says what each feed could not be read in, and which feed of a page is read', async () => {
    const now = world.gate.owner.now().toISOString()
    const row = {
      workspace_id: 'shared',
      source: 'feeds',
      due_at: now,
      read_at: now,
      posts_seen: 9,
      failures: 0,
    }
    const feedsOf = [
      'https://a.example/',
      'https://b.example/feed',
      'https://c.example/1',
      'https://c.example/2',
    ]
    for (const target of feedsOf.slice(2))
      await world.gate.owner
        .rows(SourceTarget)
        .insert({ ...row, target, unread_seen: 0, error: 'Status 404' })
    await world.gate.owner.rows(BrandTracker).update(id, { feeds: feedsOf })
    await world.gate.owner.rows(SourceTarget).insert({
      ...row,
      target: feedsOf[0] as string,
      unread_seen: 0,
      undated_last: 1,
      doubt: 'the date "soon": it says no time of day',
      read_from: 'https://a.example/posts.rss',
    })
    await world.gate.owner
      .rows(SourceTarget)
      .insert({ ...row, target: feedsOf[1] as string, unread_seen: 8, unread_last: 2, unread_reason: 'link' })
    const { text } = await open()
    for (const target of feedsOf.slice(2)) expect(text).toContain(`${target}: Status 404.`)
    expect(text).toContain(
      'https://a.example/: this is a page. Renown reads its feed https://a.example/posts.rss.',
    )
    expect(text).toContain(
      'https://a.example/: 1 post without a known date (the date "soon": it says no time of day).',
    )
    expect(text).toContain('https://b.example/feed: 2 posts could not be read (the post has no address).')
  })

  test.each([
    ['a.example: getaddrinfo ENOTFOUND a.example', 'Its address cannot be found.'],
    ['connect ECONNREFUSED', 'It cannot be reached at the moment.'],
    ['Too many requests', 'Too many requests.'],
    ['', 'No reason is known.'],
  ])('says why a source failed as a sentence: %s', (error, words) => {
    expect(faultWords(error)).toStartWith(words)
  })

  test('learns from dismissals in sentences: a word is excluded or ignored with one click, and both can be undone', async () => {
    for (let n = 0; n < 5; n++) {
      await world.mention({ tracker_id: id, body: `blue bottle at the zoo ${n}`, status: 'dismissed' })
      await world.mention({ tracker_id: id, body: `blue bottle in the cafe ${n}`, status: 'saved' })
    }
    expect((await open()).text).toContain('You dismissed 5 of 5 mentions with “zoo”.')
    const excluded = await ada.submit(`${path}/exclude`, { word: 'zoo' })
    expect(excluded.text).toContain('Word excluded.')
    expect(await row()).toMatchObject({ excluded_keywords: ['zoo'] })
    // The form of the toast comes first.
    await ada.submit(`${path}/exclude`)
    expect(await row()).toMatchObject({ excluded_keywords: [] })
    await ada.submit(`${path}/ignore`, { word: 'zoo' })
    expect(await row()).toMatchObject({ ignored_words: ['zoo'] })
    const undone = await ada.submit(`${path}/ignore`)
    expect(undone.text).toContain('The word counts again.')
    expect(await row()).toMatchObject({ ignored_words: [] })
  })

  test('of another workspace is neither shown nor changed', async () => {
    const foreign = await world.gate.put(
      BrandTracker,
      { ...world.trackerRow, name: 'Foreign' },
      world.gate.stranger.workspaceId,
    )
    const { text, status } = await ada.open(`${path}?tracker=${foreign.id}`)
    expect(status).toBe(403)
    expect(text).not.toContain('Foreign')
    const unknown = await ada.open(`${path}?tracker=trk_0`)
    expect(unknown.text).toContain('There is no such tracker in this workspace')
    for (const [action, fields] of [
      ['save', typed],
      ['pause', {}],
      ['ignore', { word: 'zoo' }],
    ] as const) {
      await world.gate.owner.rows(BrandTracker).update(id, { ignored_words: ['zoo'] })
      await open()
      const refused = await ada.submit(`${path}/${action}`, { ...fields, id: foreign.id })
      expect([action, refused.status]).toEqual([action, 422])
    }
    expect(await world.gate.owner.rows(BrandTracker).get(foreign.id)).toMatchObject({
      is_active: true,
      keywords: ['"blue bottle"'],
      excluded_keywords: [],
    })
  })

  test.each(['<img src=x onerror=alert(1)>', '\u202eevil\u200b', 'x'.repeat(100_000)])(
    'shows hostile keywords and posts as text',
    async (text) => {
      const { id: other } = await world.gate.put(BrandTracker, {
        ...world.trackerRow,
        keywords: ['"blue bottle"', text.slice(0, 400)],
        name: text.slice(0, 100),
      })
      await world.mention({ body: `blue bottle ${text}`, title: text, author: { handle: text } })
      for (const { html, status } of [
        await ada.open(`${path}?tracker=${other}`),
        await ada.open('/app/mentions/trackers'),
      ]) {
        expect(status).toBe(200)
        expect(html).not.toContain('<img src=x')
      }
    },
  )
})

describe('The state of a source', () => {
  const looked = { source: 'hackernews', target: 'blue bottle', workspace_id: 'shared' } as const
  const due = { due_at: '2026-03-01T00:00:00.000Z', posts_seen: 0, unread_seen: 0, failures: 0 }
  const shown = async () => {
    const { text } = await ada.open('/app/mentions/trackers')
    return (label: string) =>
      new RegExp(
        `${label} ((?:Ready|Not read yet|Not used by a tracker|Waits for posts|Partly failed|Failed|Needs)[^|]{0,60})`,
      ).exec(text)?.[1]
  }

  test('is ready only after a reading that succeeded', async () => {
    expect((await shown())('Hacker News')).toStartWith('Not read yet')
    const { id: target } = await world.gate.owner.rows(SourceTarget).insert({ ...looked, ...due })
    expect((await shown())('Hacker News')).toStartWith('Not read yet')
    await world.gate.owner.rows(SourceTarget).update(target, { failures: 1, error: 'It answered 403.' })
    expect((await shown())('Hacker News')).toStartWith('Failed It answered 403.')
    const read_at = '2026-03-01T00:00:00.000Z'
    await world.gate.owner.rows(SourceTarget).update(target, { read_at })
    expect((await shown())('Hacker News')).toStartWith('Failed It answered 403.')
    await world.gate.owner.rows(SourceTarget).update(target, { failures: 0, error: undefined })
    expect((await shown())('Hacker News')).toStartWith('Ready')
  })

  test('says what fails, where only a part of the readings does', async () => {
    await world.gate.put(BrandTracker, { ...world.trackerRow, keywords: ['kettle'], name: 'Kettle' })
    const rows = world.gate.owner.rows(SourceTarget)
    await rows.insert({ ...looked, ...due, read_at: '2026-03-01T00:00:00.000Z' })
    await rows.insert({ ...looked, ...due, target: 'kettle', failures: 3, error: 'It answered 500.' })
    expect((await shown())('Hacker News')).toStartWith('Partly failed It answered 500.')
  })

  test('says nothing of readings for others, and is none for what no tracker searches', async () => {
    await world.gate.owner
      .rows(SourceTarget)
      .insert({ ...looked, ...due, target: 'other client', error: 'no' })
    const state = await shown()
    expect(state('Hacker News')).toStartWith('Not read yet')
    expect(state('Feeds')).toStartWith('Not used by a tracker')
    expect(state('Sent by other services')).toStartWith('Waits for posts')
    expect(state('GDELT')).toStartWith('Needs GDELT_READS')
  })
})
