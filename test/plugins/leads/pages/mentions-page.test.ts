import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything } from '../../../../core/contracts/where'
import { moveMention } from '../../../../plugins/leads/decisions/mention-commands'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { Mention } from '../../../../plugins/leads/records/Mention'
import type { Visitor } from '../../../support/visitor'
import { type MentionPages, mentionPages } from '../support/mention-pages'

const path = '/app/mentions'
let world: MentionPages
let ada: Visitor
beforeAll(async () => {
  world = await mentionPages()
  ada = world.ada
})
afterAll(() => world.gate.stop())
beforeEach(() => world.gate.owner.rows(Mention).removeWhere(everything))

const put: MentionPages['mention'] = (...given) => world.mention(...given)
const row = (id: string) => world.gate.owner.rows(Mention).get(id)
const open = (id: string, more = '') => ada.open(`${path}?mention=${id}${more}`)

/** An id that is smaller the earlier it was given: mentions that were found last have the largest. */
const idAt = (n: number) => `men_${String(999 - n).padStart(26, '0')}`

describe('The list', () => {
  test.each([
    ['', {}, { status: 'saved' }],
    ['', {}, { status: 'dismissed' }],
    ['', {}, { relevance: 'irrelevant' }],
    ['', { relevance: undefined }, { duplicate_of: 'men_1' }],
    ['', {}, { removed_at_source_at: '2026-03-01T00:00:00.000Z' }],
    ['', {}, { removal_rule: 'retention_days', body: 'Unwanted' }],
    ['', {}, { is_archived: true }],
    ['state=saved', { status: 'saved' }, {}],
    ['state=dismissed', { status: 'dismissed' }, {}],
    ['state=removed', { removed_at_source_at: '2026-03-01T00:00:00.000Z' }, {}],
    ['state=any', { status: 'dismissed', is_archived: true }, { relevance: 'irrelevant' }],
    ['relevance=irrelevant', { relevance: 'irrelevant' }, {}],
    ['relevance=maybe', { relevance: 'maybe' }, {}],
    ['relevance=any', { relevance: 'irrelevant' }, { status: 'saved' }],
    ['source=reddit', { source: 'reddit' }, {}],
    ['sentiment=negative', { sentiment: 'negative' }, { sentiment: 'positive' }],
    ['unread=1', {}, { is_read: true }],
    ['lead=1', { is_lead: true }, {}],
    ['days=1', {}, { posted_at: '2020-01-01T00:00:00.000Z' }],
    ['', {}, { same_post_as: 'men_1' }],
    ['tracker=trk_other', { tracker_id: 'trk_other', same_post_as: 'men_1' }, {}],
    ['q=kettle', { body: 'A blue bottle and a kettle' }, {}],
    ['tracker=trk_other', { tracker_id: 'trk_other' }, {}],
    ['location=loc_other', { location_id: 'loc_other' }, {}],
  ] as const)('keeps to the filter of its address: %s', async (filter, wanted, unwanted) => {
    await put({ author: { handle: 'Wanted' }, ...wanted })
    await put({ author: { handle: 'Unwanted' }, ...unwanted })
    const { text, status } = await ada.open(`${path}?${filter}`)
    expect(status).toBe(200)
    expect(text).toContain('Wanted')
    expect(text).not.toContain('Unwanted')
  })

  test('shows each of 120 mentions once, page by page, the newest first', async () => {
    const relevance = ['relevant', 'maybe', undefined] as const
    for (let n = 0; n < 120; n++)
      await put({ author: { handle: `Person ${n}.` }, relevance: relevance[n % 3] })
    const seen: number[] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const { html }: { readonly html: string } = await ada.open(next)
      seen.push(...[...html.matchAll(/Person (\d+)\./g)].map(([, n]) => Number(n)))
      next = /href="([^"]+)">Next page</.exec(html)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => n))
  })

  test('shows each mention of known and unknown date once, in the order of the times that it shows', async () => {
    const hour = 3_600_000
    const now = world.gate.owner.now().getTime()
    const at = (hours: number) => new Date(now - hours * hour).toISOString()
    for (let n = 0; n < 130; n++) {
      const isUndated = n % 3 === 0
      const found = { created_date: isUndated ? at(n) : at(0), posted_at: isUndated ? undefined : at(n) }
      await put({ author: { handle: `Person ${n}.` }, id: idAt(n), ...found } as never)
    }
    const seen: number[] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const { html, text }: { readonly html: string; readonly text: string } = await ada.open(next)
      if (seen.length === 0) expect(text).toContain('Date not known, found')
      seen.push(...[...html.matchAll(/Person (\d+)\./g)].map(([, n]) => Number(n)))
      next = /href="([^"]+)">Next page</.exec(html)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(seen).toEqual(Array.from({ length: 130 }, (_, n) => n))
  })

  test('counts copies once, and says how many there are', async () => {
    const first = await put()
    await put({ duplicate_of: first.id, author: { handle: 'Copier' } })
    await put({ duplicate_of: first.id, author: { handle: 'Copier' } })
    const list = await ada.open(path)
    expect(list.text).toContain('+ 2 copies')
    expect(list.text).not.toContain('Copier')
    const detail = await open(first.id)
    expect(detail.text).toContain('The same text 2 more times')
    expect(detail.text).toContain('Copier')
  })

  test('says that Renown looks for the first mention, and tells filters that fit none from no mentions', async () => {
    expect((await ada.open(path)).text).toContain('Looking now.')
    await put({ status: 'saved' })
    expect((await ada.open(path)).text).toContain('All done: no new mention waits for you.')
    expect((await ada.open(`${path}?source=reddit`)).text).toContain('No mention matches these filters.')
  })

  test('names filters that it ignored, and its file refuses them', async () => {
    await put()
    const { text } = await ada.open(`${path}?state=best&days=2`)
    expect(text).toContain('Some filters were ignored')
    expect(text).toContain('Use saved, replied, dismissed, removed, any.')
    expect((await ada.open('/app/data/mentions.csv')).status).toBe(200)
    expect((await ada.open('/app/data/mentions.csv?days=2')).status).toBeGreaterThanOrEqual(400)
  })

  test('is a file with all mentions of the filters, which names the rule that removed a text', async () => {
    for (let n = 0; n < 55; n++) await put({ body: `Text ${n}.` })
    const file = async (query: string) => (await ada.open(`/app/data/mentions.csv${query}`)).html
    expect((await file('?after=x')).match(/Text \d+\./g)).toHaveLength(55)
    await put({ removal_rule: 'retention_days', body: '', excerpt: '', author: { handle: '' } })
    await put({ removed_at_source_at: '2026-03-01T00:00:00.000Z' })
    const removed = await file('?state=removed')
    expect(removed).toContain(',retention_days\r\n')
    expect(removed).toContain(
      '1 of the mentions have no text: the rule retention_days of their source removed it.',
    )
    expect(removed).toContain('1 of the mentions are marked as removed at the source.')
    expect(await file('')).not.toContain('have no text')
  })

  test('shows and changes no mention of another workspace', async () => {
    const { id } = await put({ author: { handle: 'Foreign' } }, world.gate.stranger.workspaceId)
    const own = await put()
    expect((await ada.open(`${path}?state=any&relevance=any`)).text).not.toContain('Foreign')
    const away = await open(id)
    expect([away.status, away.text.includes('Foreign')]).toEqual([403, false])
    expect((await open('men_none')).text).toContain('There is no such mention in this workspace')
    await open(own.id)
    for (const [action, fields] of [
      ['save', {}],
      ['dismiss', {}],
      ['mark', { state: 'read' }],
      ['write', { text: 'Hello' }],
      ['generate', { tone: 'friendly', length: 'short' }],
    ] as const) {
      await open(own.id)
      const refused = await ada.submit(`${path}/${action}`, { ...fields, mention: id })
      expect([action, refused.status]).toEqual([action, 422])
    }
    expect(await row(id)).toMatchObject({ status: 'new', is_read: false })
    expect((await row(id))?.suggested_reply).toBeUndefined()
  })
})

