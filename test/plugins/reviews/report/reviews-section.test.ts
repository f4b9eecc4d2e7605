import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { everything } from '../../../../core/contracts/where'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Review } from '../../../../plugins/reviews/records/Review'
import { responsesSection } from '../../../../plugins/reviews/report/responses-section'
import { reviewsSection } from '../../../../plugins/reviews/report/reviews-section'
import { checkedSection, collectedBy } from '../../../support/checked-section'
import { reviewBench, type Written } from '../support/bench'

let held: Awaited<ReturnType<typeof reviewBench>>
beforeAll(async () => {
  held = await reviewBench()
})
afterAll(() => held.bench.stop())
afterEach(() => held.bench.collection(Review).remove(everything))

const period = { date_from: '2026-02-01', date_to: '2026-02-28', days: 28 }
const previous = { date_from: '2026-01-01', date_to: '2026-01-31', days: 31 }
const written = (day: string, more: Written = {}) =>
  held.review({ review_created_at: `${day}T12:00:00.000Z`, star_rating: 5, ...more })
const collected = async () => {
  const found = await collectedBy(reviewsSection, held.bench.read('wsp_1'), { period, previous })
  if (!found) throw new Error('There is no part about reviews.')
  return found
}
const replies = () => collectedBy(responsesSection, held.bench.read('wsp_1'), { period, previous })
const replyAfter = (hours: number, day: string): Written => ({
  reply_text: 'Thank you',
  reply_created_at: new Date(Date.parse(`${day}T12:00:00.000Z`) + hours * 3_600_000).toISOString(),
})

/** Reads while the location was never read to its end. */
async function readInPart<Found>(read: () => Promise<Found>): Promise<Found> {
  const flags = { is_prospect: false, is_active: true, auto_response_enabled: false }
  const rows = held.bench.owner.rows(BusinessLocation)
  await rows.insert({ id: 'loc_1', workspace_id: 'wsp_1', business_name: 'Bakery', ...flags })
  const found = await read()
  await rows.removeWhere(everything)
  return found
}

test('says where the logs of the reviews ended', async () => {
  await written('2026-02-01')
  const { data } = await collected()
  const hash = 'f'.repeat(64)
  const log_heads = [{ source: 'Google', entry: 7, hash }]
  for (const totals of [data.totals, { ...data.totals, reviews: 0 }]) {
    const { blocks } = checkedSection(reviewsSection, { ...data, totals, log_heads } as typeof data)
    const notes = blocks.flatMap((block) => (block.kind === 'note' ? [block.text] : []))
    expect(notes.filter((text) => text.includes(`from Google ended with entry 7: ${hash}`))).toHaveLength(1)
  }
})

