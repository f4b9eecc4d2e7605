import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { inboxEntrySchema } from '../../../../core/contracts/inbox'
import { type NewAgentsReport, newAgentsReportSchema } from '../../../../core/contracts/new-agents'
import type { PageContext } from '../../../../core/contracts/page'
import { corePlugins } from '../../../../core/product/core-plugins'
import { collectNewAgents } from '../../../../core/product/new-agents'
import traffic from '../../../../plugins/traffic'
import { newAgentsSource } from '../../../../plugins/traffic/cards/new-agents'
import { listNewAgents } from '../../../../plugins/traffic/operations/listNewAgents'
import { newAgentsPage } from '../../../../plugins/traffic/pages/newAgentsPage'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { NewAgent } from '../../../../plugins/traffic/records/NewAgent'
import { forgetNewAgents, newAgentsFeed } from '../../../../plugins/traffic/registry/newAgentsFeed'
import { inEnglish } from '../../../support/english-entries'
import { quietLog } from '../../../support/quiet-log'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([...corePlugins, traffic])
  bench.now = new Date('2026-11-20T12:00:00.000Z')
  for (const [id, workspace_id] of [
    ['sit_1', 'wsp_1'],
    ['sit_2', 'wsp_2'],
  ] as const)
    await bench.owner.rows(AiTrafficSite).insert({
      id,
      workspace_id,
      location_id: 'loc_1',
      domain: `${id}.example`,
      timezone: 'UTC',
      site_key: id,
      is_active: true,
      count_search_engines: false,
      respect_dnt: true,
      forwarder_token_last4: 'abcd',
      forwarder_token_hash: 'x',
      last_log_at: null,
      last_beacon_at: null,
    })
})
afterEach(() => bench.stop())

type SiteReport = NewAgentsReport['sites'][number]
const owl = {
  token: 'OwlBot',
  host: 'owl.example',
  hits_at_least: 41,
  hits_at_most: 44,
  first_day: '2026-11-18',
  last_day: '2026-11-20',
}
const report = (site: Partial<SiteReport>, instance = 'a'.repeat(16)) =>
  newAgentsFeed.run(
    bench.owner,
    v.parse(newAgentsReportSchema, {
      instance,
      next: 1,
      sites: [{ site_id: 'sit_1', floor: 0, gone: [], agents: [owl], ...site }],
    }),
    'own',
  )
const listed = async (workspace = 'wsp_1') => (await bench.ask(listNewAgents, {}, { workspace })).agents
const page = (workspace: string, query = '') =>
  newAgentsPage.load(
    { ...bench.read(workspace), counter: null } as unknown as PageContext,
    new URLSearchParams(query),
  )
const inbox = (workspace = 'wsp_1') =>
  newAgentsSource.list({ ...bench.read(workspace), counter: null } as unknown as PageContext, 10)

