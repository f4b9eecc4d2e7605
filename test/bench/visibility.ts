import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadContext } from 'renown'
import * as v from 'valibot'
import { readContext } from '../../core/contexts/context'
import { createSources } from '../../core/contexts/sources'
import { corePlugins } from '../../core/product/core-plugins'
import { openColumns } from '../../core/stores/columns/client'
import type { ColumnsStore } from '../../core/stores/columns/port'
import type { Documents } from '../../core/stores/documents/port'
import { requestWork, runWork } from '../../core/work/scope'
import visibility from '../../plugins/visibility'
import { getPromptPerformance } from '../../plugins/visibility/operations/getPromptPerformance'
import { getShareOfVoice } from '../../plugins/visibility/operations/getShareOfVoice'
import { getVisibilitySummary } from '../../plugins/visibility/operations/getVisibilitySummary'
import { listCitedSources } from '../../plugins/visibility/operations/listCitedSources'
import { VisibilityPrompt } from '../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../plugins/visibility/records/VisibilityRun'
import { sumTable, sumVersion } from '../../plugins/visibility/records/VisibilitySum'
import { VisibilityTracker } from '../../plugins/visibility/records/VisibilityTracker'
import { trackedBy } from '../../plugins/visibility/sums/tracked'
import { quietLog } from '../support/quiet-log'
import { type Workbench, workbench } from '../support/workbench'

const runs = Number(process.env.BENCH_RUNS ?? 1_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 30)
const promptCount = 280
const engines = ['chatgpt', 'claude', 'gemini', 'perplexity', 'grok']
const perDay = promptCount * engines.length
const days = Math.ceil(runs / perDay)
const last = '2026-11-22'
const today = '2026-11-23'
const isOpen = process.env.BENCH_TODAY === 'open'
const workspace_id = 'wsp_1'

/**
 * Figures over a million runs of one tracker: 280 prompts asked of 5 engines each day. A year and the year before it
 * hold all of them. Today is sealed, as after a round; BENCH_TODAY=open measures while a round runs, when the runs of today
 * are only in documents. `first` is the first call after days were sealed, before anything is cached. The floor is a plain
 * sum over one column. All by turns in one process, so that the ratios hold on a busy machine too.
 */
export async function run(): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'renown-bench-'))
  const columns = await openColumns({ path }, { log: quietLog })
  const bench = await workbench([...corePlugins, visibility])
  bench.now = new Date(`${today}T23:00:00.000Z`)
  try {
    const tracker_id = await seed(bench, columns)
    const documents = { collection: bench.collection } as unknown as Documents
    // One for all requests, as in a gateway.
    const sources = createSources(documents, columns)
    const context = () => contextOf(bench, sources)
    const anew = () => contextOf(bench, createSources(documents, columns))
    if ((await trackedBy(context(), {})).sealed === null) throw new Error('The columns are not read')
    const year = { days: 357 }
    const summary = v.parse(getVisibilitySummary.input, year)
    const odd = v.parse(getVisibilitySummary.input, { date_from: '2025-12-11', date_to: '2026-11-20' })
    const prompts = v.parse(getPromptPerformance.input, { tracker_id, ...year })
    const voices = v.parse(getShareOfVoice.input, { tracker_id, ...year })
    const cited = v.parse(listCitedSources.input, year)
    const operations = {
      getVisibilitySummary: (ctx: ReadContext) => getVisibilitySummary.run(ctx, summary),
      'getVisibilitySummary, parts of months': (ctx: ReadContext) => getVisibilitySummary.run(ctx, odd),
      getPromptPerformance: (ctx: ReadContext) => getPromptPerformance.run(ctx, prompts),
      getShareOfVoice: (ctx: ReadContext) => getShareOfVoice.run(ctx, voices),
      listCitedSources: (ctx: ReadContext) => listCitedSources.run(ctx, cited),
    }
    const all = Object.entries(operations)
    await measure({
      'floor: sum of one column': () =>
        columns.query(`SELECT sum(mentions) FROM ${sumTable.name} SETTINGS max_threads = 1`),
      ...Object.fromEntries(all.map(([name, run]) => [name, () => run(context())])),
      ...Object.fromEntries(all.map(([name, run]) => [`${name}, first`, () => run(anew())])),
    })
  } finally {
    await columns.close()
    await bench.stop()
    rmSync(path, { recursive: true, force: true })
  }
}

