import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { everything, where } from '../../../../core/contracts/where'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { User } from '../../../../core/tenancy/User'
import { builtin } from '../../../../plugins'
import { openChain } from '../../../../plugins/reviews/proof/ledger'
import { AutoResponseRules } from '../../../../plugins/reviews/records/AutoResponseRules'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewReply } from '../../../../plugins/reviews/records/ReviewReply'
import { type Gate, startGate } from '../../../support/harness'
import { jobs } from '../../../support/platforms'
import { signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'

let gate: Gate
let ada: Visitor
let adaId = ''
let location = ''
let made = 0

beforeAll(async () => {
  gate = await startGate({ plugins: [...builtin, jobs] })
  const { cookie, userId } = await signedIn(gate)
  adaId = userId
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = cookie.indexOf('=')
  ada.cookies.set(cookie.slice(0, at), cookie.slice(at + 1))
  const google = { google_account_id: 'accounts/1', google_location_id: 'locations/2' }
  const row = await gate.put(BusinessLocation, {
    business_name: 'Bakery',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: true,
    ...google,
    added_via: 'gbp_oauth',
    google_place_id: 'ChIJx',
    total_reviews: 3,
  })
  location = row.id
})
afterAll(() => gate.stop())
beforeEach(async () => {
  for (const entity of [Review, ReviewReply, AutoResponseRules])
    await gate.owner.rows(entity).removeWhere(everything)
})

const put = (more: object = {}) => {
  const said = { star_rating: 5, review_text: 'Lovely', review_language: 'en', reviewer_name: 'Ann Lee' }
  const at = new Date(gate.owner.now().getTime() - ++made * 60_000).toISOString()
  const place = { location_id: location, source: 'google' as const, source_id: `g${made}` }
  return gate.put(Review, { ...place, ...said, needs_response: true, review_created_at: at, ...more })
}

test('reply rules are set by a form, whole, and say what is wrong with a field', async () => {
  const path = '/app/reviews/rules'
  const fresh = await ada.open(path)
  expect(fresh.text).toContain('No rules yet')
  for (const value of ['60', '1440', '7']) expect(fresh.html).toContain(`value="${value}"`)
  const rest = {
    delay_min_minutes: '60',
    delay_max_minutes: '1440',
    newest_days: '7',
    model_stars_min: '4',
    tone: 'friendly',
  }
  const wrong = await ada.submit(`${path}/save`, {
    ...rest,
    delay_min_minutes: '90',
    delay_max_minutes: '60',
  })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('Latest must not be below earliest.')
  await ada.open(path)
  const saved = await ada.submit(`${path}/save`, {
    ...rest,
    enabled: 'yes',
    ratings: ['4', '5'],
    tone: 'concise',
    newest_days: '3',
  })
  expect(saved.text).toContain('Reply rules saved.')
  const rules = await gate.owner.rows(AutoResponseRules).get(gate.tenant.agencyId)
  expect(rules).toMatchObject({
    is_enabled: true,
    ratings: [4, 5],
    tone: 'concise',
    newest_days: 3,
    include_unrated: false,
    delay_min_minutes: 60,
    delay_max_minutes: 1_440,
    model_stars_min: 4,
    allow_templates: false,
  })
  await gate.owner.rows(AutoResponseRules).update(gate.tenant.agencyId, { model_stars_min: undefined })
  expect((await ada.open(path)).html).toMatch(/name="model_stars_min".+?<option value="4" selected>/)
  await ada.submit(`${path}/save`, { ...rest, ratings: [], enabled: [] })
  const off = await gate.owner.rows(AutoResponseRules).get(gate.tenant.agencyId)
  expect(off).toMatchObject({ is_enabled: false, ratings: [] })
})

test.each([
  ['delay_min_minutes', 0, 43_200, 'Earliest'],
  ['delay_max_minutes', 0, 43_200, 'Latest'],
  ['newest_days', 1, 365, 'Age'],
  ['model_stars_min', 1, 5, 'Stars'],
])('the field %s of the reply rules takes %d to %d', async (name, min, max, label) => {
  const rest = {
    delay_min_minutes: '0',
    delay_max_minutes: '43200',
    newest_days: '7',
    model_stars_min: '4',
    tone: 'friendly',
  }
  const send = async (value: string) => {
    await ada.open('/app/reviews/rules')
    const earliest = name === 'delay_max_minutes' ? { delay_min_minutes: '0' } : {}
    return (await ada.submit('/app/reviews/rules/save', { ...rest, ...earliest, [name]: value })).text
  }
  for (const value of [min, max]) expect(await send(String(value))).toContain('Reply rules saved.')
  expect(await send(String(max + 1))).toContain(`${label} must be at most ${max}.`)
  if (min > 0) expect(await send(String(min - 1))).toContain(`${label} must be at least ${min}.`)
  for (const value of ['', 'x', '1.5', '-1', '1234567'])
    expect(await send(value)).toContain(`${label} must be a whole number from ${min} to ${max}.`)
})

test('the page of reply rules lists the locations by name, without prospects', async () => {
  const of = { is_active: true, auto_response_enabled: false }
  await gate.put(BusinessLocation, { ...of, business_name: 'Zebra', is_prospect: false })
  await gate.put(BusinessLocation, { ...of, business_name: 'Anchor', is_prospect: false })
  await gate.put(BusinessLocation, { ...of, business_name: 'Maybe', is_prospect: true })
  try {
    const { text } = await ada.open('/app/reviews/rules')
    const places = ['Anchor', 'Bakery', 'Zebra'].map((name) => text.indexOf(name))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(text).not.toContain('Maybe')
  } finally {
    await gate.owner.rows(BusinessLocation).removeWhere(where.ne('id', location))
  }
})

test('members read the reply rules and cannot change them', async () => {
  const path = '/app/reviews/rules'
  await ada.open(path)
  await gate.owner.rows(User).update(adaId, { role: 'member', workspace_ids: [gate.tenant.workspaceId] })
  try {
    expect((await ada.submit(`${path}/save`, { enabled: 'yes' })).status).toBe(403)
    expect((await ada.open(path)).text).toContain('Only owners of the agency can change these rules.')
  } finally {
    await gate.owner.rows(User).update(adaId, { role: 'owner', workspace_ids: undefined })
  }
})

test('the page of counts tells the difference, and which reviews were removed', async () => {
  await put()
  await put({ removed_at_source_at: gate.owner.now().toISOString() })
  const { text } = await ada.open('/app/reviews/counts')
  expect(text).toContain('Google shows 3 reviews, 1 are listed here.')
  expect(text).toContain('Removed at the platform')
  expect(text).toContain(`explainReviewCount {"location_id": "${location}"}`)
})

test('drafts are approved together; what is held back or changed meanwhile is not sent', async () => {
  const path = '/app/reviews/approve'
  const kind = 'Hello Ann,\n\nthank you very much for your review.'
  const good = await put({ ai_suggested_response: kind })
  const changed = await put({ ai_suggested_response: kind })
  const promising = await put({ ai_suggested_response: 'You get a full refund.' })
  const page = await ada.open(path)
  expect(page.text).toContain('Not here:')
  const marks = [...page.html.matchAll(/name="drafts" value="([^"]+)"/g)].map(([, mark = '']) => mark)
  expect(marks).toHaveLength(2)
  expect((await ada.submit(`${path}/send`, { drafts: [] })).text).toContain('Choose at least one draft.')
  await ada.open(path)
  await gate.owner.rows(Review).update(changed.id, { review_text: 'Awful' })
  const sent = await ada.submit(`${path}/send`, { drafts: marks })
  expect(sent.text).toContain('1 queued, 1 not')
  const acts = await gate.owner.rows(ReviewReply).list({ where: where.eq('state', 'queued') })
  expect(acts.map(({ review_id, text, is_approved }) => [review_id, text, is_approved])).toEqual([
    [good.id, kind, true],
  ])
  expect(await gate.owner.rows(Review).get(promising.id)).toMatchObject({ needs_response: true })
})

test('the newest 25 drafts are shown, and that there are more', async () => {
  const draft = 'Hello Ann,\n\nthank you very much for your review.'
  const open = async () => {
    const { html, text } = await ada.open('/app/reviews/approve')
    const marks = [...html.matchAll(/name="drafts" value="([^"]+)"/g)]
    return { shown: marks.length, hasMore: text.includes('The page shows the newest 25.') }
  }
  for (let n = 0; n < 25; n++) await put({ ai_suggested_response: draft })
  expect(await open()).toEqual({ shown: 25, hasMore: false })
  await put({ ai_suggested_response: draft })
  expect(await open()).toEqual({ shown: 25, hasMore: true })
})

test('agents ask for the same explanation as an operation', async () => {
  await put()
  const answer = await gate.ask('/api/functions/explainReviewCount', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ location_id: location }),
  })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({
    business_name: 'Bakery',
    sources: [{ source: 'google', source_shows: 3, we_list: 1, difference: 2, removed_at_source: 0 }],
    differences: [{ source: 'google', reviews: 2, kind: 'unrecorded' }],
  })
})

