import { expect, test } from 'bun:test'
import { analyse } from '../../../../plugins/reviews/analysis/analyse'
import { isJudgedOtherwise, judgeAgain } from '../../../../plugins/reviews/analysis/judgeAgain'
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
