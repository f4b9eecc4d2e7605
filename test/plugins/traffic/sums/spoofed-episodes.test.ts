import { describe, expect, test } from 'bun:test'
import { shiftDay } from '../../../../core/kit/periods'
import { episodesOf } from '../../../../plugins/traffic/sums/spoofed-episodes'

const today = '2026-03-31'
const since = '2026-03-29'
const firstDay = '2025-06-01'

/** The hits of the days up to today, the last one first. */
const upToToday = (hits: readonly number[], end = today) =>
  hits.map((spoofed_hits, ago) => ({ site_id: 'sit_1', date: shiftDay(end, -ago), spoofed_hits }))
const episodes = (hits: readonly number[], first = firstDay, end = today) =>
  episodesOf(upToToday(hits, end), new Map([['sit_1', first]]), shiftDay(end, -2))
const days = (many: number, hits: number) => Array.from({ length: many }, () => hits)

/** Every day of a course, as the job sees it on that day: the days on which an episode began. */
function told(course: readonly number[], countedBefore = 60): string[] {
  const first = shiftDay(today, 1 - course.length)
  const began = new Set<string>()
  for (let day = 1; day <= course.length; day++) {
    const end = shiftDay(first, day - 1)
    for (const episode of episodes(course.slice(0, day).toReversed(), shiftDay(first, -countedBefore), end))
      began.add(episode.began)
  }
  return [...began]
}

describe('A jump of spoofed hits', () => {
  test('has at least 50 hits, however quiet the site was', () => {
    expect(episodes([49, ...days(60, 0)])).toEqual([])
    expect(episodes([50, ...days(60, 0)])).toEqual([
      { site_id: 'sit_1', date: today, spoofed_hits: 50, began: today, usual: 0 },
    ])
  })

  test('has more than three times the median of the four weeks before', () => {
    expect(episodes([120, ...days(60, 40)])).toEqual([])
    expect(episodes([121, ...days(60, 40)])).toMatchObject([{ usual: 40 }])
    // A single wild day among them changes nothing: it is no mean.
    expect(episodes([121, ...days(12, 40), 9_000, ...days(60, 40)])).toMatchObject([
      { usual: 40, began: today },
    ])
    expect(episodes([700, ...days(14, 100), ...days(14, 300), ...days(30, 0)])).toMatchObject([
      { usual: 200 },
    ])
  })

  test('is none on a site that was counted for less than a week before it', () => {
    expect(episodes([5_000, 0, 0], shiftDay(today, -6))).toEqual([])
    expect(episodes([5_000, 0, 0], shiftDay(today, -7))).toMatchObject([{ usual: 0 }])
    expect(episodesOf(upToToday([5_000]), new Map(), since)).toEqual([])
  })

  test('is none on an ordinary site, a site with a daily share of them, and a quiet one', () => {
    for (const usual of [0, 5, 30, 200, 5_000]) {
      const course = Array.from({ length: 90 }, (_, at) => Math.round(usual * (0.5 + ((at * 7) % 10) / 10)))
      expect([usual, told(course, 0)]).toEqual([usual, []])
    }
  })

  test('is told once for a slow ramp of 10 % a day, and not for one of 5 % a day', () => {
    const ramp = (growth: number) => Array.from({ length: 60 }, (_, day) => Math.round(10 * growth ** day))
    expect(told(ramp(1.05))).toEqual([])
    expect(told(ramp(1.1))).toHaveLength(1)
    expect(told(ramp(1.5).map((hits) => Math.min(hits, 1e9)))).toHaveLength(1)
  })

  test('is told once for a raid of one day, of three days, and for one that never ends', () => {
    for (const many of [1, 3, 30])
      expect([many, told([...days(40, 4), ...days(many, 800), ...days(20, 4)])]).toEqual([
        many,
        [shiftDay(today, 1 - 20 - many)],
      ])
  })

  test('is told again after more than a week without one, and not for a raid every Sunday', () => {
    const raids = (pause: number) => Array.from({ length: 4 }, () => [...days(pause, 2), 400]).flat()
    expect(told([...days(40, 2), ...raids(6)])).toHaveLength(1)
    expect(told([...days(40, 2), ...raids(8)])).toHaveLength(4)
  })

  test('is reported on its last day and two days more, with the day it began', () => {
    const raid = [900, 800, 700, ...days(50, 3)]
    for (const ago of [0, 1, 2])
      expect(episodes([...days(ago, 3), ...raid])).toMatchObject([
        { date: shiftDay(today, -ago), began: shiftDay(today, -ago - 2), spoofed_hits: 900, usual: 3 },
      ])
    expect(episodes([...days(3, 3), ...raid])).toEqual([])
  })
})
