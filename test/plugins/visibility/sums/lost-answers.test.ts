import { expect, test } from 'bun:test'
import { lostBy } from '../../../../plugins/visibility/sums/lost-answers'
import type { NamedAnswer } from '../../../../plugins/visibility/sums/newest-answers'
import { part } from '../../../support/part'

const answer = (prompt_id: string, competitors: string[], brand_mentioned = false) =>
  part<NamedAnswer>({
    prompt_id,
    brand_mentioned,
    competitor_mentions: competitors.map((name) => ({ name, position: 1 })),
  })
const lost = (...answers: NamedAnswer[]) => Object.fromEntries(lostBy(answers, ({ prompt_id }) => prompt_id))

test('an answer is lost where it names a competitor and not the brand', () => {
  expect(lost(answer('a', []), answer('b', ['Zed'], true), answer('c', ['Zed']))).toEqual({
    c: { answers: 1, to: [{ name: 'Zed', answers: 1 }] },
  })
  expect(lost()).toEqual({})
})

test('a competitor counts once for an answer, the most named first and equal ones by name', () => {
  expect(
    lost(
      answer('a', ['Zed', 'Zed', 'Yak', 'Abe']),
      answer('a', ['Zed', 'Bee']),
      answer('b', ['Abe']),
      answer('a', ['Yak']),
    ),
  ).toEqual({
    a: {
      answers: 3,
      to: [
        { name: 'Yak', answers: 2 },
        { name: 'Zed', answers: 2 },
        { name: 'Abe', answers: 1 },
        { name: 'Bee', answers: 1 },
      ],
    },
    b: { answers: 1, to: [{ name: 'Abe', answers: 1 }] },
  })
})
