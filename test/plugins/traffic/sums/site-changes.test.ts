import { expect, test } from 'bun:test'
import { shiftDay } from '../../../../core/kit/periods'
import { type AgentDay, siteChanges } from '../../../../plugins/traffic/sums/site-changes'

const first = '2026-01-05'
const day = (at: number) => shiftDay(first, at)
/** Hits of an agent on each day of a span. */
const span = (agent: string, from: number, to: number, hits = 9): AgentDay[] =>
  Array.from({ length: to - from }, (_, at) => ({ date: day(from + at), agent, hits }))

test('a crawler that stays away while others come has stopped', () => {
  const counts = [...span('GPTBot', 0, 60), ...span('ClaudeBot', 0, 64)]
  expect(siteChanges(counts, day(63))).toEqual([
    { agent: 'GPTBot', kind: 'stopped', began: day(60), usual: 9, hits: 0 },
  ])
  expect(siteChanges(counts, day(62))).toEqual([])
})

test('a log that is not sent is one message about the site, and none about its crawlers', () => {
  const counts = [...span('GPTBot', 0, 60), ...span('ClaudeBot', 0, 60)]
  expect(siteChanges(counts, day(62))).toEqual([])
  expect(siteChanges(counts, day(63))).toEqual([
    { agent: '', kind: 'silent', began: day(60), usual: 18, hits: 0 },
  ])
})

test('days without any hit say nothing about a crawler, also after the log is sent again', () => {
  const others = [...span('ClaudeBot', 0, 60), ...span('ClaudeBot', 70, 73)]
  const counts = [...span('GPTBot', 0, 60), ...others]
  // Three days were heard without it, and ten days were not heard at all.
  expect(siteChanges(counts, day(72))).toEqual([])
  expect(siteChanges([...counts, ...span('ClaudeBot', 73, 74)], day(73))).toMatchObject([
    { agent: 'GPTBot', kind: 'stopped', began: day(70) },
  ])
})

test('a crawler that comes far more often has jumped', () => {
  const counts = [...span('GPTBot', 0, 61), ...span('ClaudeBot', 0, 60), ...span('ClaudeBot', 60, 61, 400)]
  expect(siteChanges(counts, day(60))).toEqual([
    { agent: 'ClaudeBot', kind: 'jumped', began: day(60), usual: 9, hits: 400 },
  ])
  expect(siteChanges([], day(60))).toEqual([])
})
