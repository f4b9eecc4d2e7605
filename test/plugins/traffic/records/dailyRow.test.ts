import { describe, expect, test } from 'bun:test'
import { countedFields, pathsMax } from '../../../../plugins/traffic/records/dailyRow'
import { dailyTable } from '../../../../plugins/traffic/records/dailyTable'
import { sealedColumns } from '../../../../plugins/traffic/records/sealedColumns'

const none = { agents: [], topPaths: [], categoryPaths: [], referrers: [], referralPaths: [] }
const agent = (name: string, hits: number, more: object = {}) => ({
  agent: name,
  category: 'training',
  operator: 'OpenAI',
  hits,
  verified: 0,
  spoofed: 0,
  ...more,
})

test('a row lists 25 paths in all, 25 landing pages, 12 of each category, 50 errors, 50 disallowed ones and 10 of each agent', () => {
  expect(pathsMax).toEqual({ top: 25, referral: 25, category: 12, errors: 50, disallowed: 50, agent: 10 })
})

describe('the counted part of a daily row', () => {
  test('of a day without hits is zero everywhere', () => {
    const empty = { ai_answers: 0, search_index: 0, training: 0, other_ai: 0 }
    expect(countedFields(none)).toEqual({
      crawler_hits: 0,
      verified_hits: 0,
      spoofed_hits: 0,
      signed_hits: 0,
      verified_by: undefined,
      by_signer: undefined,
      unique_agents: 0,
      by_agent: {},
      by_category: empty,
      top_paths: [],
      paths_by_category: { ai_answers: [], search_index: [], training: [], other_ai: [] },
      referral_visits: 0,
      by_referrer: {},
      referral_paths: [],
      crawler_errors: undefined,
      robots_check: undefined,
      agent_paths: undefined,
    })
  })

  test('names agents and hosts with most hits first, and those with as many by their names', () => {
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [1, 3, 0, 2],
      [2, 0, 3, 1],
    ]
    const agents = [agent('A', 2), agent('B', 2), agent('C', 2), agent('D', 9)]
    const referrers = ['a.com', 'b.com', 'c.com', 'd.com'].map((host, n) => ({
      host,
      visits: n === 3 ? 5 : 1,
    }))
    for (const order of orders) {
      const drawn = <T>(list: readonly T[]) => order.flatMap((at) => list[at] ?? [])
      const row = countedFields({ ...none, agents: drawn(agents), referrers: drawn(referrers) })
      expect(Object.keys(row.by_agent)).toEqual(['D', 'A', 'B', 'C'])
      expect(Object.keys(row.by_referrer)).toEqual(['d.com', 'a.com', 'b.com', 'c.com'])
    }
  })

  test('adds up agents, categories, paths and referrers', () => {
    const row = countedFields({
      agents: [
        agent('GPTBot', 5, { verified: 3, spoofed: 1 }),
        agent('ChatGPT-User', 7, { category: 'ai_answers', verified: 7 }),
        agent('CCBot', 5, { operator: 'Common Crawl', spoofed: 2 }),
      ],
      topPaths: [{ path: '/a', n: 9 }],
      categoryPaths: [
        { category: 'training', path: '/a', n: 6 },
        { category: 'ai_answers', path: '/b', n: 3 },
        { category: 'training', path: '/c', n: 1 },
      ],
      referrers: [
        { host: 'poe.com', visits: 1 },
        { host: 'chatgpt.com', visits: 4 },
        { host: 'claude.ai', visits: 1 },
      ],
      referralPaths: [{ path: '/d', n: 2 }],
    })
    expect(row).toMatchObject({
      crawler_hits: 17,
      verified_hits: 10,
      spoofed_hits: 3,
      unique_agents: 3,
      by_category: { ai_answers: 7, search_index: 0, training: 10, other_ai: 0 },
      top_paths: [{ path: '/a', hits: 9 }],
      paths_by_category: {
        ai_answers: [{ path: '/b', hits: 3 }],
        search_index: [],
        training: [
          { path: '/a', hits: 6 },
          { path: '/c', hits: 1 },
        ],
        other_ai: [],
      },
      referral_visits: 6,
      referral_paths: [{ path: '/d', visits: 2 }],
    })
    expect(Object.entries(row.by_referrer)).toEqual([
      ['chatgpt.com', 4],
      ['claude.ai', 1],
      ['poe.com', 1],
    ])
    expect(Object.entries(row.by_agent)).toEqual([
      ['ChatGPT-User', { hits: 7, verified: 7, spoofed: 0, category: 'ai_answers', operator: 'OpenAI' }],
      ['CCBot', { hits: 5, verified: 0, spoofed: 2, category: 'training', operator: 'Common Crawl' }],
      ['GPTBot', { hits: 5, verified: 3, spoofed: 1, category: 'training', operator: 'OpenAI' }],
    ])
  })

  test('puts an agent whose category changed under what most of its hits were, and under the first name at a tie', () => {
    const of = (...parts: ReturnType<typeof agent>[]) => countedFields({ ...none, agents: parts }).by_agent.X
    const answers = (hits: number) =>
      agent('X', hits, { category: 'ai_answers', operator: 'A', verified: 1, spoofed: 2 })
    const training = (hits: number) => agent('X', hits, { operator: 'T', verified: 3 })
    const other = (hits: number) => agent('X', hits, { category: 'other_ai', operator: 'O' })
    expect(of(answers(2), training(3))).toEqual({
      hits: 5,
      verified: 4,
      spoofed: 2,
      category: 'training',
      operator: 'T',
    })
    expect(of(training(3), answers(2))).toMatchObject({ category: 'training', operator: 'T' })
    expect(of(answers(3), training(2))).toMatchObject({ category: 'ai_answers', operator: 'A' })
    expect(of(answers(2), training(2))).toMatchObject({ category: 'ai_answers', operator: 'A' })
    expect(of(training(2), answers(2))).toMatchObject({ category: 'ai_answers', operator: 'A' })
    expect(of(answers(3), other(2), training(4))).toMatchObject({ hits: 9, category: 'training' })
    expect(of(answers(3), other(2), training(2))).toMatchObject({ hits: 7, category: 'ai_answers' })
    expect(countedFields({ ...none, agents: [answers(1), training(1)] })).toMatchObject({
      unique_agents: 1,
      crawler_hits: 2,
    })
  })

  test('stands in the table as columns of it, lists and maps as JSON', () => {
    const counted = countedFields({ ...none, agents: [agent('X', 1)], topPaths: [{ path: '/', n: 1 }] })
    const columns = sealedColumns(counted)
    for (const name of Object.keys(columns)) expect(Object.keys(dailyTable.columns)).toContain(name)
    for (const [name, value] of Object.entries(columns)) {
      const whole = counted[name as keyof typeof counted]
      expect(value as unknown).toEqual(typeof whole === 'object' ? JSON.stringify(whole) : (whole ?? null))
    }
  })
})

