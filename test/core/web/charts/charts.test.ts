import { describe, expect, test } from 'bun:test'
import { countScale, dayScale } from '../../../../core/web/charts/scale'
import { dayInWords, dayUnder, StackedArea } from '../../../../core/web/charts/stacked-area'
import { renderToString } from '../../../../core/web/jsx/render'

const days = ['2026-01-01', '2026-01-02', '2026-01-03']
const series = [
  { name: 'Answers', colour: 'c1', values: [1, 2, 3] },
  { name: '<b>Training</b>', colour: 'c3', values: [4, 0, 6] },
] as const
const drawn = (changes: object = {}) =>
  renderToString(
    StackedArea({ label: 'Hits "by" day', days, series, width: 400, height: 200, ...changes }) as never,
  )

describe('A scale', () => {
  test('ends at a round number above the greatest value, and names whole numbers alone', () => {
    const scale = countScale(87, 100)
    expect([scale.at(0), scale.at(100), scale.ticks]).toEqual([100, 0, [0, 20, 40, 60, 80, 100]])
    expect(countScale(1, 100).ticks).toEqual([0, 1])
    expect(countScale(0, 100).ticks).toEqual([0, 1])
  })

  test('finds the day under a place, and names no more days than fit', () => {
    const scale = dayScale(31, 300)
    for (const day of [0, 7, 15, 30]) expect(scale.near(scale.at(day))).toBe(day)
    expect([scale.near(-50), scale.near(900)]).toEqual([0, 30])
    expect(scale.named(60).length).toBeLessThanOrEqual(6)
    expect([dayScale(1, 300).at(0), dayScale(1, 300).near(290)]).toEqual([150, 0])
  })
})

describe('Areas on top of each other', () => {
  test('are the same picture each time, with words in its place and nothing in it that runs', () => {
    const picture = drawn()
    expect(picture).toBe(drawn())
    expect(picture).toContain('role="img" aria-label="Hits &quot;by&quot; day"')
    expect(picture).not.toMatch(/style=|<b>|NaN|undefined/)
    expect(picture.match(/<path/g)).toHaveLength(2)
  })

  test('show the period before as a line of its own, and stand for a single day and for none', () => {
    expect(drawn({ before: [1, 1, 9] })).toContain('class="before"')
    const one = drawn({ days: days.slice(0, 1) })
    expect(one.match(/<rect/g)).toHaveLength(2)
    expect(one).not.toContain('NaN')
    expect(drawn({ days: [], series: [] })).not.toContain('NaN')
    expect(drawn({ series: [{ ...series[0], values: [0, 0, 0] }] })).not.toContain('NaN')
  })

  test('are told day by day', () => {
    expect(dayInWords({ days, series, before: [2, 2, 2] }, 2)).toBe(
      '3 Jan 2026: 9 in all. Answers 3, <b>Training</b> 6; 2 in the period before',
    )
    expect([dayUnder(0, 400, 3), dayUnder(400, 400, 3)]).toEqual([0, 2])
  })
})
