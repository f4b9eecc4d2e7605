import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import traffic from '../../../../plugins/traffic'
import { callOf, mcpCall, restCall } from '../../../../plugins/traffic/pages/traffic-calls'
import { listNames, type TrafficFilters } from '../../../../plugins/traffic/sums/traffic-filters'

const plain: TrafficFilters = {
  site: null,
  days: 28,
  from: null,
  to: null,
  compare: true,
  page: null,
  category: null,
  operator: null,
  agent: null,
  list: null,
  find: null,
  at: 1,
  isWhole: false,
}
const period = { date_from: '2026-02-16', date_to: '2026-03-15', days: 28 }
const site = { id: 'sit_1', domain: 'shop.example', name: 'shop.example' }
const call = (asked: Partial<TrafficFilters>, of: typeof site | null = site) =>
  callOf({ asked: { ...plain, ...asked }, period, site: of })

describe('The question of the page as a call', () => {
  test.each([
    ...[null, ...listNames].map((list) => ({ list })),
    { page: "/a'b" },
    { category: 'training' },
    { list: 'pages', category: 'training' } as const,
    { operator: 'OpenAI' },
  ])('asks an operation that there is, with an input that it takes: %j', (asked) => {
    const { operation, input } = call(asked)
    const declared = traffic.operations?.find(({ name }) => name === operation)
    if (operation !== 'list_records') expect(v.safeParse(declared?.input, input).success).toBe(true)
    expect(JSON.stringify(input)).toContain('2026-02-16')
    expect(JSON.stringify(input)).toContain('sit_1')
  })

  test('names no site where all are shown, and says where the answer has more than the page', () => {
    expect(call({}, null)).toEqual({
      operation: 'getAiTrafficSummary',
      input: { date_from: '2026-02-16', date_to: '2026-03-15' },
    })
    expect(call({ operator: 'OpenAI' }).note).toContain('all operators')
    expect(call({ page: '/a' }).note).toContain('not only this one')
  })

  test('is one command of a shell, whatever the address has in it', () => {
    const command = restCall({ operation: 'x', input: { path: "/it's" } }, 'wsp_1', 'http://localhost:1')
    const { stdout } = Bun.spawnSync(
      ['sh', '-c', `curl() { for each; do echo "$each"; done; }; ${command}`],
      {
        env: { RENOWN_KEY: 'key', PATH: process.env.PATH ?? '' },
      },
    )
    expect(stdout.toString().trim().split('\n')).toEqual([
      '-X',
      'POST',
      'http://localhost:1/api/functions/x',
      '-H',
      'Authorization: Bearer key',
      '-H',
      'X-Workspace-Id: wsp_1',
      '-H',
      'Content-Type: application/json',
      '-d',
      `{"path":"/it's"}`,
    ])
    expect(restCall(call({ list: 'landing' }), 'wsp_1', 'http://localhost:1')).toContain(
      'http://localhost:1/api/entities/AiTrafficDaily?q=',
    )
    expect(mcpCall(call({}, null), 'wsp_1')).toBe(
      'getAiTrafficSummary {"date_from":"2026-02-16","date_to":"2026-03-15","workspace_id":"wsp_1"}',
    )
  })
})