describe('One mention', () => {
  test('marks the words that matched, and says why it is here', async () => {
    const { id } = await put({
      body: 'I love the Blue  Bottle café',
      relevance_reason: 'It names Leeds.',
      intent_score: 55,
      intent_reason: 'Asks for one: “who”.',
      intent_method: 'intent.rules@1',
      sentiment: 'positive',
    })
    const { html, text } = await open(id)
    expect(html).toContain('<mark>Blue Bottle</mark>')
    for (const words of ['Relevant 80 of 100', 'It names Leeds.', '55 of 100', 'Asks for one: “who”.'])
      expect(text).toContain(words)
  })

  test('says what its source forbids, and offers no reply where none is allowed', async () => {
    const { id } = await put({ found_by: 'gdelt', source: 'news' })
    const { text, html } = await open(id)
    expect(text).toContain('You may not reply from here.')
    expect(text).toContain('The GDELT Project')
    expect(html).not.toContain(`${path}/write`)
    const open_ = await put({ found_by: 'hackernews', source: 'hackernews' })
    expect((await open(open_.id)).html).toContain(`${path}/write`)
  })

  test('leads to its lead, and the lead back to it', async () => {
    const { id } = await put({ is_lead: true })
    const lead = await world.gate.put(Lead, {
      mention_id: id,
      tracker_id: world.tracker.id,
      location_id: world.location.id,
      intent_score: 80,
      stage: 'contacted',
      is_archived: false,
      source: 'forum',
    })
    await world.gate.owner.rows(Mention).update(id, { lead_id: lead.id })
    const { html, text } = await open(id)
    expect(text).toContain('Lead: contacted')
    const href = /href="(\/app\/leads[^"]+)"[^>]*>\s*<span class="state/.exec(html)?.[1] ?? ''
    const shown = await ada.open(href.replaceAll('&amp;', '&'))
    expect(shown.status).toBe(200)
    expect(shown.html).toContain(`mention=${id}`)
  })

  test('says that its post was edited, deleted, or removed by a rule', async () => {
    const { id } = await put({ edited_at: '2026-03-01T00:00:00.000Z', body_version: 3 })
    expect((await open(id)).text).toContain('This is version 3.')
    const gone = await put({ removed_at_source_at: '2026-03-01T00:00:00.000Z' })
    expect((await open(gone.id)).text).toContain(
      'The source no longer shows this post, so its words were removed here too.',
    )
    const ruled = await put({ removal_rule: 'delete_with_source', body: '', excerpt: '' })
    const { text, html } = await open(ruled.id)
    expect(text).toContain('Its author deleted it at the source')
    expect(html).not.toContain(`${path}/write`)
  })

  test('links only to web addresses, without passing on where the reader comes from', async () => {
    const { id } = await put({
      url: 'javascript:alert(1)',
      author: { handle: 'eve', url: 'data:text/html,x' },
      parent_url: 'https://forum.example/thread',
    })
    const { html } = await open(id)
    expect(html).not.toContain('href="javascript')
    expect(html).not.toContain('href="data:text')
    expect(html).toContain('href="https://forum.example/thread" rel="noopener noreferrer nofollow"')
  })

  test.each([
    ['HTML', '<img src=x onerror=alert(1)><script>alert(1)</script>"\'& blue bottle'],
    ['another direction', '\u202eblue bottle\u202c\u2066'],
    ['characters without width', 'blue\u200b\u200d \ufeffbottle\u200b'],
    ['100 kB', `blue bottle ${'<b>'.repeat(33_000)}`],
  ])('shows text with %s as text', async (_, body) => {
    const author = { handle: body.slice(0, 500), name: body.slice(0, 500) }
    const { id } = await put({ body, title: body, author, language: 'ar', relevance_reason: body })
    for (const { html, status } of [await ada.open(path), await open(id)]) {
      expect(status).toBe(200)
      expect(html).not.toContain('<img src=x')
      expect(html).not.toContain('<script>alert')
      expect(html).not.toContain('<b>')
      for (const unseen of ['\u200b', '\ufeff', '\u202e']) expect(html).not.toContain(unseen)
      expect(html.length).toBeLessThan(400_000)
    }
    expect((await ada.open('/app/data/mentions.csv')).status).toBe(200)
  })
})

