/** @jsxImportSource ../../../../../core/web/kit/jsx */
import { describe, expect, test } from 'bun:test'
import { LiveBars } from '../../../../../core/web/kit/charts/live-bars'
import { countScale, dayScale } from '../../../../../core/web/kit/charts/scale'
import { dayInWords, dayUnder, StackedBars } from '../../../../../core/web/kit/charts/stacked-bars'
import { renderToString } from '../../../../../core/web/kit/jsx/render'

const days = ['2026-01-01', '2026-01-02', '2026-01-03']
const series = [
  { name: 'Answers', colour: 'c1', values: [1, 2, 3] },
  { name: '<b>Training</b>', colour: 'c3', values: [4, 0, 6] },
] as const
const drawn = (changes: object = {}) =>
  renderToString(StackedBars({ label: 'Hits "by" day', days, series, width: 400, height: 200, ...changes }))

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
    expect([scale.near(-50), scale.near(900), dayScale(0, 300).near(5)]).toEqual([0, 30, 0])
    expect(scale.named(60).length).toBeLessThanOrEqual(6)
    expect([dayScale(1, 300).at(0), dayScale(1, 300).near(290)]).toEqual([150, 0])
  })
})

describe('Bars on top of each other', () => {
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
    expect(one.match(/<path d="M/g)).toHaveLength(2)
    expect(one).not.toContain('NaN')
    expect(drawn({ days: [], series: [] })).not.toContain('NaN')
    expect(drawn({ series: [{ ...series[0], values: [0, 0, 0] }] })).not.toContain('NaN')
  })

  test('leave a day that goes on open: paler, with an edge of its own, and told as such', () => {
    const picture = drawn({ unfinished: 1 })
    const [over, open] = picture.split('<g class="open">')
    expect([over?.match(/<path/g)?.length, open?.match(/<path/g)?.length]).toEqual([2, 3])
    expect([over?.match(/M\d/g)?.length, open?.match(/M\d/g)?.length]).toEqual([3, 3])
    expect([picture.includes('NaN'), drawn({ unfinished: 3 }).includes('NaN')]).toEqual([false, false])
    expect(drawn({ days: days.slice(0, 1), unfinished: 1 })).toContain('<g class="open"><path d="M')
    expect(drawn()).not.toContain('open')
    const before = [2, 2, 2]
    expect(dayInWords({ days, series, before, unfinished: 1 }, 2)).toStartWith(
      '3 Jan 2026, so far: 9 in all.',
    )
    expect(dayInWords({ days, series, before, unfinished: 1 }, 2)).toEndWith(
      '; 2 on the whole day in the previous period',
    )
    expect(dayInWords({ days, series, unfinished: 1 }, 1)).toStartWith('2 Jan 2026: ')
    const table = renderToString(
      <LiveBars label="Hits" unit="Hits" days={days} series={series} height={200} unfinished={1} />,
    )
    expect(table).toContain('3 Jan 2026, so far')
    expect(table).toContain('so far: not over yet')
  })

  test('have the height of their values, and nothing between two days', () => {
    const heights = [
      ...drawn({ series: [series[0]], height: 136 }).matchAll(/M[\d.]+ ([\d.]+)h[\d.]+V([\d.]+)/g),
    ]
    // The axis ends at 3, and is 100 pixels high.
    expect(heights.map(([, top, bottom]) => Number(bottom) - Number(top)).map(Math.round)).toEqual([
      33, 67, 100,
    ])
    expect(drawn()).not.toMatch(/ d="[^"]*[CcSsQqLl]/)
  })

  test('are told day by day', () => {
    expect(dayInWords({ days, series, before: [2, 2, 2] }, 2)).toBe(
      '3 Jan 2026: 9 in all. Answers 3, <b>Training</b> 6; 2 in the previous period',
    )
    expect([dayUnder(0, 400, 3), dayUnder(400, 400, 3)]).toEqual([0, 2])
  })
})
