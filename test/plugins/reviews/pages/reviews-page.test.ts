import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything, where } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { AutoResponseRules } from '../../../../plugins/reviews/records/AutoResponseRules'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewObservation } from '../../../../plugins/reviews/records/ReviewObservation'
import { ReviewReply } from '../../../../plugins/reviews/records/ReviewReply'
import { type Gate, startGate } from '../../../support/harness'
import { jobs } from '../../../support/platforms'
import { signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'

const hostile = '<img src=x onerror=alert(1)>"\'&'
const path = '/app/reviews'
let gate: Gate
let ada: Visitor
let location = ''
let made = 0

beforeAll(async () => {
  gate = await startGate({ plugins: [...builtin, jobs] })
  const { cookie } = await signedIn(gate)
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = cookie.indexOf('=')
  ada.cookies.set(cookie.slice(0, at), cookie.slice(at + 1))
  location = (
    await gate.put(BusinessLocation, {
      business_name: 'Bakery',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      added_via: 'gbp_oauth',
      google_account_id: 'accounts/1',
      google_location_id: 'locations/2',
      total_reviews: 7,
    })
  ).id
})
afterAll(() => gate.stop())
beforeEach(async () => {
  for (const entity of [Review, ReviewReply, ReviewObservation, AutoResponseRules])
    await gate.owner.rows(entity).removeWhere(everything)
})

const put = (more: object = {}, workspaceId?: string) => {
  const place = { location_id: location, source: 'google' as const, source_id: `g${++made}` }
  const said = { star_rating: 2, review_text: 'Cold soup', reviewer_name: 'Ann Lee', needs_response: true }
  const at = new Date(gate.owner.now().getTime() - made * 60_000).toISOString()
  return gate.put(Review, { ...place, ...said, is_read: false, review_created_at: at, ...more }, workspaceId)
}
const row = (id: string) => gate.owner.rows(Review).get(id)
const actOn = async (id: string) =>
  (await gate.owner.rows(ReviewReply).list({ where: where.eq('review_id', id) }))[0]
const open = (id: string, more = '') => ada.open(`${path}?review=${id}${more}`)

describe('The list', () => {
  test('shows what a stranger wrote as text, in its own direction and language', async () => {
    const { id } = await put({ review_text: hostile, reviewer_name: hostile, review_language: 'ar' })
    const { html, status } = await open(id)
    expect(status).toBe(200)
    expect(html).not.toContain('<img src=x')
    expect(html).toContain('dir="auto" lang="ar"')
  })

  test.each([
    ['needs=1', { needs_response: false, reply_text: 'Thanks' }],
    ['rating=2', { star_rating: 5 }],
    ['rating=2', { star_rating: null }],
    ['source=google', { source: 'facebook' }],
    ['language=de', { review_language: 'fr' }],
    ['theme=soup', { key_topics: ['price'] }],
    ['q=soup', { review_text: 'Warm bread' }],
    ['state=unread', { is_read: true }],
    ['state=flagged', { is_flagged: false }],
    ['state=drafted', {}],
    ['state=failed', {}],
    ['from=2020-01-01', { review_created_at: '2019-12-31T12:00:00.000Z' }],
    ['to=2020-01-01', {}],
  ])('keeps to the filter of its address: %s', async (filter, other) => {
    const fits: Record<string, object> = {
      'language=de': { review_language: 'de' },
      'theme=soup': { key_topics: ['soup', 'staff'] },
      'state=flagged': { is_flagged: true },
      'state=drafted': { ai_suggested_response: 'Dear Ann' },
      'state=failed': { auto_response_status: 'failed', auto_response_error: 'no' },
      'to=2020-01-01': { review_created_at: '2019-12-31T12:00:00.000Z' },
    }
    await put({ reviewer_name: 'Wanted', ...fits[filter] })
    await put({ reviewer_name: 'Unwanted', ...other })
    const { text } = await ada.open(`${path}?${filter}`)
    expect(text).toContain('Wanted')
    expect(text).not.toContain('Unwanted')
  })

  test.each(['newest', 'oldest', 'worst'])(
    'shows each of 120 reviews once, page by page, %s first',
    async (sort) => {
      for (let n = 0; n < 120; n++) await put({ reviewer_name: `Person ${n}.`, star_rating: (n % 5) + 1 })
      const seen: string[] = []
      for (let next: string | undefined = `${path}?order=${sort}`; next !== undefined; ) {
        const { html }: { readonly html: string } = await ada.open(next)
        seen.push(...[...html.matchAll(/Person (\d+)\./g)].map(([, n = '']) => n))
        next = /href="([^"]+)">Next page</.exec(html)?.[1]?.replaceAll('&amp;', '&')
      }
      expect(seen).toHaveLength(120)
      expect(new Set(seen).size).toBe(120)
      const byTime = Array.from({ length: 120 }, (_, n) => n)
      const wanted = {
        newest: byTime,
        oldest: byTime.toReversed(),
        worst: byTime.toSorted((a, b) => (a % 5) - (b % 5) || a - b),
      }[sort]
      expect(seen.map(Number)).toEqual(wanted ?? [])
    },
  )

  test('tells a workspace without reviews from a filter that fits none', async () => {
    expect((await ada.open(path)).text).toContain('No reviews yet.')
    expect((await ada.open(`${path}?rating=5`)).text).toContain('No reviews yet.')
    await put()
    const filtered = (await ada.open(`${path}?rating=5`)).text
    expect(filtered).not.toContain('Cold soup')
    expect(filtered).not.toContain('No reviews yet.')
  })

  test('names filters that it ignored, and what it accepts', async () => {
    await put()
    const { text } = await ada.open(`${path}?rating=9&order=best&from=yesterday`)
    expect(text).toContain('Some filters were ignored')
    expect(text).toContain('Use 5, 4, 3, 2, 1, none.')
    expect(text).toContain('Cold soup')
  })

  test('has no file for filters that it ignored, such as a day that does not exist', async () => {
    await put()
    const file = (query: string) => ada.open(`/app/data/reviews.csv${query}`)
    expect((await file('?from=2026-02-01')).status).toBe(200)
    const { status, text } = await file('?from=2026-02-30')
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).not.toContain('Cold soup')
  })

  test('is a file with all reviews of the filters, not only those of the page', async () => {
    for (let n = 0; n < 60; n++) await put({ review_text: `Text ${n} ${'x'.repeat(300)} end` })
    await put({ review_text: 'Kind', star_rating: 5 })
    await put({ review_text: 'Text of a stranger' }, gate.stranger.workspaceId)
    const { html } = await ada.open('/app/data/reviews.csv?rating=2&after=ignored')
    const lines = html.trim().split('\r\n')
    expect(lines[0]).toEndWith('id,written_at,platform,location,stars,by,language,state,text')
    expect(lines.slice(1).map((line) => /,Text (\d+) x+ end$/.exec(line)?.[1])).toEqual(
      Array.from({ length: 60 }, (_, n) => String(n)),
    )
    const page = await ada.open(`${path}?rating=2`)
    expect(page.html).toContain('href="/app/data/reviews.csv?rating=2" download')
    expect(page.html).toContain('href="/app/data/reviews.xlsx?rating=2" download')
  })

  test('leaves out what its platform removed, and says so where it is opened', async () => {
    const { id } = await put({ removed_at_source_at: gate.owner.now().toISOString() })
    expect((await ada.open(path)).text).not.toContain('Cold soup')
    expect((await open(id)).text).toContain('Google no longer shows this review')
  })

  test('shows no review of another workspace', async () => {
    const { id } = await put({ reviewer_name: 'Foreign' }, gate.stranger.workspaceId)
    await put()
    expect((await open(id)).text).not.toContain('Foreign')
  })
})

