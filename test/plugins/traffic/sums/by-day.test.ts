import { expect, test } from 'bun:test'
import { withDays } from '../../../../plugins/traffic/sums/by-day'
import { dayOf } from '../support/day'

const agent = (operator: string, hits: number, verified: number, spoofed: number) => ({
  operator,
  hits,
  verified,
  spoofed,
  category: 'training' as const,
})

test('each operator gets one number for each day of the period, and days without hits are 0', () => {
  const rows = [
    dayOf({
      date: '2026-01-01',
      by_agent: { GPTBot: agent('OpenAI', 7, 5, 1), CCBot: agent('Common Crawl', 3, 0, 0) },
    }),
    // Two rows of a day: sites that name different operators for an agent.
    dayOf({ date: '2026-01-03', by_agent: { GPTBot: agent('OpenAI', 4, 4, 0) } }),
    dayOf({ date: '2026-01-03', by_agent: { 'ChatGPT-User': agent('OpenAI', 2, 0, 2) } }),
    dayOf({ date: '2026-01-04', by_agent: { GPTBot: agent('OpenAI', 9, 9, 0) } }),
  ]
  const operators = [{ operator: 'OpenAI' }, { operator: 'Common Crawl' }, { operator: 'Mistral AI' }]
  const period = { date_from: '2026-01-01', date_to: '2026-01-03', days: 3 }
  expect(withDays(operators, rows, period)).toEqual([
    { operator: 'OpenAI', by_day: { verified: [5, 0, 4], unchecked: [1, 0, 0], spoofed: [1, 0, 2] } },
    { operator: 'Common Crawl', by_day: { verified: [0, 0, 0], unchecked: [3, 0, 0], spoofed: [0, 0, 0] } },
    { operator: 'Mistral AI', by_day: { verified: [0, 0, 0], unchecked: [0, 0, 0], spoofed: [0, 0, 0] } },
  ])
})