test('the table keeps one row per site and day, found by workspace, site and date', () => {
  expect(dailyTable.engine).toBe('ReplacingMergeTree(rev)')
  expect(dailyTable.orderBy).toEqual(['workspace_id', 'site_id', 'date'])
  expect(dailyTable.partitionBy).toBe('toYYYYMM(date)')
})

test('answers are added to their agents, and an agent without a known status says nothing about them', () => {
  const answer = (name: string, status: number, hits: number) => ({ agent: name, status, hits })
  const { by_agent, crawler_errors } = countedFields({
    ...none,
    agents: [agent('GPTBot', 9), agent('CCBot', 2)],
    statuses: [
      answer('GPTBot', 0, 3),
      answer('GPTBot', 404, 2),
      answer('GPTBot', 499, 1),
      answer('GPTBot', 500, 1),
    ],
    errors: [{ ...answer('GPTBot', 404, 2), path: '/a', verified: 1 }],
  })
  expect(by_agent.GPTBot).toMatchObject({ with_status: 7, client_errors: 3, server_errors: 1 })
  expect(by_agent.CCBot).not.toHaveProperty('with_status')
  expect(crawler_errors).toEqual([{ path: '/a', agent: 'GPTBot', status: 404, hits: 2, verified: 1 }])
})

test('signed hits are counted by what verified them and by signer, next to those of an address', () => {
  const signed = (
    name: string,
    by: 'signature' | 'both' | 'false',
    hits: number,
    signer = 'chatgpt.com',
  ) => ({
    agent: name,
    by,
    hits,
    signer,
  })
  const { signed_hits, verified_by, by_signer, by_agent } = countedFields({
    ...none,
    agents: [agent('ChatGPT Agent', 9, { verified: 7, spoofed: 2 }), agent('GPTBot', 5, { verified: 4 })],
    signed: [
      signed('ChatGPT Agent', 'signature', 7),
      signed('ChatGPT Agent', 'false', 2),
      signed('GPTBot', 'both', 1),
      signed('GPTBot', 'both', 1, 'other.example'),
    ],
  })
  expect(signed_hits).toBe(9)
  expect(verified_by).toEqual({ address: 2, signature: 7, both: 2 })
  expect(by_signer).toEqual({
    'chatgpt.com': { verified: 8, spoofed: 2 },
    'other.example': { verified: 1, spoofed: 0 },
  })
  expect([by_agent['ChatGPT Agent']?.signed, by_agent.GPTBot?.signed]).toEqual([7, 2])
})
