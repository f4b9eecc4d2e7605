import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { shiftDay } from '../../../../core/kit/periods'
import { corePlugins } from '../../../../core/product/core-plugins'
import { Notification } from '../../../../core/tenancy/news/Notification'
import traffic from '../../../../plugins/traffic'
import { reportChanges } from '../../../../plugins/traffic/alerts/reportChanges'
import { changesSource } from '../../../../plugins/traffic/cards/changes'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { TrafficChange } from '../../../../plugins/traffic/records/TrafficChange'
import { sampleTokenHash } from '../../../../plugins/traffic/sites/sample-site'
import { inEnglish } from '../../../support/english-entries'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
let counts: { site_id: string; date: string; agent: string; hits: number }[] = []
const first = '2026-01-05'
const day = (at: number) => shiftDay(first, at)
beforeEach(async () => {
  counts = []
  bench = await workbench([...corePlugins, traffic])
})
afterEach(() => bench.stop())

const site = (id: string, more: object = {}) =>
  bench.owner.rows(AiTrafficSite).insert({
    id,
    workspace_id: 'wsp_1',
    location_id: 'loc_1',
    domain: `${id}.example`,
    timezone: 'UTC',
    site_key: `key_${id}`,
    is_active: true,
    count_search_engines: false,
    respect_dnt: true,
    forwarder_token_last4: 'abcd',
    forwarder_token_hash: `hash ${id}`,
    ...more,
  })
const come = (site_id: string, agent: string, from: number, to: number, hits = 9) => {
  for (let at = from; at < to; at++) counts.push({ site_id, date: day(at), agent, hits })
}
/** Runs the job at noon of a day. */
function runOn(at: number) {
  bench.now = new Date(`${day(at)}T12:00:00.000Z`)
  const query = async () => counts.filter(({ date }) => date <= day(at))
  const ctx = { ...bench.owner, columns: { query } } as unknown as OwnerContext
  return reportChanges.run(ctx, new AbortController().signal)
}
const told = async () =>
  (await bench.owner.rows(Notification).list({ sort: [{ field: 'created_date', direction: 'asc' }] })).map(
    ({ type, title }) => `${type}: ${title}`,
  )
const inbox = async () =>
  inEnglish(await changesSource.list(bench.read('wsp_1') as never, 10)).map(
    ({ word, title }) => `${word}: ${title}`,
  )

test('a crawler that stopped is reported once, and shown until it comes again', async () => {
  await site('sit_a')
  come('sit_a', 'GPTBot', 0, 60)
  come('sit_a', 'ClaudeBot', 0, 90)
  await runOn(63)
  expect(await told()).toEqual([])
  for (const at of [64, 64, 65, 66]) await runOn(at)
  expect(await told()).toEqual(['crawler_stopped: sit_a.example: GPTBot stopped coming'])
  expect(await inbox()).toEqual(['Stopped: GPTBot stopped coming'])
  come('sit_a', 'GPTBot', 66, 90)
  await runOn(67)
  expect(await inbox()).toEqual([])
  expect(await bench.owner.rows(TrafficChange).list({})).toMatchObject([
    { began: day(60), last_day: day(65), ended_on: day(66) },
  ])
  expect(await told()).toHaveLength(1)
})

test('a crash between the notification and its record sends nothing twice', async () => {
  await site('sit_a')
  come('sit_a', 'GPTBot', 0, 60)
  come('sit_a', 'ClaudeBot', 0, 90)
  await runOn(64)
  await bench.owner.rows(TrafficChange).removeWhere({ op: 'and', of: [] })
  await runOn(64)
  expect(await told()).toHaveLength(1)
  expect(await inbox()).toHaveLength(1)
})

test('a silent log is one message for all crawlers, and sample and inactive sites have none', async () => {
  await site('sit_a')
  await site('sit_demo', { forwarder_token_hash: sampleTokenHash })
  await site('sit_off', { is_active: false })
  for (const id of ['sit_a', 'sit_demo', 'sit_off'])
    for (const agent of ['GPTBot', 'ClaudeBot']) come(id, agent, 0, 60)
  await runOn(64)
  expect(await told()).toEqual(['crawler_silent: sit_a.example: No crawler was counted any more'])
  expect(await inbox()).toEqual(['Silent: No crawler was counted any more'])
})

test('jumps within a week are one episode, which leaves the inbox after three days', async () => {
  await site('sit_a')
  come('sit_a', 'ClaudeBot', 0, 90)
  come('sit_a', 'GPTBot', 0, 60)
  come('sit_a', 'GPTBot', 60, 61, 100)
  come('sit_a', 'GPTBot', 61, 64)
  come('sit_a', 'GPTBot', 64, 65, 400)
  come('sit_a', 'GPTBot', 65, 90)
  for (const at of [61, 62, 65]) await runOn(at)
  expect(await told()).toEqual(['crawler_jumped: sit_a.example: GPTBot came 100 times in a day'])
  expect(await inbox()).toEqual(['Jump: GPTBot came 400 times in a day'])
  await runOn(69)
  expect(await inbox()).toEqual([])
})