test('of two periods it says how many reviews there were, how good, from where and about what', async () => {
  await written('2026-01-10', { star_rating: 2 })
  await written('2026-01-31', { star_rating: 4, source: 'facebook' })
  const topics = { key_topics: ['bread'], sentiment: 'negative' as const }
  await written('2026-02-01', { star_rating: 1, ...topics, review_text: 'Stale', reviewer_name: 'Ann' })
  await written('2026-02-28', { star_rating: null, source: 'facebook', ...replyAfter(1, '2026-02-28') })
  await written('2026-02-28', { key_topics: ['bread'], review_text: ' Fresh ', review_language: 'en' })
  await written('2026-03-01')
  await written('2026-02-02', { location_id: 'loc_2' })
  const { data, blocks } = await collected()
  const { trend, ...rest } = data
  const share = { n: expect.any(Number), definition: 'reviews.positive_share@1' }
  expect(rest).toMatchObject({
    totals: { reviews: 3, rated: 2, average_rating: 3, replied: 1, positive_share: { rate: 0.5, n: 2 } },
    previous: { reviews: 2, rated: 2, average_rating: 3, replied: 0, positive_share: { ...share, n: 2 } },
    by_source: [
      { source: 'Google', reviews: 2, average_rating: 3 },
      { source: 'Facebook', reviews: 1, average_rating: null },
    ],
    topics: [{ topic: 'bread', reviews: 2, negative: 1 }],
    notable: [
      { text: 'Stale', source: 'Google', at: '2026-02-01T12:00:00.000Z', author: 'Ann', stars: 1 },
      { text: 'Fresh', source: 'Google', at: '2026-02-28T12:00:00.000Z', stars: 5, lang: 'en' },
    ],
    is_whole: true,
    unanswered: 2,
  } as object)
  const [figures, columns, ratings, platforms, about, evidence, next, ...others] = blocks
  const evident = { better: 'higher', evidence: '/app/reviews' }
  const [fresh, mean, positive] = figures?.kind === 'figures' ? figures.figures : []
  expect<unknown>(fresh).toEqual({
    id: 'reviews.new',
    label: 'New reviews',
    value: 3,
    unit: 'count',
    previous: 2,
    ...evident,
    definition: 'new_reviews@1',
    is_significant: false,
  })
  expect<unknown>(mean).toEqual({
    id: 'reviews.average',
    label: 'Average rating',
    value: 3,
    unit: 'rating',
    n: 2,
    previous: 3,
    ...evident,
    definition: 'average_rating@1',
  })
  expect({ ...positive }).toMatchObject({
    id: 'reviews.positive',
    label: 'Positive reviews',
    value: 0.5,
    unit: 'share',
    n: 2,
    previous: 0.5,
    ...evident,
    definition: 'reviews.positive_share@1',
  } as object)
  const counts = trend.map(({ reviews }) => reviews)
  expect([counts.at(0), counts.at(-1), counts.reduce((sum, count) => sum + count, 0)]).toEqual([1, 2, 3])
  const labels = columns?.kind === 'chart' ? columns.labels : []
  expect([labels.length, labels[0]]).toEqual([counts.length, '1 Feb'])
  expect(columns).toEqual({
    kind: 'chart',
    title: 'New reviews',
    form: 'columns',
    unit: 'count',
    labels,
    alt: 'New reviews over the period: 3 in all.',
    series: [{ name: 'Reviews', values: counts }],
  })
  expect(ratings).toEqual({
    kind: 'table',
    title: 'By rating',
    columns: [
      { label: 'Stars', type: 'text' },
      { label: 'This period', type: 'count' },
      { label: 'Before', type: 'count' },
    ],
    rows: [
      ['5', 1, 0],
      ['4', 0, 1],
      ['2', 0, 1],
      ['1', 1, 0],
      ['without stars', 1, 0],
    ],
  })
  expect(platforms).toEqual({
    kind: 'table',
    title: 'By platform',
    columns: [
      { label: 'Platform', type: 'text' },
      { label: 'Reviews', type: 'count' },
      { label: 'Average', type: 'rating' },
    ],
    rows: [
      ['Google', 2, 3],
      ['Facebook', 1, null],
    ],
  })
  expect(about).toEqual({
    kind: 'chart',
    title: 'What the reviews are about',
    form: 'bars',
    unit: 'count',
    alt: 'The most frequent topics: bread.',
    labels: ['bread'],
    series: [
      { name: 'Reviews', values: [2] },
      { name: 'Negative ones', values: [1] },
    ],
  })
  expect(evidence).toEqual({
    kind: 'evidence',
    title: 'Reviews worth reading',
    items: [
      { quote: 'Stale', source: 'Google', at: '2026-02-01T12:00:00.000Z', author: 'Ann', rating: 1 },
      { quote: 'Fresh', source: 'Google', at: '2026-02-28T12:00:00.000Z', rating: 5, lang: 'en' },
    ],
  })
  expect(next).toEqual({
    kind: 'next',
    items: [{ text: 'Answer the 2 reviews of this period without a reply.', href: '/app/reviews' }],
  })
  expect(others).toEqual([])
  expect<unknown>(reviewsSection.headline?.(data)).toEqual([fresh, mean])
  expect(reviewsSection.score?.(data)).toEqual({ value: 50, weight: 3 })
  expect<unknown>(reviewsSection.notable?.(data)).toEqual(evidence?.kind === 'evidence' && evidence.items)
})

test('the parts have names that templates of reports use', () => {
  expect([reviewsSection.name, responsesSection.name]).toEqual(['reviews', 'responses'])
})

test('without reviews there is one sentence, and no score', async () => {
  const { data, blocks } = await collected()
  const text = 'There were no new reviews in this period or in the one before.'
  expect(blocks).toEqual([{ kind: 'note', text }])
  expect(reviewsSection.score?.(data)).toBeNull()
  const before = checkedSection(reviewsSection, { ...data, previous: { ...data.previous, reviews: 1 } })
  expect(before.blocks.map(({ kind }) => kind)).toEqual(['figures', 'chart', 'table'])
  const now = checkedSection(reviewsSection, { ...data, totals: { ...data.totals, reviews: 1 } })
  expect(now.blocks.map(({ kind }) => kind)).toEqual(['figures', 'chart', 'table'])
})

