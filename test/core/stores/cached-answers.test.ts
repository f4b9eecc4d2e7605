import { expect, test } from 'bun:test'
import { createCachedAnswers, textOfValues } from '../../../core/stores/cached-answers'

/** A read that counts how often it is asked, over rows that can be written. */
function countedRead(text = 'a question') {
  const state = { asked: 0, written: 0 as number | undefined, value: 'first' }
  const question = {
    text,
    written: () => state.written,
    ask: async () => {
      state.asked += 1
      return state.value
    },
    sizeOf: (answer: string) => answer.length,
  }
  return { state, question }
}

test('a question is asked once until something is written', async () => {
  const kept = createCachedAnswers()
  const { state, question } = countedRead()
  expect([await kept.answer(question), await kept.answer(question)]).toEqual(['first', 'first'])
  expect(state.asked).toBe(1)
  state.written = 1
  state.value = 'second'
  expect(await kept.answer(question)).toBe('second')
  expect(state.asked).toBe(2)
})

test('an answer that a write overtook is not kept', async () => {
  const kept = createCachedAnswers()
  const { state, question } = countedRead()
  const overtaken = {
    ...question,
    ask: async () => {
      const answer = await question.ask()
      state.written = 1
      return answer
    },
  }
  expect(await kept.answer(overtaken)).toBe('first')
  state.value = 'second'
  expect(await kept.answer(question)).toBe('second')
})

test('nothing is kept if other processes write, and nothing after everything was forgotten', async () => {
  const kept = createCachedAnswers()
  const { state, question } = countedRead()
  state.written = undefined
  await kept.answer(question)
  await kept.answer(question)
  expect(state.asked).toBe(2)
  state.written = 0
  await kept.answer(question)
  kept.clear()
  await kept.answer(question)
  expect(state.asked).toBe(4)
})

test('a large answer is not kept, and many answers never take more than the limit of the store', async () => {
  const kept = createCachedAnswers()
  const large = countedRead()
  const huge = { ...large.question, sizeOf: () => 1_100_000 }
  await kept.answer(huge)
  await kept.answer(huge)
  expect(large.state.asked).toBe(2)

  const reads = Array.from({ length: 100 }, (_, place) => countedRead(`question ${place}`))
  for (const { question } of reads) await kept.answer({ ...question, sizeOf: () => 500_000 })
  for (const { question } of reads.toReversed()) await kept.answer(question)
  const asked = reads.map(({ state }) => state.asked)
  // 32 million characters are 63 answers of that size: the oldest had to go.
  expect(asked.filter((times) => times === 2).length).toBe(100 - 63)
  expect(asked.slice(-63)).toEqual(Array.from({ length: 63 }, () => 1))
})

test('two queries have the same text only if they have the same values', () => {
  const values = [null, 0, '0', Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 'Infinity']
  expect(new Set(values.map((value) => textOfValues([value]))).size).toBe(values.length)
})
