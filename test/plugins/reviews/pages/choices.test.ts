import { expect, test } from 'bun:test'
import { languageChoices, themeChoices } from '../../../../plugins/reviews/pages/choices'

/** Reads of these rows; it notes how many were asked for. */
function reads(rows: readonly object[]) {
  const asked: { limit?: number } = {}
  const list = async (query: { limit?: number }) => {
    asked.limit = query.limit
    return rows
  }
  return { asked, ctx: { rows: () => ({ list }) } as never }
}

test('languages and themes are those that occur, the most frequent ones first, in words', async () => {
  const { ctx, asked } = reads([
    { review_language: 'de', key_topics: ['bread'] },
    { review_language: 'en', key_topics: ['queue', 'bread'] },
    { review_language: 'en' },
    {},
  ])
  expect(await languageChoices(ctx)).toEqual([
    ['en', 'English'],
    ['de', 'German'],
  ])
  expect(await themeChoices(ctx)).toEqual([
    ['bread', 'bread'],
    ['queue', 'queue'],
  ])
  // However many reviews there are, so many are looked at.
  expect(asked.limit).toBe(500)
})

test('a tag that is not one of a language is shown as it is', async () => {
  const { ctx } = reads([{ review_language: 'not_a_tag!' }])
  expect(await languageChoices(ctx)).toEqual([['not_a_tag!', 'not_a_tag!']])
})

test('of many themes, the forty most frequent can be chosen', async () => {
  const key_topics = Array.from({ length: 45 }, (_, n) => `theme ${n + 10}`)
  const { ctx } = reads([{ key_topics }])
  expect((await themeChoices(ctx)).map(([value]) => value)).toEqual(key_topics.slice(0, 40))
})