test('the overview tells five numbers, the rating over time, its distribution, and themes with quotes', async () => {
  const now = gate.owner.now().getTime()
  const at = (hoursAgo: number) => new Date(now - hoursAgo * 3_600_000).toISOString()
  const answered = { reply_text: 'Thanks', needs_response: false }
  await put({ ...answered, review_created_at: at(50), reply_created_at: at(40), key_topics: ['bread'] })
  await put({ ...answered, review_created_at: at(60), reply_created_at: at(30), key_topics: ['bread'] })
  await put({
    star_rating: 2,
    review_created_at: at(70),
    review_text: '<b>Dry</b> bread',
    key_topics: ['bread'],
  })
  const { html, text } = await ada.open('/app/reviews/overview?days=28')
  expect(text).toMatch(/Rating 4\.00.*Reviews 3.*Waiting now 1.*Reply rate 67 %.*Median reply time 20 h/)
  expect(html).toContain('aria-label="Average rating:')
  expect(text).toContain('bread 3 reviews')
  expect(html).not.toContain('<b>Dry')
  expect((await ada.open('/app/reviews/overview?days=9999')).text).toContain(
    'compared with the 28 days before',
  )
})

test('review links are copied or scanned, and missing ones say what is not known', async () => {
  const { html } = await ada.open('/app/reviews/links')
  expect(html).toContain('value="https://search.google.com/local/writereview?placeid=ChIJx"')
  expect(html).toMatch(/class="qr" role="img"[^>]*><svg /)
  await gate.owner.rows(BusinessLocation).update(location, { google_place_id: undefined })
  expect((await ada.open('/app/reviews/links')).text).toContain('has no link yet')
})

