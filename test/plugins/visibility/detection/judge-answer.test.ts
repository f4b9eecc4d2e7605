import { describe, expect, test } from 'bun:test'
import {
  collisions,
  createAnswerJudge,
  type JudgedAnswer,
} from '../../../../plugins/visibility/detection/judge-answer'
import { corpus, knownMisses } from './corpus'

const tracked = {
  brand: { names: ['Acme', 'Acme Rohrbau'] },
  competitors: [{ name: 'Beta' }, { name: 'Gamma Plumbing', aliases: ['Gamma'] }, { name: 'Acme Plus' }],
}
const judge = createAnswerJudge(tracked)
const stanceOf = ({ brand, brand_not_meant }: JudgedAnswer) => (brand ?? brand_not_meant)?.stance ?? null

describe('The stance of an answer', () => {
  test.each(corpus.map(([stance, answer]) => [answer, stance]))('%j is %j', (answer, stance) => {
    expect(stanceOf(judge(answer as string))).toBe(stance)
  })

  test('is wrong in cases that are known', () => {
    const still = knownMisses.filter(([stance, answer]) => stanceOf(judge(answer)) !== stance)
    expect(still).toEqual([...knownMisses])
  })

  test('is a mention only where the brand is known and meant', () => {
    for (const [stance, answer] of corpus) {
      const isMention =
        stance !== null &&
        stance !== 'not_judged' &&
        stance !== 'unknown_to_engine' &&
        stance !== 'other_entity'
      expect(judge(answer).brand !== null).toBe(isMention)
    }
  })

  test('rests on a clause of the answer', () => {
    for (const [stance, answer] of corpus) {
      const { brand, brand_not_meant } = judge(answer)
      if (stance !== null) expect(answer).toContain((brand ?? brand_not_meant)?.evidence ?? 'no evidence')
    }
  })

  test('that changes within an answer is mixed', () => {
    expect(judge('I recommend Acme. Others say: avoid Acme.').brand).toMatchObject({
      stance: 'discouraged',
      is_mixed: true,
    })
    expect(judge('I recommend Acme. Acme is in Leeds.').brand).toMatchObject({
      stance: 'recommended',
      is_mixed: false,
    })
  })
})

describe('The position in an answer', () => {
  const places = (answer: string) => {
    const { brand, competitors } = judge(answer)
    return Object.fromEntries(
      [...(brand ? [brand] : []), ...competitors].map((one) => [
        one.name,
        `${one.position} ${one.position_basis}`,
      ]),
    )
  }
  test('counts lists and headings before the text', () => {
    expect(places('Beta is well known.\n\n1. Acme\n2. Gamma Plumbing')).toEqual({
      Acme: '1 list',
      'Gamma Plumbing': '2 list',
      Beta: '3 text',
    })
    expect(places('## Gamma Plumbing\ntext\n## Acme\ntext')).toEqual({
      'Gamma Plumbing': '1 list',
      Acme: '2 list',
    })
  })
  test('counts the first time that a name stands there', () => {
    expect(places('Beta and Acme. Acme and Beta.')).toEqual({ Beta: '1 text', Acme: '2 text' })
  })
  test('leaves out what is no mention', () => {
    expect(places("I couldn't find Beta. Acme is there.")).toEqual({ Acme: '1 text' })
  })
})

describe('The sentiment of an answer', () => {
  const of = (answer: string) => judge(answer).brand?.sentiment ?? null
  test.each([
    ['Acme is reliable and friendly.', 1, 'Acme is reliable and friendly'],
    ['Acme is fast but expensive.', 1, 'Acme is fast'],
    ['Acme is not reliable.', -1, 'Acme is not reliable'],
    ['Acme is fast and expensive.', 0, 'Acme is fast and expensive'],
    ['Acme ist zuverlässig.', 1, 'Acme ist zuverlässig'],
    ['Acme n’est pas fiable.', -1, 'Acme n’est pas fiable'],
  ])('%j is %d', (answer, score, clause) => {
    expect(of(answer)).toEqual({ score, clause })
  })
  test('is none where the clause says nothing, or speaks of another', () => {
    expect(of('Acme is in Leeds.')).toBeNull()
    expect(of('Beta is reliable, Acme is in Leeds.')).toBeNull()
    expect(of("I couldn't find anything reliable about Acme.")).toBeNull()
  })
})

test('occurrences are the names as they stand in the answer', () => {
  const answer = '**Ácme** and Beta'
  expect(judge(answer).occurrences.map(({ start, end }) => answer.slice(start, end))).toEqual([
    'Ácme',
    'Beta',
  ])
})

test('a competitor by a name of the brand is told', () => {
  const same = {
    brand: tracked.brand,
    competitors: [{ name: 'ACME' }, { name: 'Acme Plus' }, { name: 'Beta', aliases: ['acme-rohrbau'] }],
  }
  expect(collisions(same)).toEqual([
    { name: 'ACME', competitor: 'ACME' },
    { name: 'acme-rohrbau', competitor: 'Beta' },
  ])
})

test('an answer that repeats a name is judged within bounds', () => {
  const { brand, occurrences } = judge('Acme, '.repeat(20_000))
  expect(brand?.stance).toBe('listed')
  expect(occurrences.length).toBe(100)
})