test('one review without a reply is named in the singular, and one platform has no table', async () => {
  await written('2026-02-10')
  const { blocks } = await collected()
  expect(blocks.map(({ kind }) => kind)).toEqual(['figures', 'chart', 'table', 'next'])
  expect(blocks.at(-1)).toMatchObject({
    items: [{ text: 'Answer the review of this period without a reply.' }],
  } as object)
})

test('it is not compared with a period of which reviews may be missing', async () => {
  await written('2026-01-10')
  await written('2026-02-10')
  const { data, blocks } = await readInPart(collected)
  expect(data.is_whole).toBe(false)
  const [figures, note, , table] = blocks
  const known = figures?.kind === 'figures' ? figures.figures : []
  expect(known.map((figure) => 'previous' in figure)).toEqual([false, false, false])
  expect(note).toEqual({
    kind: 'note',
    text: 'Older reviews of this location were not all read yet. It is not compared with the previous period.',
  })
  expect(table).toMatchObject({ rows: [['5', 1, null]] } as object)
})

test('reviews may be missing where those of one of the periods are of a location that was read in part', async () => {
  for (const day of ['2026-01-02', '2026-02-10']) {
    await written(day)
    expect([day, (await readInPart(collected)).data.is_whole]).toEqual([day, false])
    expect([day, (await collected()).data.is_whole]).toEqual([day, true])
    await held.bench.collection(Review).remove(everything)
  }
})

test('replies are not compared with a period of which reviews may be missing', async () => {
  await written('2026-01-10', replyAfter(1, '2026-01-10'))
  await written('2026-02-10', replyAfter(2, '2026-02-10'))
  const { data, blocks = [] } = (await readInPart(replies)) ?? {}
  expect({ ...data }).toMatchObject({
    median_hours: 2,
    previous_rate: null,
    previous_median_hours: null,
  } as object)
  const figures = blocks[0]?.kind === 'figures' ? blocks[0].figures : []
  expect(figures.map(({ id, ...figure }) => [id, 'previous' in figure])).toEqual([
    ['responses.rate', false],
    ['responses.time', false],
  ])
})

test('the longest of the worst and of the best reviews are quoted, two of each, and cut to 400 characters', async () => {
  for (const [stars, length] of [
    ...([1, 2, 3] as const).map((star) => [star, star * 10] as const),
    ...([4, 5] as const).flatMap((star) => [1, 2].map((times) => [star, star * times] as const)),
  ])
    await written('2026-02-10', { star_rating: stars, review_text: 'x'.repeat(length), reviewer_name: '' })
  await written('2026-02-10', { star_rating: 5, review_text: '   ' })
  await written('2026-02-10', { star_rating: null, review_text: 'x'.repeat(500) })
  await written('2026-01-31', { star_rating: 5, review_text: 'x'.repeat(500) })
  await written('2026-03-01', { star_rating: 5, review_text: 'x'.repeat(500) })
  const { data, blocks } = await collected()
  expect(data.notable.map(({ stars, text }) => [stars, text.length])).toEqual([
    ...[3, 2].map((star) => [star, star * 10]),
    ...[5, 4].map((star) => [star, star * 2]),
  ])
  const quotes = blocks.find((one) => one.kind === 'evidence')?.items ?? []
  expect(quotes.filter((one) => 'author' in one || 'lang' in one)).toEqual([])
  await held.bench.collection(Review).remove(everything)
  await written('2026-02-10', { review_text: '🥐'.repeat(400), review_language: '' })
  await written('2026-02-10', { review_text: '🥐'.repeat(401), reviewer_name: 'y'.repeat(301) })
  const cut = await collected()
  expect(cut.data.notable.map(({ text }) => text)).toEqual([`${'🥐'.repeat(399)}…`, '🥐'.repeat(400)])
  const [first, second] = cut.blocks.find((one) => one.kind === 'evidence')?.items ?? []
  expect([first?.author, second && 'lang' in second]).toEqual(['y'.repeat(300), false])
})

test('only the latest 200 reviews of the period are quoted', async () => {
  for (let n = 0; n < 201; n++) {
    const review_created_at = new Date(Date.parse('2026-02-10T12:00:00.000Z') - n * 60_000).toISOString()
    const review_text = n < 199 ? 'x' : 'x'.repeat(n)
    await held.review({ review_created_at, star_rating: 5, review_text })
  }
  const { data } = await collected()
  expect(data.notable.map(({ text }) => text.length)).toEqual([199, 1])
})