describe('an unknown agent', () => {
  test('is readable in the workspace of its site, and in no other', async () => {
    await report({})
    expect(await listed()).toEqual([{ ...owl, site_id: 'sit_1', domain: 'sit_1.example' }])
    expect(await listed('wsp_2')).toEqual([])
    await expect(bench.ask(listNewAgents, { site_id: 'sit_1' }, { workspace: 'wsp_2' })).rejects.toThrow(
      'no such site',
    )
    expect(await page('wsp_1')).toMatchObject({ agents: [{ token: 'OwlBot' }] })
    expect(await page('wsp_2', 'site=sit_1')).toMatchObject({ agents: [], unknown_site: 'sit_1' })
    expect(await inbox('wsp_2')).toEqual([])
  })
  test('is told in the inbox with its bounds and days, once per name', async () => {
    await report({})
    const [entry, ...others] = await inbox()
    expect(others).toEqual([])
    const [english] = inEnglish(entry ? [entry] : [])
    expect(english).toMatchObject({ id: 'sit_1', title: 'New: look at OwlBot', about: 'sit_1.example' })
    expect(english?.text).toContain('OwlBot: at least 41, at most 44 hits, 18 Nov 2026 to 20 Nov 2026.')
    expect(v.safeParse(inboxEntrySchema, entry).success).toBe(true)
    await report({ agents: [{ ...owl, hits_at_least: 60, hits_at_most: 63 }] })
    expect((await inbox())[0]?.state).toBe(String(entry?.state))
    await report({ agents: [owl, { ...owl, token: 'ElkBot' }] })
    expect((await inbox())[0]?.state).not.toBe(String(entry?.state))
    bench.now = new Date('2027-01-01T00:00:00.000Z')
    expect(await inbox()).toEqual([])
  })
  test('has bounds that do not shrink after a crash, and are added over ingest processes', async () => {
    await report({})
    await report({ agents: [{ ...owl, hits_at_least: 38, hits_at_most: 40, host: null }] })
    expect(await listed()).toMatchObject([{ hits_at_least: 41, hits_at_most: 41, host: 'owl.example' }])
    await report(
      { agents: [{ ...owl, hits_at_least: 10, hits_at_most: 12, first_day: '2026-11-10' }] },
      'b'.repeat(16),
    )
    expect(await listed()).toMatchObject([
      { hits_at_least: 51, hits_at_most: 53, first_day: '2026-11-10', last_day: '2026-11-20' },
    ])
  })
  test('that lost its counter has at most the floor, and one that is known is gone', async () => {
    await report({})
    await report({ agents: [], floor: 70 })
    expect(await listed()).toMatchObject([{ hits_at_least: 41, hits_at_most: 70 }])
    await report({ agents: [], floor: 70, gone: ['OwlBot'] })
    expect(await listed()).toEqual([])
  })
  test('is stored for known sites only, 50 of a site, and 60 days after its last hit no longer', async () => {
    await report({ site_id: 'sit_9' })
    expect(await bench.owner.rows(NewAgent).count()).toBe(0)
    for (let n = 0; n < 4; n++)
      await report(
        {
          agents: Array.from({ length: 24 }, (_, at) => ({
            ...owl,
            token: `Owl${'abcdefghijklmnopqrstuvwx'[at]}Bot`,
            hits_at_least: 10 + at,
            hits_at_most: 40,
          })),
        },
        `${n}`.repeat(16),
      )
    expect(await bench.owner.rows(NewAgent).count()).toBe(50)
    bench.now = new Date('2027-01-19T12:00:00.000Z')
    await forgetNewAgents.run(bench.owner, new AbortController().signal)
    expect(await bench.owner.rows(NewAgent).count()).toBe(50)
    bench.now = new Date('2027-01-20T12:00:00.000Z')
    await forgetNewAgents.run(bench.owner, new AbortController().signal)
    expect(await bench.owner.rows(NewAgent).count()).toBe(0)
  })
})

test.each([
  [{ token: '<b>Bot' }],
  [{ token: 'me@example.com' }],
  [{ host: 'https://owl.example/x' }],
  [{ host: '2001:db8::7' }],
  [{ hits_at_least: -1 }],
  [{ first_day: 'today' }],
  [{ ip: '192.0.2.7' }],
])('a report with %j is refused', (more) => {
  const sites = [{ site_id: 'sit_1', floor: 0, gone: [], agents: [{ ...owl, ...more }] }]
  expect(v.safeParse(newAgentsReportSchema, { instance: 'a'.repeat(16), next: 1, sites }).success).toBe(false)
})

test('reports are collected until none is left, and again after a failure', async () => {
  const asked: number[] = []
  const whole = Array.from({ length: 100 }, (_, n) => ({
    site_id: `sit_${n}`,
    floor: 0,
    gone: [],
    agents: [],
  }))
  let fails = true
  const ingest = {
    async newAgents(after: number) {
      asked.push(after)
      const sites = after === 0 ? whole : after === 100 ? whole.slice(0, 3) : []
      return { instance: 'a'.repeat(16), next: after + sites.length, sites }
    },
  }
  const feed = {
    summary: '',
    async run() {
      if (fails) throw new Error('away')
    },
  }
  const registry = { feeds: new Map([['new-agents', feed]]) }
  const collecting = collectNewAgents({ registry, owner: bench.owner, ingest, log: quietLog })
  await collecting.collect()
  fails = false
  await collecting.collect()
  await collecting.collect()
  await collecting.stop()
  expect(asked).toEqual([0, 0, 100, 103])
})