describe('A decision', () => {
  test('moves the mention, shows the next one, and can be undone', async () => {
    const first = await put()
    const second = await put()
    await open(first.id)
    const after = await ada.submit(`${path}/dismiss`)
    expect(after.text).toContain('Mention dismissed.')
    expect(after.path).toContain(`mention=${second.id}`)
    expect(await row(first.id)).toMatchObject({ status: 'dismissed', is_read: true })
    const undone = await ada.submit(`${path}/restore`)
    expect(undone.text).toContain('The mention is new again.')
    expect(undone.path).toContain(`mention=${first.id}`)
    expect(await row(first.id)).toMatchObject({ status: 'new' })
    await ada.submit(`${path}/save`)
    expect(await row(first.id)).toMatchObject({ status: 'saved' })
  })

  test('has single keys, and is made only from the state that the person saw', async () => {
    const mention = await put()
    const { id } = mention
    const { html } = await open(id)
    expect(html).toMatch(/data-key="s">\s*<button/)
    expect(html).toMatch(/data-key="x">\s*<button/)
    await moveMention(world.gate.owner, mention, 'saved')
    const late = await ada.submit(`${path}/dismiss`)
    expect(late.status).toBe(422)
    expect(late.text).toContain('Somebody else changed the mention since you opened it.')
    expect(await row(id)).toMatchObject({ status: 'saved' })
  })

  test('to read or not is a mark of its own', async () => {
    const { id } = await put()
    await open(id)
    await ada.submit(`${path}/mark`)
    expect(await row(id)).toMatchObject({ is_read: true, status: 'new' })
    await ada.submit(`${path}/mark`)
    expect(await row(id)).toMatchObject({ is_read: false })
  })
})

