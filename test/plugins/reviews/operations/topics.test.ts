import { expect, test } from 'bun:test'
import type { Period, ReadContext } from 'renown'
import { readTopics } from '../../../../plugins/reviews/operations/topics'

const period: Period = { date_from: '2026-01-01', date_to: '2026-01-31', days: 31 }
const at = '2026-01-15T20:00:00.000Z'

/** What is read of these reviews, and the query that read them. */
async function topicsOf(reviews: readonly object[]) {
  const queries: Record<string, unknown>[] = []
  const list = async (query: Record<string, unknown>) => {
    queries.push(query)
    return reviews.map((review, place) => ({ id: `rev_${place}`, review_created_at: at, ...review }))
  }
  const ctx = { workspace: { timezone: 'Asia/Tokyo' }, rows: () => ({ list }) } as unknown as ReadContext
  return { ...(await readTopics(ctx, {}, period)), queries }
}

test('topics are counted over the newest thousand reviews, the most frequent first', async () => {
  const { topics, queries } = await topicsOf([
    { key_topics: ['soup', 'soup', 'bread'], sentiment: 'negative' },
    { key_topics: ['staff', 'bread'] },
    { key_topics: ['queue'], sentiment: 'positive' },
    {},
  ])
  expect(topics).toEqual({
    sample: 4,
    top: [
      { topic: 'bread', reviews: 2, negative: 1 },
      { topic: 'queue', reviews: 1, negative: 0 },
      { topic: 'soup', reviews: 1, negative: 1 },
      { topic: 'staff', reviews: 1, negative: 0 },
    ],
  })
  expect(queries).toMatchObject([{ limit: 1_000, sort: [{ field: 'review_created_at', direction: 'desc' }] }])
  const many = Array.from({ length: 22 }, (_, place) => `topic ${place + 10}`)
  expect((await topicsOf([{ key_topics: many }])).topics.top).toHaveLength(20)
})

test('reviews complain with few stars or with negative words', async () => {
  const { complaints } = await topicsOf([
    { star_rating: 2, key_topics: ['soup'], review_text: ' Cold ' },
    { star_rating: 3, key_topics: ['soup', 'bread'], review_text: 'Fine' },
    { sentiment: 'negative', key_topics: ['bread', 'queue'], review_text: 'Long' },
    { star_rating: 5, sentiment: 'negative', key_topics: [], review_text: ' ' },
    { star_rating: 1, key_topics: ['queue', 'bread'] },
    { star_rating: null, key_topics: ['staff'] },
  ])
  expect(complaints).toEqual({
    reviews: 4,
    without_topic: 1,
    topics: [
      { topic: 'bread', reviews: 2, all: 3 },
      { topic: 'queue', reviews: 2, all: 2 },
      { topic: 'soup', reviews: 1, all: 2 },
    ],
    quotes: [
      { review_id: 'rev_0', stars: 2, day: '2026-01-16', text: 'Cold' },
      { review_id: 'rev_2', stars: null, day: '2026-01-16', text: 'Long' },
    ],
  })
})

test('complaints have eight topics and five quotes of 240 letters', async () => {
  const key_topics = Array.from({ length: 9 }, (_, place) => `topic ${place}`)
  const long = '\u{1f600}'.repeat(240)
  const texts = [long, `${long}x`, 'c', 'd', 'e', 'f']
  const { complaints } = await topicsOf(
    texts.map((review_text) => ({ star_rating: 1, key_topics, review_text })),
  )
  expect(complaints.topics.map(({ topic }) => topic)).toEqual(key_topics.slice(0, 8))
  expect(complaints.quotes.map(({ text }) => text)).toEqual([long, `${long}…`, 'c', 'd', 'e'])
})
