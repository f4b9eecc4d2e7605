import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as v from 'valibot'
import { hitsTable, touchedTable } from '../../../../core/contracts/traffic'
import { dayIn, shiftDay } from '../../../../core/kit/periods'
import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import traffic from '../../../../plugins/traffic'
import { sealDays } from '../../../../plugins/traffic/sealing/sealDays'
import { freshColumns } from '../../../support/chdb'
import { type Gate, startGate } from '../../../support/harness'

const columns = await freshColumns()
let gate: Gate
let site: string
let today: string
beforeAll(async () => {
  gate = await startGate({ plugins: [traffic], columns })
  today = dayIn('UTC', gate.clock.now())
  const location = await gate.put(BusinessLocation, {
    business_name: 'Acme',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
  })
  const command = gate.registry.commands.get('site create')
  const input = command && v.parse(command.input, { domain: 'example.com', location_id: location.id })
  site = String((await command?.run(gate.owner, input))?.site_id)
})
afterAll(async () => {
  await gate.stop()
  await columns.close()
})

const hit = (date: string, path: string, hits: number, verified = 0) => [
  'crawl',
  site,
  date,
  'ChatGPT-User',
  'ai_answers',
  'OpenAI',
  path,
  hits,
  verified,
  0,
]
const visit = (date: string, visits: number) => [
  'visit',
  site,
  date,
  'chatgpt.com',
  '',
  '',
  '/',
  visits,
  0,
  0,
]

async function count(rows: readonly (readonly unknown[])[]) {
  await gate.owner.columns.insert(hitsTable.name, Object.keys(hitsTable.columns), rows)
  const days = [...new Set(rows.map((row) => String(row[2])))]
  const touched = days.map((date) => [site, date, 'log', `${date} 10:00:00.000`])
  await gate.owner.columns.insert(touchedTable.name, ['site_id', 'date', 'source', 'last_hit_at'], touched)
  await sealDays.run(gate.owner, new AbortController().signal)
}