describe('Several mentions at once', () => {
  const chosen = (rows: readonly { readonly id: string; readonly status: string }[]) =>
    rows.map(({ id, status }) => `${id}~${status}`)

  test('are dismissed by one form, and are new again after one Undo', async () => {
    const rows = [await put(), await put(), await put()]
    const left = await put()
    const { html } = await ada.open(path)
    for (const item of chosen([...rows, left])) expect(html).toContain(`value="${item}"`)
    expect(html).toContain(`formaction="${path}/several-dismiss"`)
    const done = await ada.submit(`${path}/several-save`, {})
    expect(done.text).toContain('Choose at least one.')
    await ada.open(path)
    const after = await ada.submit(`${path}/several-save`, { chosen: chosen(rows) })
    expect(after.text).toContain('3 mentions saved.')
    for (const { id } of rows) expect(await row(id)).toMatchObject({ status: 'saved', is_read: true })
    expect(await row(left.id)).toMatchObject({ status: 'new' })
    const undone = await ada.submit(`${path}/undo-save`, { chosen: rows.map(({ id }) => id) })
    expect(undone.text).toContain('Undone for 3 mentions.')
    for (const { id } of rows) expect(await row(id)).toMatchObject({ status: 'new' })
  })

  test('are changed only from the state that the person saw, and only in this workspace', async () => {
    const own = await put()
    const moved = await put({ status: 'saved' })
    const foreign = await put({}, world.gate.stranger.workspaceId)
    await ada.open(path)
    const seen = chosen([own, { ...moved, status: 'new' }, foreign])
    const { text } = await ada.submit(`${path}/several-save`, { chosen: seen })
    expect(text).toContain('1 mention saved.')
    expect(text).toContain('1 mention: Somebody else changed the mention since you opened it.')
    expect(text).toContain('1 mention: There is no such mention in this workspace.')
    expect(await row(foreign.id)).toMatchObject({ status: 'new', is_read: false })
  })
})

describe('The draft of a reply', () => {
  test('is written, generated, edited and taken back, never over one of somebody else', async () => {
    const { id } = await put()
    await open(id)
    await ada.submit(`${path}/write`, { text: '  Hello there\r\nfriend ' })
    expect(await row(id)).toMatchObject({
      suggested_reply: 'Hello there\nfriend',
      suggested_reply_by: 'caller',
    })
    const shown = await ada.submit(`${path}/generate`, {
      tone: 'friendly',
      length: 'short',
      discloses: 'yes',
    })
    expect(shown.text).toContain('New draft from a template.')
    expect((await row(id))?.suggested_reply).toStartWith('I work at Harbour Bakehouse.')
    await ada.submit(`${path}/take-back`)
    expect(await row(id)).toMatchObject({ suggested_reply: 'Hello there\nfriend' })
    await world.gate.owner.rows(Mention).update(id, {
      suggested_reply: 'by an agent',
      suggested_reply_at: '2026-03-01T00:00:00.000Z',
    })
    const refused = await ada.submit(`${path}/write`, { text: 'mine' })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('mine</textarea>')
    expect(await row(id)).toMatchObject({ suggested_reply: 'by an agent' })
  })

  test('is saved without characters that nobody sees', async () => {
    const { id } = await put()
    await open(id)
    const refused = await ada.submit(`${path}/write`, { text: 'a\u0000b' })
    expect([refused.status, (await row(id))?.suggested_reply]).toEqual([422, undefined])
    await open(id)
    await ada.submit(`${path}/write`, { text: 'ab\u202e c\ud83d' })
    expect((await row(id))?.suggested_reply).toBe('ab c\ufffd')
  })

  test('is refused when it is empty or too long, with what was typed', async () => {
    const { id } = await put()
    await open(id)
    expect((await ada.submit(`${path}/write`, { text: '  ' })).text).toContain('Write the reply first.')
    await open(id)
    const long = await ada.submit(`${path}/write`, { text: 'x'.repeat(2_001) })
    expect(long.text).toContain('Use at most 2000 characters.')
    expect(long.html).toContain('x'.repeat(2_001))
  })
})
