import { describe, expect, test } from 'bun:test'
import { incidentsAmong } from '../../../../plugins/visibility/sums/incidents'
import { modelChangesIn } from '../../../../plugins/visibility/sums/model-changes'

const group = (tracker_id: string, engine: string, model_asked: string, first: string) => ({
  tracker_id,
  engine,
  model_asked,
  first,
})

describe('changes of models', () => {
  test('are told in order, from each model of an engine of a tracker to the next', () => {
    expect(
      modelChangesIn([
        group('t1', 'gemini', 'g3', '2026-11-09'),
        group('t2', 'gemini', 'g9', '2026-11-05'),
        group('t1', 'openai', 'o2', '2026-11-07'),
        group('t1', 'gemini', 'g1', '2026-11-01'),
        group('t1', 'gemini', 'g2', '2026-11-08'),
        group('t1', 'openai', 'o1', '2026-11-02'),
      ]),
    ).toEqual([
      { tracker_id: 't1', engine: 'openai', from: 'o1', to: 'o2', at: '2026-11-07' },
      { tracker_id: 't1', engine: 'gemini', from: 'g1', to: 'g2', at: '2026-11-08' },
      { tracker_id: 't1', engine: 'gemini', from: 'g2', to: 'g3', at: '2026-11-09' },
    ])
  })

  test('know a model that is in several groups by its first answer, and no unknown one', () => {
    expect(
      modelChangesIn([
        group('t1', 'gemini', 'g1', '2026-11-05'),
        group('t1', 'gemini', 'g2', '2026-11-03'),
        group('t1', 'gemini', '', '2026-11-02'),
        group('t1', 'gemini', 'g1', '2026-11-01'),
        group('t1', 'gemini', 'g2', '2026-11-06'),
      ]),
    ).toEqual([{ tracker_id: 't1', engine: 'gemini', from: 'g1', to: 'g2', at: '2026-11-03' }])
    expect(modelChangesIn([group('t1', 'gemini', '', '2026-11-02')])).toEqual([])
    expect(modelChangesIn([])).toEqual([])
  })
})

/** The days of an engine, each with its runs and how many of them had an answer. */
const days = (engine: string, ...counts: [day: string, runs: number, answers: number][]) =>
  counts.map(([stretch, runs, answers]) => ({ engine, stretch, sums: { runs, answers } }))

describe('days on which an engine answered seldom', () => {
  test('are told by day, then by engine', () => {
    const bad: [string, number, number] = ['2026-11-03', 20, 0]
    const good: [string, number, number] = ['2026-11-01', 40, 40]
    const other: [string, number, number] = ['2026-11-02', 20, 2]
    expect(
      incidentsAmong([...days('z', good, bad), ...days('a', good, bad, ['2026-11-04', 200, 200])]),
    ).toEqual([
      { engine: 'a', day: '2026-11-03', answered: 0, unanswered: 20 },
      { engine: 'z', day: '2026-11-03', answered: 0, unanswered: 20 },
    ])
    expect(
      incidentsAmong(days('z', ['2026-11-01', 400, 400], bad, other)).map(({ day, answered }) => [
        day,
        answered,
      ]),
    ).toEqual([
      ['2026-11-02', 2],
      ['2026-11-03', 0],
    ])
  })

  test('need ten runs, thirty on the other days and twenty points', () => {
    const found = (runs: number, answers: number, others = 1_000, answered = others) =>
      incidentsAmong(days('a', ['2026-11-01', others, answered], ['2026-11-02', runs, answers])).length
    expect([found(9, 0), found(10, 0)]).toEqual([0, 1])
    expect([found(100, 0, 29), found(100, 0, 30)]).toEqual([0, 1])
    expect([found(1_000, 801), found(1_000, 800)]).toEqual([0, 1])
    // Each engine is compared with itself alone.
    expect(
      incidentsAmong([...days('a', ['2026-11-01', 50, 0]), ...days('b', ['2026-11-01', 50, 50])]),
    ).toEqual([])
  })
})