async function seed({ owner }: Workbench, columns: ColumnsStore): Promise<string> {
  const base = { workspace_id, location_id: 'loc_1' }
  const sealed = { version: sumVersion('UTC'), rev: 1, runs, checked: today }
  const { id: tracker_id } = await owner.rows(VisibilityTracker).insert({
    ...base,
    name: 'Acme',
    brand_name: 'Acme',
    brand_aliases: [],
    engines,
    sealed,
    competitors: ['Rival 0', 'Rival 1', 'Rival 2', 'Rival 3'].map((name) => ({ name })),
    provider: 'direct',
    is_active: true,
    run_frequency_hours: 24,
  })
  const prompts: string[] = []
  for (let place = 0; place < promptCount; place++) {
    const prompt = await owner.rows(VisibilityPrompt).insert({
      ...base,
      tracker_id,
      text: place % 4 === 0 ? `Is Acme good at ${place}?` : `Who is good at ${place}?`,
      language: 'en',
      country: 'GB',
      tags: [],
      intent: 'local',
      status: 'active',
      source: 'user',
    })
    prompts.push(prompt.id)
  }
  await owner.rows(VisibilityRun).insertMany(
    prompts.flatMap((prompt_id, place) =>
      engines.map((engine) => ({
        ...base,
        tracker_id,
        prompt_id,
        engine,
        provider: 'direct',
        access: 'api' as const,
        country: 'GB',
        started_at: `${today}T10:00:00.000Z`,
        local_day: today,
        status: 'ok' as const,
        answer_text: 'Acme',
        search_queries: [],
        brand_mentioned: place % 3 === 0,
        brand_cited: false,
        batch_id: 'job_1',
        competitor_mentions: [{ name: 'Rival 0', position: 1 }],
        definition_version: 'visibility@2',
        ...(isOpen ? {} : { is_sealed: true }),
        citations: [
          { domain: 'site-1.example', url: 'https://site-1.example/1', is_own: false, cited: true },
        ],
      })),
    ),
  )
  await seedSums(columns, tracker_id, prompts)
  // The table as merges leave it after some hours.
  await columns.query(`OPTIMIZE TABLE ${sumTable.name} FINAL`)
  console.log(`${runs.toLocaleString('en')} runs on ${days.toLocaleString('en')} days`)
  return tracker_id
}

