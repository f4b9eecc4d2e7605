import { expect, test } from 'bun:test'
import { analyse } from '../../../../plugins/reviews/analysis/analyse'
import {
  isJudgedEarlier,
  isJudgedOtherwise,
  judgeAgain,
} from '../../../../plugins/reviews/analysis/judgeAgain'
import type { ReviewRow } from '../../../../plugins/reviews/analysis/reconcile'

const told = { source_id: 'a', star_rating: null, review_text: 'Lovely place' }
const metadata = { positive: true, negative: false }

async function written(row: ReviewRow): Promise<unknown[]> {
  const updates: unknown[] = []
  const rows = () => ({ update: async (_: string, set: unknown) => void updates.push(set) })
  await judgeAgain({ rows } as never, row)
  return updates
}

for (const [type, recommends] of Object.entries(metadata)) {
  test(`a review without stars and with a ${type} recommendation is judged again by it`, async () => {
    const row = { ...told, source_metadata: { recommendation_type: type }, id: 'rev_1' }
    const judgement = analyse({ ...told, recommends })
    const sound = { ...row, ...judgement } as unknown as ReviewRow
    expect([isJudgedOtherwise(sound), await written(sound)]).toEqual([false, []])
    const turned = { ...sound, sentiment: 'neutral' } as ReviewRow
    expect([isJudgedOtherwise(turned), await written(turned)]).toEqual([true, [judgement]])
  })
}

test('a review that has its answer waits for none when it is judged again', async () => {
  const judgement = analyse({ ...told, reply: { text: 'Thanks' } })
  const row = { ...told, ...judgement, id: 'rev_1', reply_text: 'Thanks' } as unknown as ReviewRow
  expect([judgement.needs_response, isJudgedOtherwise(row)]).toEqual([false, false])
  expect(await written({ ...row, needs_response: true })).toEqual([judgement])
})

test('any part of an analysis that does not follow from the review is judged again, and nothing else is', async () => {
  const judgement = analyse({
    ...told,
    review_text: 'Lovely place, the bread is stale and I want my money back',
  })
  const row = {
    ...told,
    review_text: 'Lovely place, the bread is stale and I want my money back',
    ...judgement,
  }
  const sound = { ...row, id: 'rev_1' } as unknown as ReviewRow
  const changed = {
    sentiment: 'another',
    sentiment_score: -0.123,
    emotion: 'joy of another kind',
    key_topics: ['another'],
    priority: 'none of these',
    needs_response: !judgement.needs_response,
  }
  for (const [name, value] of Object.entries(changed)) {
    const other = { ...sound, [name]: value } as ReviewRow
    expect([name, isJudgedOtherwise(other), await written(other)]).toEqual([name, true, [judgement]])
    const gone = { ...sound, [name]: undefined } as ReviewRow
    const isThere = judgement[name as keyof typeof judgement] !== undefined
    expect([name, isJudgedOtherwise(gone)]).toEqual([
      name,
      isThere && judgement[name as keyof typeof judgement] !== null,
    ])
  }
  expect(await written({ ...sound, reviewer_name: 'Ann', is_flagged: true } as ReviewRow)).toEqual([])
})

test('an analysis by earlier rules is made anew, and that of a model is left alone', async () => {
  const judgement = analyse(told)
  const row = { ...told, ...judgement, id: 'rev_1' } as unknown as ReviewRow
  const earlier = { ...row, analysis_version: 0 } as ReviewRow
  expect([isJudgedEarlier(row), isJudgedEarlier(earlier)]).toEqual([false, true])
  expect([isJudgedOtherwise(earlier), await written(earlier)]).toEqual([false, [judgement]])
  const model = { ...earlier, analysis_method: 'llm:m', emotion: 'x' } as unknown as ReviewRow
  expect([isJudgedEarlier(model), isJudgedOtherwise(model), await written(model)]).toEqual([false, false, []])
})
