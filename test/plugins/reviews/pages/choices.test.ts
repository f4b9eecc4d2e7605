import { expect, test } from 'bun:test'
import { readChoices } from '../../../../plugins/reviews/pages/choices'

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
  expect(await readChoices(ctx, { language: '', theme: '' })).toEqual({
    languages: [
      ['en', 'English'],
      ['de', 'German'],
    ],
    themes: [
      ['bread', 'bread'],
      ['queue', 'queue'],
    ],
  })
  // However many reviews there are, so many are looked at.
  expect(asked.limit).toBe(500)
})

test('what the address asks for can be chosen too, and a tag that is none is shown as it is', async () => {
  const { ctx } = reads([{ review_language: 'not_a_tag!' }])
  const { languages, themes } = await readChoices(ctx, { language: 'pt', theme: '<b>' })
  expect(languages).toEqual([
    ['not_a_tag!', 'not_a_tag!'],
    ['pt', 'Portuguese'],
  ])
  expect(themes).toEqual([['<b>', '<b>']])
})

test('of many themes, the forty most frequent can be chosen, and one more that the address names', async () => {
  const key_topics = Array.from({ length: 45 }, (_, n) => `theme ${n + 10}`)
  const { ctx } = reads([{ key_topics }])
  const { themes } = await readChoices(ctx, { language: '', theme: 'theme 54' })
  expect(themes.map(([value]) => value)).toEqual([...key_topics.slice(0, 40), 'theme 54'])
})