/** Writes the rows of days as sealing would, and sums them to months. */
async function seedSums(
  columns: ColumnsStore,
  tracker_id: string,
  prompts: readonly string[],
): Promise<void> {
  await columns.ensure([sumTable])
  const list = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`
  const engineAt = (place: string) => `${list(engines)}[${place} % ${engines.length} + 1]`
  const fixed = `'' AS id, '${workspace_id}' AS workspace_id, 'loc_1' AS location_id, '${tracker_id}' AS tracker_id,
    1 AS rev, 'GB' AS country, '${last}T00:00:00.000Z' AS created_date, '${last}T00:00:00.000Z' AS updated_date`
  const add = (kind: string, perDay: number, picked: Record<string, string>) =>
    columns.query(`INSERT INTO ${sumTable.name} (id, workspace_id, location_id, tracker_id, rev, country, created_date,
        updated_date, kind, grain, start, ${Object.keys(picked).join(', ')})
      SELECT ${fixed}, '${kind}' AS kind, 'day' AS grain, toDate('${last}') - intDiv(number, ${perDay}) AS start,
        ${Object.entries(picked)
          .map(([name, sql]) => `${sql} AS ${name}`)
          .join(', ')} FROM numbers(${days * perDay})`)
  const hash = (share: number) => `(cityHash64(number) % ${share} = 0)`
  await add('engine', engines.length, {
    engine: engineAt('number'),
    model_asked: "'model-1'",
    runs: `${promptCount}`,
    answers: `${promptCount - 9}`,
    errors: '9',
    mentions: '90',
    citations: '30',
    placed: '80',
    places: '200',
    recommended: '20',
    judged: '271',
    first_at: "concat(toString(start), 'T10:00:00.000Z')",
  })
  await add('cell', perDay, {
    engine: engineAt('number'),
    prompt_id: `${list(prompts)}[intDiv(number, 5) % ${promptCount} + 1]`,
    runs: '1',
    answers: '1',
    mentions: hash(3),
    citations: hash(9),
    placed: hash(3),
    places: hash(3),
    recommended: hash(12),
    judged: '1',
    lost: `NOT ${hash(3)}`,
  })
  const rival = "concat('Rival ', toString(intDiv(number, 5) % 4))"
  const named = { mentions: '60', placed: '50', places: '150' }
  await add('voice', engines.length * 4, { engine: engineAt('number'), name: rival, ...named })
  await add('lost', perDay, {
    engine: engineAt('number'),
    prompt_id: `${list(prompts)}[intDiv(number, 5) % ${promptCount} + 1]`,
    name: rival,
    mentions: '1',
  })
  await add('beside', perDay, {
    engine: engineAt('number'),
    prompt_id: `${list(prompts)}[intDiv(number, 5) % ${promptCount} + 1]`,
    name: rival,
    mentions: '1',
  })
  const domain = "concat('site-', toString(intDiv(number, 5) % 60), '.example')"
  const cited = { cited: '3', consulted: '2', citations: '4', placed: '4', places: '12' }
  await add('source', engines.length * 60, { engine: engineAt('number'), name: domain, ...cited })
  const url = `concat('https://', name, '/', toString(cityHash64(number) % 40))`
  await add('page', engines.length * 180, { engine: engineAt('number'), name: domain, citations: '2', url })
  await add('page_any', engines.length * 180, { name: domain, citations: '2', url })
  const sums = Object.keys(sumTable.columns).filter((name) =>
    sumTable.columns[name as 'runs'].startsWith('UInt32'),
  )
  const keys = 'id, workspace_id, location_id, tracker_id, rev, country, created_date, updated_date, kind'
  const others = 'engine, model_asked, prompt_id, name, url'
  await columns.query(`INSERT INTO ${sumTable.name} (${keys}, ${others}, grain, start, ${sums.join(', ')})
    SELECT ${keys}, ${others}, 'month', toStartOfMonth(start) AS month, ${sums.map((name) => `sum(${name})`).join(', ')}
    FROM ${sumTable.name} WHERE kind != 'engine' GROUP BY ${keys}, ${others}, month`)
}

function contextOf(bench: Workbench, sources: ReturnType<typeof createSources>): ReadContext {
  return readContext(
    { registry: bench.registry, sources, now: () => bench.now },
    {
      workspace: { id: workspace_id, agency_id: 'agc_1', timezone: 'UTC', is_home: true },
      credential: { kind: 'agent_key', agency_id: 'agc_1', platform: false, scopes: ['read'] },
      requestId: 'req_bench',
    },
  )
}

async function measure(targets: Record<string, () => Promise<unknown>>) {
  const times = new Map(
    Object.keys(targets).map((name) => [name, { ms: [] as number[], cpu: [] as number[] }]),
  )
  for (let round = -1; round < rounds; round++) {
    for (const [name, work] of Object.entries(targets)) {
      const began = performance.now()
      const used = process.cpuUsage()
      // As in a request, where the embedded engine uses one core.
      await runWork(requestWork({ limitMs: 60_000, disconnected: () => undefined }), work)
      const { user, system } = process.cpuUsage(used)
      // The first round warms up.
      if (round < 0) continue
      times.get(name)?.ms.push(performance.now() - began)
      times.get(name)?.cpu.push((user + system) / 1_000)
    }
  }
  let floor = 0
  for (const [name, { ms, cpu }] of times) {
    floor ||= at(cpu, 0.5)
    const figures = [at(ms, 0.5), at(ms, 0.99), at(cpu, 0.5), at(cpu, 0.99)].map((value) =>
      value.toFixed(1).padStart(7),
    )
    console.log(
      `${name.padEnd(46)} p50 ${figures[0]} ms, p99 ${figures[1]} ms, CPU p50 ${figures[2]} ms, p99 ${figures[3]} ms, ${(at(cpu, 0.5) / floor).toFixed(1)} × the floor`,
    )
  }
}

const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