test('at most ten topics are shown, long ones cut', async () => {
  for (let n = 0; n < 11; n++) await written('2026-02-10', { key_topics: [`${n}`.padStart(301, 'x')] })
  const { data, blocks } = await collected()
  expect(data.topics.length).toBe(10)
  const about = blocks.find((one) => one.kind === 'chart' && one.form === 'bars')
  if (about?.kind !== 'chart') throw new Error('There is no chart of topics.')
  expect([about.labels.map(({ length }) => length), about.alt.length]).toEqual([Array(10).fill(300), 1_000])
})

test('the day of a quoted review is that of the time zone of the workspace', async () => {
  await written('2026-02-10', { review_created_at: '2026-01-31T23:30:00.000Z', review_text: 'Early' })
  await written('2026-02-10', { review_created_at: '2026-02-28T23:30:00.000Z', review_text: 'Late' })
  const reads = held.bench.read('wsp_1')
  const at = { ...reads, workspace: { ...reads.workspace, timezone: 'Europe/Berlin' } }
  const found = await collectedBy(reviewsSection, at, { period, previous })
  expect(found?.data.notable.map(({ text }) => text)).toEqual(['Early'])
})

test('the part about replies is left out where no review is new', async () => {
  await written('2026-01-10', replyAfter(1, '2026-01-10'))
  expect(await replies()).toBeNull()
})

test('of replies it says how many reviews have one, and after how many hours', async () => {
  for (const hours of [1, 2, 9]) await written('2026-02-10', replyAfter(hours, '2026-02-10'))
  await written('2026-02-10')
  await written('2026-02-10', replyAfter(-1, '2026-02-10'))
  await written('2026-01-10', replyAfter(1, '2026-01-10'))
  await written('2026-01-11', replyAfter(2.5, '2026-01-11'))
  const { data, blocks } = (await replies()) ?? {}
  expect({ ...data }).toMatchObject({
    rate: { rate: 0.8, n: 5 },
    previous_rate: { rate: 1, n: 2 },
    answered: 4,
    median_hours: 2,
    previous_median_hours: 1.75,
  } as object)
  const [figures, did, ...others] = blocks ?? []
  const [rate, time] = figures?.kind === 'figures' ? figures.figures : []
  expect({ ...rate }).toMatchObject({
    id: 'responses.rate',
    label: 'Reviews with a reply',
    value: 0.8,
    previous: 1,
    better: 'higher',
    evidence: '/app/reviews',
    definition: 'reviews.response_rate@1',
  } as object)
  expect(time).toEqual({
    id: 'responses.time',
    label: 'Time to reply',
    value: 2,
    previous: 1.75,
    unit: 'hours',
    better: 'lower',
    definition: 'reply_hours@1',
  })
  const text = 'Replies were sent to 4 of 5 new reviews.'
  expect([did, others]).toEqual([{ kind: 'did', items: [{ text, href: '/app/reviews' }] }, []])
  if (!data) throw new Error('There is no part about replies.')
  expect<unknown>(responsesSection.headline?.(data)).toEqual([rate])
  expect(responsesSection.score?.(data)).toEqual({ value: 80, weight: 1 })
  const none = { ...data, rate: { ...data.rate, rate: null, ci95: null } }
  expect(responsesSection.score?.(none)).toBeNull()
})

test('without a reply there is no time, and nothing was done', async () => {
  await written('2026-02-10')
  await written('2026-02-10', { reply_text: 'Thanks', reply_created_at: '2026-02-10T12:00:00.000Z' })
  const instantly = await replies()
  expect(instantly?.data.median_hours).toBe(0)
  await held.bench.collection(Review).remove(everything)
  await written('2026-02-10')
  const { data, blocks = [] } = (await replies()) ?? {}
  expect(data).toMatchObject({ median_hours: null, previous_median_hours: null, answered: 0 })
  expect(blocks.map(({ kind }) => kind)).toEqual(['figures'])
  const [, time] = blocks[0]?.kind === 'figures' ? blocks[0].figures : []
  expect(time).toMatchObject({ value: null, unknown_because: 'no reply has a known time' } as object)
  expect(time && 'previous' in time).toBe(false)
})