test('the pages bring rules of their own, in a style sheet that is served', async () => {
  const { html } = await ada.open('/app/reviews/overview')
  const sheets = [...html.matchAll(/rel="stylesheet" href="([^"]+)"/g)].map(([, href = '']) => href)
  const texts = await Promise.all(sheets.map(async (href) => (await gate.ask(href, { key: null })).text()))
  expect(texts.some((text) => text.includes('.figures5'))).toBe(true)
})

test.each(['reviews', 'reviews/overview', 'reviews/counts'])('%s is downloaded as CSV', async (name) => {
  await put()
  const answer = await ada.open(`/app/data/${name}.csv`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
})

test('the file of counts has a line for each review that explains a difference', async () => {
  const chain = { workspace_id: gate.tenant.workspaceId, location_id: location, source: 'google' }
  const log = await openChain(gate.owner, chain, async () => new Map())
  const { id, source_id, review_created_at } = await put({
    removed_at_source_at: gate.owner.now().toISOString(),
  })
  await log.seen({ reviews: [{ source_id, star_rating: 5 }], restored: [], adopted: [] })
  const answer = await ada.open(`/app/data/reviews/counts.csv?location=${location}`)
  const [columns = '', ...lines] = answer.html
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
  expect(columns.split(',')).toEqual([
    'platform',
    'kind',
    'review_id',
    'source_id',
    'by',
    'stars',
    'written_at',
    'begins',
  ])
  const said = `google,removed,${id},${source_id},Ann Lee,5,${review_created_at},Lovely`
  expect(lines).toContain(said)
})

test.each([
  'reviews/counts.csv?location=loc_of_another_agency',
  'reviews/overview.xlsx?days=9999',
  'activity.csv?kind=zzz',
  'locations.csv?view=zzz',
])('%s is refused, because the file would have other rows than those asked for', async (address) => {
  await put()
  const answer = await ada.open(`/app/data/${address}`)
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('The address has invalid filters.')
})

test('a review that waits for an automatic reply without a time yet has none on its page', async () => {
  const { id } = await put({ auto_response_status: 'pending' })
  const { text } = await ada.open(`/app/reviews?review=${id}`)
  expect(text).toContain('Lovely')
  expect(text).not.toContain('Automatic reply:')
})

test('several reviews are marked as read at once, and one Undo makes each what it was', async () => {
  const unread = await put({ is_read: false })
  const read = await put({ is_read: true })
  const left = await put({ is_read: false })
  const isRead = async () =>
    Promise.all(
      [unread, read, left].map(async ({ id }) => (await gate.owner.rows(Review).get(id))?.is_read ?? false),
    )
  const valuesOf = (html: string) =>
    [...html.matchAll(/<input[^>]*name="chosen"[^>]*>/g)].map(
      ([tag]) => /value="([^"]*)"/.exec(tag)?.[1]?.replaceAll('&quot;', '"') ?? '',
    )
  const { html } = await ada.open('/app/reviews')
  const chosen = valuesOf(html).filter((item) => !item.includes(left.id))
  expect(chosen).toHaveLength(2)
  const after = await ada.submit('/app/reviews/several-read', { chosen })
  expect(after.text).toContain('2 reviews marked as read.')
  expect(await isRead()).toEqual([true, true, false])
  const undo = valuesOf(/<form[^>]*undo-read.*?<\/form>/s.exec(after.html)?.[0] ?? '')
  await ada.submit('/app/reviews/undo-read', { chosen: undo })
  expect(await isRead()).toEqual([false, true, false])
})
