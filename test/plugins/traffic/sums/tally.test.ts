import { describe, expect, test } from 'bun:test'
import { tallyOf } from '../../../../plugins/traffic/sums/tally'
import { dayOf } from '../support/day'

const agent = (operator: string, hits: number, verified = 0, spoofed = 0) => ({
  hits,
  verified,
  spoofed,
  category: 'training' as const,
  operator,
})

describe('Daily rows added up', () => {
  const tally = tallyOf([
    dayOf({
      date: '2026-01-01',
      crawler_hits: 10,
      verified_hits: 6,
      spoofed_hits: 1,
      by_agent: { GPTBot: agent('OpenAI', 7, 6, 1), CCBot: agent('Common Crawl', 3) },
      by_category: { ai_answers: 2, search_index: 0, training: 8, other_ai: 0 },
      referral_visits: 3,
      by_referrer: { 'chatgpt.com': 2, 'poe.com': 1 },
    }),
    dayOf({
      date: '2026-01-02',
      crawler_hits: 5,
      verified_hits: 5,
      by_agent: { GPTBot: agent('OpenAI', 5, 5) },
      by_category: { ai_answers: 0, search_index: 0, training: 5, other_ai: 0 },
      referral_visits: 1,
      by_referrer: { 'perplexity.ai': 1 },
    }),
  ])

  test('keep unchecked = crawler − verified − spoofed, and count an agent once', () => {
    expect(tally.totals).toEqual({
      crawler_hits: 15,
      verified_hits: 11,
      spoofed_hits: 1,
      signed_hits: 0,
      unchecked_hits: 3,
      unique_agents: 2,
      referral_visits: 4,
    })
  })
  test('put crawls and visits of one operator together, and an operator that only sends beside them', () => {
    const lines = [...tally.byOperator.values()].map(({ operator, hits, visits }) => [operator, hits, visits])
    expect(lines).toEqual([
      ['OpenAI', 12, 2],
      ['Common Crawl', 3, 0],
      ['Perplexity', 0, 1],
    ])
  })
  test('keep an assistant whose operator is unknown among the hosts', () => {
    expect(tally.byHost.get('poe.com')).toBe(1)
  })
  test('keep each day', () => {
    expect([...tally.byDate.entries()]).toEqual([
      ['2026-01-01', { crawler_hits: 10, ai_answers: 2, referral_visits: 3 }],
      ['2026-01-02', { crawler_hits: 5, ai_answers: 0, referral_visits: 1 }],
    ])
  })
  test('count a category that a row does not name as none', () => {
    const { byCategory, byDate } = tallyOf([dayOf({ crawler_hits: 1, by_category: {} as never })])
    expect(byCategory).toEqual({ ai_answers: 0, search_index: 0, training: 0, other_ai: 0 })
    expect(byDate.get('2026-01-01')).toEqual({ crawler_hits: 1, ai_answers: 0, referral_visits: 0 })
  })
  test('add up the hits of an agent, of its operator and of what could be checked', () => {
    const openai = tally.byOperator.get('OpenAI')
    expect(openai).toMatchObject({ hits: 12, verified: 11, spoofed: 1 })
    expect([...(openai?.agents.values() ?? [])]).toEqual([
      { agent: 'GPTBot', category: 'training', hits: 12, verified: 11, spoofed: 1 },
    ])
    expect(tally.byCategory).toEqual({ ai_answers: 2, search_index: 0, training: 13, other_ai: 0 })
  })
})
