import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { perVisit } from '../../../../plugins/traffic/pages/traffic-breakdowns'
import { crawlsPerVisit } from '../../../../plugins/traffic/records/crawlsPerVisit'
import { part } from '../../../support/part'

const line = (crawls: number, visits: number, has_assistant = true) =>
  perVisit(part({ crawls_per_visit: crawlsPerVisit.of(crawls, visits), has_assistant }))

test('crawls per visit has both counts, and no ratio without visits', () => {
  expect(crawlsPerVisit.of(1_520, 10)).toMatchObject({ crawls: 1_520, visits: 10, ratio: 152 })
  expect(crawlsPerVisit.of(1, 3).ratio).toBe(0.3333)
  expect(crawlsPerVisit.of(5, 0)).toMatchObject({ crawls: 5, visits: 0, ratio: null })
  for (const [crawls, visits] of [
    [0, 0],
    [0, 9],
    [9, 0],
    [7, 3],
  ] as const)
    expect(v.safeParse(crawlsPerVisit.schema, crawlsPerVisit.of(crawls, visits)).success).toBe(true)
})

test('the page says it as a ratio, or why there is none', () => {
  expect(line(1_520, 10)).toBe('152 : 1')
  expect(line(9_999, 2)).toBe('5,000 : 1')
  expect(line(7, 3)).toBe('2.3 : 1')
  expect(line(1, 90)).toBe('<0.1 : 1')
  expect(line(9, 0)).toBe('no visits')
  expect(line(0, 0)).toBe('no visits')
  expect(line(0, 4)).toBe('none verified')
  expect(line(9, 0, false)).toBe('no assistant')
})