test('counted hits come back from ClickHouse through the gate, in a summary and by page', async () => {
  const before = shiftDay(today, -7)
  await count([hit(today, '/a', 6, 4), hit(today, '/b', 2), visit(today, 3), hit(before, '/a', 4, 4)])
  await count([hit(shiftDay(today, -1), '/c', 3), hit(shiftDay(today, -8), '/c', 2)])

  const uncounted = await gate.call('getAiTrafficSummary', { site_id: site, days: 7 })
  expect(await uncounted.json()).toMatchObject({
    counted_since: { hits: shiftDay(today, -8), visits: today },
    change: { crawler_hits: null, verified_hits: null, referral_visits: null },
  })
  const began = shiftDay(today, -30)
  await count([hit(began, '/z', 1), visit(began, 1)])
  const summary = await gate.call('getAiTrafficSummary', { site_id: site, days: 7 })
  expect(summary.status).toBe(200)
  expect(await summary.json()).toMatchObject({
    period: { date_to: today, days: 7 },
    complete: false,
    totals: { crawler_hits: 11, verified_hits: 4, spoofed_hits: 0, unchecked_hits: 7, referral_visits: 3 },
    previous: { crawler_hits: 6 },
    compared_days: 6,
    counted_since: { hits: began, visits: began },
    change: {
      crawler_hits: { absolute: 1, relative: 0.5 },
      referral_visits: { absolute: 0, relative: null },
    },
    verified_share: { k: 4, n: 11 },
    by_operator: [{ operator: 'OpenAI', line: 'OpenAI crawled 11 → sent 3 visits' }],
    by_assistant: [{ host: 'chatgpt.com', visits: 3 }],
    daily: expect.arrayContaining([{ date: today, crawler_hits: 8, ai_answers: 8, referral_visits: 3 }]),
  })
  const over = await gate.call('getAiTrafficSummary', {
    date_from: shiftDay(today, -7),
    date_to: shiftDay(today, -1),
  })
  expect(await over.json()).toMatchObject({
    complete: true,
    compared_days: 7,
    change: { crawler_hits: { absolute: 5, relative: 2.5 } },
  })

  const pages = await gate.call('getTopCrawledPages', { days: 7, category: 'ai_answers' })
  expect(await pages.json()).toMatchObject({
    crawler_hits: 11,
    pages: [
      { domain: 'example.com', path: '/a', hits: 6, hits_at_most: 6, previous_hits: 4 },
      { path: '/c', hits: 3, previous_hits: 2 },
      { domain: 'example.com', path: '/b', hits: 2 },
    ],
  })

  const landing = await gate.call('getReferralPages', { days: 7, site_id: 'example.com' })
  expect(await landing.json()).toMatchObject({
    complete: false,
    referral_visits: 3,
    previous_visits: 0,
    total_pages: 1,
    by_assistant: [{ host: 'chatgpt.com', visits: 3, previous_visits: 0 }],
    pages: [
      {
        site_id: site,
        domain: 'example.com',
        path: '/',
        visits: 3,
        visits_at_most: 3,
        days: 1,
        previous_visits: 0,
        from_at_least: [{ host: 'chatgpt.com', visits: 3 }],
      },
    ],
  })
  for (const assistant of ['ChatGPT', 'chatgpt.com', 'OpenAI', 'https://chatgpt.com/c/1']) {
    const named = await gate.call('getReferralPages', { days: 7, assistant })
    expect(await named.json()).toMatchObject({ referral_visits: 3, total_pages: 1 })
  }
  const mistyped = await gate.call('getReferralPages', { days: 7, assistant: 'ChatGTP' })
  expect([mistyped.status, await mistyped.json()]).toEqual([
    422,
    expect.objectContaining({ errors: [expect.objectContaining({ did_you_mean: 'ChatGPT' })] }),
  ])
  const other = await gate.call('getReferralPages', { days: 7, assistant: 'claude.ai' })
  expect(await other.json()).toMatchObject({ referral_visits: 0, pages: [] })

  const q = encodeURIComponent(JSON.stringify({ 'by_category.ai_answers': { $gt: 5 } }))
  const list = await gate.ask(`/api/entities/AiTrafficDaily?q=${q}`)
  expect(await list.json()).toMatchObject([{ id: `${site}:${today}`, crawler_hits: 8 }])
})

test('another workspace sees none of it', async () => {
  const other = { key: gate.stranger.key }
  const summary = await gate.call('getAiTrafficSummary', {}, other)
  expect(await summary.json()).toMatchObject({ sites: 0, totals: { crawler_hits: 0 }, by_operator: [] })
  const named = await gate.call('getAiTrafficSummary', { site_id: site }, other)
  expect(named.status).toBe(403)
})

test('errors are counted among hits with a known status, and spoofed hits are left out', async () => {
  const date = shiftDay(today, -2)
  const status = (category: string, path: string, hits: number, verified: number, spoofed: number) => [
    'status',
    site,
    date,
    'ChatGPT-User',
    category,
    'OpenAI',
    path,
    hits,
    verified,
    spoofed,
  ]
  const crawl = (path: string, hits: number, spoofed: number) => [
    'crawl',
    site,
    date,
    'ChatGPT-User',
    'ai_answers',
    'OpenAI',
    path,
    hits,
    0,
    spoofed,
  ]
  await count([
    crawl('/gone', 9, 2),
    crawl('/old', 4, 0),
    crawl('/fine', 5, 0),
    status('ok', '', 5, 2, 0),
    status('404', '/gone', 9, 3, 2),
    status('503', '/gone', 1, 0, 0),
  ])
  const answer = await (await gate.call('getAiTrafficSummary', { date_from: date, date_to: date })).json()
  expect((answer as { errors: unknown }).errors).toEqual({
    hits: 16,
    with_status: 13,
    client_errors: 7,
    server_errors: 1,
    most: [
      { path: '/gone', agent: 'ChatGPT-User', status: 404, hits: 7, verified: 3 },
      { path: '/gone', agent: 'ChatGPT-User', status: 503, hits: 1, verified: 0 },
    ],
  })
})
