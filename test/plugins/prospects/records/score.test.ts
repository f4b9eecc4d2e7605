import { describe, expect, test } from 'bun:test'
import { type Findings, scoreOf, weightMin, weights } from '../../../../plugins/prospects/records/score'
import { section } from '../../../../plugins/prospects/records/section'

const part = (score: number | null) => section({ method: 'test', at: new Date(0), facts: {}, score })
const of = (scores: Partial<Record<keyof Findings, number | null>>) =>
  scoreOf(Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, part(score)])))

describe('The score', () => {
  test('weighs a hundred in all, and is the plain figure where all parts agree', () => {
    expect(Object.values(weights).reduce((sum, weight) => sum + weight, 0)).toBe(100)
    expect(of({ reviews: 70, traffic: 70, profile: 70, visibility: 70, mentions: 70 })).toBe(70)
  })
  test('rests on the parts that are known alone', () => {
    expect(of({ reviews: 100, traffic: 0, visibility: null })).toBe(Math.round(3000 / 55))
    expect(of({ traffic: 100, profile: 10 })).toBe(60)
  })
  test('is absent where less is known than would bear it', () => {
    expect(weightMin).toBe(40)
    expect([of({}), of({ reviews: 100 }), of({ traffic: 90, mentions: 90 })]).toEqual([null, null, null])
    expect(of({ reviews: 50, mentions: 50 })).toBe(50)
  })
})