describe('One review', () => {
  test('marks a translation as such, and tells how it was judged', async () => {
    const { id } = await put({
      review_text: '(Translated by Google) Cold soup\n\n(Original)\nKalte Suppe',
      review_language: 'de',
      sentiment: 'negative',
      analysis_method: 'stars+lexicon',
      key_topics: ['soup'],
    })
    const { text } = await open(id)
    expect(text).toMatch(/Kalte Suppe.*Translation by Google.*Cold soup/s)
    expect(text).toContain('Stars, adjusted by word lists')
  })

  test('is answered: the reply is queued once and its state is told', async () => {
    const { id } = await put()
    await open(id)
    const sent = await ada.submit(`${path}/send`, { text: 'Dear Ann, sorry.', do: 'send' })
    expect(sent.text).toContain('Reply queued')
    expect((await open(id)).text).toContain('Sending the reply')
    const act = await actOn(id)
    expect(act).toMatchObject({ state: 'queued', act: 'publish', text: 'Dear Ann, sorry.' })
    expect(act?.requested_by).toStartWith('usr_')
    const queued = await gate.owner.rows(Job).list({ where: where.eq('queue', 'send-person-reply') })
    expect(queued.filter(({ key }) => key === act?.act_id)).toHaveLength(1)
    expect((await ada.submit(`${path}/cancel`)).text).toContain('Reply cancelled')
    expect(await actOn(id)).toMatchObject({ state: 'cancelled' })
  })

  test('keeps what was typed where it cannot be sent, and says why', async () => {
    const { id } = await put()
    await open(id)
    const long = 'x'.repeat(4_001)
    const refused = await ada.submit(`${path}/send`, { text: long, do: 'send' })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain(long)
    expect(refused.text).toMatch(/at most 4000 characters/i)
    expect(await actOn(id)).toBeUndefined()
  })

  test('is not answered for older words than those that it has', async () => {
    const { id } = await put()
    await open(id)
    await gate.owner.rows(Review).update(id, { review_text: 'Warm soup, my mistake' })
    const refused = await ada.submit(`${path}/send`, { text: 'Sorry', do: 'send' })
    expect([refused.status, await actOn(id)]).toEqual([422, undefined])
    expect(refused.text).toContain('The review changed since you opened it')
  })

  test('keeps a draft, writes a new one, and overwrites none of somebody else', async () => {
    const { id } = await put({ previous_draft: 'of a client' })
    await open(id)
    await ada.submit(`${path}/send`, { text: 'Dear Ann', do: 'save' })
    expect(await row(id)).toMatchObject({ ai_suggested_response: 'Dear Ann', previous_draft: null })
    expect(await actOn(id)).toBeUndefined()
    await ada.submit(`${path}/generate`, { tone: 'friendly' })
    expect((await row(id))?.ai_suggested_response).toMatch(/^Hello Ann,/)
    await gate.owner.rows(Review).update(id, { ai_suggested_response: 'by an agent' })
    const refused = await ada.submit(`${path}/send`, { text: 'mine', do: 'save' })
    expect(refused.text).toContain('The draft changed since you opened it')
    expect(await row(id)).toMatchObject({ ai_suggested_response: 'by an agent' })
  })

  test('keeps one draft of two that are saved at the same time, and tells the other person', async () => {
    const { id } = await put()
    const bea = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.8'))
    for (const [name, value] of ada.cookies) bea.cookies.set(name, value)
    await Promise.all([ada, bea].map((one) => one.open(`${path}?review=${id}`)))
    const save = (one: Visitor, text: string) => one.submit(`${path}/send`, { text, do: 'save' })
    const answers = await Promise.all([save(ada, 'of Ada'), save(bea, 'of Bea')])
    const refused = answers.map(({ text }) => text.includes('The draft changed since you opened it'))
    expect(refused.filter(Boolean)).toHaveLength(1)
    expect((await row(id))?.ai_suggested_response).toBe(refused[0] ? 'of Bea' : 'of Ada')
  })

  test.each([
    ['pending', {}, '(2 Mar 2026, 10:00 UTC) . An automatic reply is planned. It is skipped if'],
    ['sent', {}, 'Renown answered it automatically.'],
    ['failed', { auto_response_error: 'Google said no' }, 'The automatic reply failed: Google said no'],
    ['failed', {}, 'The automatic reply failed: no reason is known'],
    ['skipped', { auto_response_error: 'a promise' }, 'waits for you as a draft: a promise'],
    ['skipped', { low: true }, 'it was answered, flagged, changed or removed before the reply was due.'],
    [undefined, { low: true }, 'Renown found it before there were rules for automatic replies.'],
    [undefined, {}, 'it has 1 to 3 stars and words, so a person must answer'],
    [undefined, { star_rating: 3 }, 'the reply rules exclude its rating'],
    [undefined, { star_rating: null }, 'the reply rules exclude its rating'],
    [undefined, { review_created_at: '2020-01-01T00:00:00.000Z' }, 'it was too old when Renown first saw it'],
    [undefined, { review_text: 'Then I called my lawyer' }, 'it mentions legal, which a person must answer.'],
    [undefined, { location_id: 'loc_gone' }, 'Its location no longer exists.'],
  ] as const)('says what became of its automatic reply: %s %j', async (status, more, words) => {
    const { low, ...changes } = { low: false, ...more }
    await gate.put(AutoResponseRules, {
      low_stars_allowed: low,
      id: gate.tenant.agencyId,
      is_enabled: true,
      ratings: [2],
      include_unrated: false,
      delay_min_minutes: 60,
      delay_max_minutes: 90,
      newest_days: 7,
      tone: 'friendly',
      allow_templates: false,
    })
    await gate.owner.rows(BusinessLocation).update(location, { auto_response_enabled: true })
    try {
      const due = { auto_response_scheduled_at: '2026-03-02T10:00:00.000Z' }
      const said = status === undefined ? {} : { auto_response_status: status, ...due }
      const { id } = await put({ ...said, ...changes })
      const { text } = await open(id)
      expect(text).toContain(words)
      expect(text).not.toContain(due.auto_response_scheduled_at)
    } finally {
      await gate.owner.rows(BusinessLocation).update(location, { auto_response_enabled: false })
    }
  })

  test('is marked, flagged with a reason, and noted', async () => {
    const { id } = await put()
    await open(id)
    await ada.submit(`${path}/mark`)
    expect(await row(id)).toMatchObject({ is_read: true })
    await open(id)
    expect((await ada.submit(`${path}/flag`, { reason: ' ' })).text).toContain('Enter why')
    await open(id)
    await ada.submit(`${path}/flag`, { reason: 'Call her' })
    expect(await row(id)).toMatchObject({ is_flagged: true, flag_reason: 'Call her' })
    await ada.submit(`${path}/unflag`)
    await ada.submit(`${path}/note`, { text: 'Refunded' })
    expect(await row(id)).toMatchObject({ is_flagged: false, notes: 'Refunded' })
  })

  test('keeps the reason of a flag in view, and marks it read and unread', async () => {
    const { id } = await put({ is_flagged: true, flag_reason: 'Call her' })
    expect((await open(id)).text).toContain('Call her')
    await ada.submit(`${path}/mark`, { state: 'read' })
    expect(await row(id)).toMatchObject({ is_read: true })
    await open(id)
    await ada.submit(`${path}/mark`, { state: 'unread' })
    expect(await row(id)).toMatchObject({ is_read: false })
    await gate.owner.rows(Review).update(id, { flag_reason: undefined })
    expect((await open(id)).text).toContain('no reason was given')
  })

  test('has a reason of 500 characters and a note of 5,000 at most', async () => {
    const { id } = await put()
    const send = async (name: string, fields: Record<string, string>) => {
      await open(id)
      return (await ada.submit(`${path}/${name}`, fields)).text
    }
    await send('flag', { reason: 'x'.repeat(500) })
    expect((await row(id))?.flag_reason).toHaveLength(500)
    await send('unflag', {})
    expect(await send('flag', { reason: 'x'.repeat(501) })).toContain('Use at most 500 characters.')
    await send('note', { text: 'x'.repeat(5_000) })
    expect((await row(id))?.notes).toHaveLength(5_000)
    expect(await send('note', { text: 'x'.repeat(5_001) })).toContain('Use at most 5,000 characters.')
    await send('note', { text: ' one\r\ntwo\rthree ' })
    expect((await row(id))?.notes).toBe('one\ntwo\nthree')
    await send('note', { text: '' })
    expect((await row(id))?.notes ?? '').toBe('')
  })

  test('takes no other draft than the one that was shown, however its lines end', async () => {
    const { id } = await put({ ai_suggested_response: 'Dear Ann\nsorry' })
    await open(id)
    await ada.submit(`${path}/send`, { text: 'one\r\ntwo\r', was: ' Dear Ann\r\nsorry ', do: 'save' })
    expect((await row(id))?.ai_suggested_response).toBe('one\ntwo')
    await open(id)
    await ada.submit(`${path}/send`, { text: ' ', do: 'save' })
    expect(await row(id)).not.toHaveProperty('ai_suggested_response')
    await open(id)
    const template = await ada.submit(`${path}/generate`, { tone: 'friendly' })
    expect(template.text).toContain('New draft from a template.')
    expect(template.text).not.toContain('New draft written.')
  })

  test('cannot be cancelled once its reply was sent', async () => {
    const { id } = await put()
    await open(id)
    await ada.submit(`${path}/send`, { text: 'Dear Ann, sorry.', do: 'send' })
    const page = await open(id)
    expect(page.status).toBe(200)
    await gate.owner.rows(ReviewReply).removeWhere(everything)
    expect((await ada.submit(`${path}/cancel`)).text).toContain('It is too late')
  })

  test('shows a standing reply, and lets it be edited and deleted', async () => {
    const reply = {
      reply_text: 'Thanks',
      reply_created_at: gate.owner.now().toISOString(),
      needs_response: false,
    }
    const { id } = await put({ ...reply, source_metadata: { reply_state: 'PENDING' } })
    expect((await open(id)).text).toContain('Google is checking this reply')
    await ada.submit(`${path}/delete-reply`)
    expect(await actOn(id)).toMatchObject({ act: 'delete', replaces: 'Thanks', state: 'queued' })
  })

  test('says why a reply failed or was rejected, and keeps its words', async () => {
    const { id } = await put()
    const act = { review_id: id, location_id: location, act: 'publish', act_id: 'a', basis: 'b' } as const
    const done = { requested_by: 'x', requested_at: gate.owner.now().toISOString(), text: 'My own words' }
    await gate.put(ReviewReply, { ...act, ...done, state: 'failed', error: 'Google refused.' })
    const { text, html } = await open(id)
    expect(text).toContain('The reply was not sent')
    expect(text).toContain('Google refused.')
    expect(html).toContain('My own words</textarea>')
  })

  test('tells its history from the ledger, and why it was not answered automatically', async () => {
    const { id, source_id } = await put()
    const seen = (text: string, stars: number) => ({ source_id, star_rating: stars, review_text: text })
    const entries = [
      { kind: 'seen', reviews: [{ digest: 'x', review: seen('Cold soup', 2) }] },
      { kind: 'seen', reviews: [{ digest: 'y', review: seen('Cold soup!', 1) }] },
      { kind: 'pass', removed: [source_id], statements: { [source_id]: 'google: 404 NOT_FOUND' } },
      { kind: 'seen', reviews: [], restored: [source_id] },
    ]
    for (const [n, entry] of entries.entries())
      await gate.put(ReviewObservation, {
        location_id: location,
        source: 'google',
        seq: n + 1,
        prev_hash: 'p',
        hash: `h${n}`,
        at: gate.owner.now().toISOString(),
        entry,
      })
    const { text } = await open(id, '&history=1')
    for (const words of [
      'First read',
      'Text changed',
      'from 2 stars to 1 star',
      '404 NOT_FOUND',
      'Shown by its source',
    ])
      expect(text).toContain(words)
    expect(text).toContain('automatic replies switched off')
  })
})
