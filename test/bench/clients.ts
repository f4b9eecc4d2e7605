import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openColumns } from '../../core/stores/columns/client'
import type { ColumnsStore } from '../../core/stores/columns/port'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { Workspace } from '../../core/tenancy/Workspace'
import { builtin } from '../../plugins'
import { Review } from '../../plugins/reviews/records/Review'
import { AiTrafficSite } from '../../plugins/traffic/records/AiTrafficSite'
import { dailyTable } from '../../plugins/traffic/records/dailyTable'
import { type Gate, startGate } from '../support/harness'
import { jobs } from '../support/platforms'
import { quietLog as log } from '../support/quiet-log'
import { signedIn } from '../support/signed-in'
import { dailyColumns, dailyRow } from './reads/daily-row'

const sizes = (process.env.RENOWN_BENCH_CLIENTS ?? '1,220,1000').split(',').map(Number)
const reviewsEach = Number(process.env.RENOWN_BENCH_REVIEWS ?? 100)
const rounds = Number(process.env.RENOWN_BENCH_ROUNDS ?? 9)
const dayMs = 86_400_000
const zones = ['UTC', 'Europe/Madrid', 'America/New_York', 'Asia/Tokyo']

/**
 * The page Clients of agencies of several sizes, beside that of an agency with one client: 100 reviews, a website and 28
 * daily rows for each workspace. CPU of this process.
 */
export async function run(): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'renown-bench-'))
  const columns = await openColumns({ path }, { log })
  const documents = await openSqlite({ path: join(path, 'documents.sqlite'), now: () => new Date(), log })
  const gate = await startGate({ plugins: [...builtin, jobs], columns, documents })
  try {
    const { cookie } = await signedIn(gate)
    let made = 0
    for (const size of sizes) {
      await seed(gate, columns, made, size)
      made = size
      for (const query of ['', '?sort=rating&at=2', '?q=Client%20000'])
        await measure(`${size} workspaces, /app/clients${query}`, async () => {
          const answer = await gate.ask(`/app/clients${query}`, { key: null, headers: { cookie } })
          if (answer.status !== 200 || (await answer.text()).includes('Unavailable'))
            throw new Error(`The page answered ${answer.status}`)
        })
    }
  } finally {
    await gate.stop()
    await documents.close()
    await columns.close()
    rmSync(path, { recursive: true, force: true })
  }
}

const idOf = (prefix: string, n: number) => `${prefix}_${String(n).padStart(26, '0')}`

async function seed(gate: Gate, columns: ColumnsStore, from: number, to: number) {
  const now = gate.clock.now().getTime()
  const at = (daysAgo: number) => new Date(now - daysAgo * dayMs).toISOString()
  for (let n = from; n < to; n++) {
    const workspace_id = idOf('wsp', n)
    await gate.owner.rows(Workspace).insert({
      id: workspace_id,
      workspace_id,
      name: `Client ${String(n).padStart(5, '0')}`,
      agency_id: gate.tenant.agencyId,
      is_home: false,
      timezone: zones[n % zones.length] ?? 'UTC',
      locale: 'en',
      plan: 'bench',
      locations_count: 1,
      active_locations_count: 1,
      is_active: true,
    })
    await gate.owner.rows(Review).insertMany(
      Array.from({ length: reviewsEach }, (_, place) => ({
        workspace_id,
        location_id: idOf('loc', n),
        source: 'google',
        source_id: `${n} ${place}`,
        star_rating: 1 + ((place * 7 + n) % 5),
        needs_response: place % 9 === 0,
        review_created_at: at(place * 3),
        review_text: 'We came twice and would come again. '.repeat(4),
        ...(place % 2 === 0 ? { reply_text: 'Thank you.', reply_created_at: at(place * 3) } : {}),
      })),
    )
    const site = idOf('sit', n)
    await gate.owner.rows(AiTrafficSite).insert({
      id: site,
      workspace_id,
      location_id: idOf('loc', n),
      domain: `${n}.example`,
      timezone: 'UTC',
      site_key: site,
      is_active: true,
      count_search_engines: false,
      respect_dnt: true,
      forwarder_token_last4: 'abcd',
      forwarder_token_hash: 'x',
      last_log_at: at(0),
    })
  }
  for (let first = from; first < to; first += 50) {
    const rows = Array.from({ length: Math.min(50, to - first) }, (_, place) => first + place).flatMap((n) =>
      Array.from({ length: 28 }, (_, day) => ({
        ...dailyRow({ number: n, day, site_id: idOf('sit', n), workspace_id: idOf('wsp', n) }),
        id: `${idOf('sit', n)}:${at(day).slice(0, 10)}`,
        date: at(day).slice(0, 10),
      })),
    )
    await columns.insert(
      dailyTable.name,
      dailyColumns,
      rows.map((row) => dailyColumns.map((column) => row[column])),
    )
  }
}

/** CPU of the first size, by the part of the name after it. */
const floor = new Map<string, number>()

async function measure(name: string, work: () => Promise<unknown>) {
  const cpu: number[] = []
  const ms: number[] = []
  for (let round = -2; round < rounds; round++) {
    const began = performance.now()
    const used = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(used)
    // The first rounds warm up.
    if (round < 0) continue
    cpu.push((user + system) / 1_000)
    ms.push(performance.now() - began)
  }
  const middle = (all: readonly number[]) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
  const page = name.slice(name.indexOf(','))
  const first = floor.get(page) ?? middle(cpu)
  floor.set(page, first)
  const times = (middle(cpu) / first).toFixed(1)
  console.log(
    `${name}: CPU ${middle(cpu).toFixed(0)} ms (${times} × one client), wall ${middle(ms).toFixed(0)} ms`,
  )
}
