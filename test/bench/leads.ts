import { Database } from 'bun:sqlite'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { readContext } from '../../core/contexts/context'
import { createSources } from '../../core/contexts/sources'
import { gatewayPlugin } from '../../core/product/gateway-plugin'
import { tenancy } from '../../core/product/tenancy-plugin'
import { openSqlite } from '../../core/stores/documents/sqlite'
import leads from '../../plugins/leads'
import { listLeadsWithMentions } from '../../plugins/leads/operations/listLeadsWithMentions'
import { Lead } from '../../plugins/leads/records/Lead'
import { Mention } from '../../plugins/leads/records/Mention'
import { measured, type Spent } from '../support/cpu'
import { part } from '../support/part'
import { quietLog } from '../support/quiet-log'
import { sharedRegistry } from '../support/shared-registry'
import { createLeads } from './reads/leads'

const count = Number(process.env.RENOWN_BENCH_LEADS ?? 200_000)
const rounds = Number(process.env.RENOWN_BENCH_ROUNDS ?? 100)
const goalMs = 20
const now = () => new Date('2026-10-28T00:00:00Z')
const inputs: readonly Record<string, unknown>[] = [
  {},
  { stage: 'new' },
  { seen: false },
  { seen: true },
  { source: 'bluesky' },
  { location_id: 'loc_3' },
  { days: 30 },
  { stage: 'new', source: 'forum', seen: false },
  { location_id: 'loc_3', seen: false, days: 90 },
  { sort: '-intent_score' },
  { sort: '-mention.posted_at', seen: false },
]

/**
 * What `listLeadsWithMentions` takes in one workspace of 200,000 leads on SQLite, for each filter, beside a bare
 * statement that reads the first 50 leads and their mentions. One call at a time. Before each call a lead changes, so
 * that the number of matching leads is counted each time. RENOWN_BENCH_FILE keeps the database for the next run.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-leads-'))
  const path = process.env.RENOWN_BENCH_FILE ?? join(folder, 'documents.sqlite')
  const isFilled = existsSync(path)
  const store = await openSqlite({ path, now, log: quietLog })
  try {
    await store.ensure([Lead, Mention])
    if (!isFilled) await fill(store)
    const sources = createSources(store, part({}))
    const registry = sharedRegistry([gatewayPlugin, tenancy, leads])
    const ctx = readContext({ registry, sources, now }, caller)
    const change = async () => {
      const first = { op: 'eq', field: 'id', value: `led_${'0'.repeat(26)}` } as const
      await store.collection(Lead).updateOne(first, { set: { next_step: crypto.randomUUID() } })
    }
    const floor = await timed(change, bareRead(path))
    console.log(`${count.toLocaleString('en')} leads, ${rounds} calls each, goal p99 ${goalMs} ms`)
    console.log(`${'bare statement, 50 leads'.padEnd(62)} ${told(floor)}`)
    for (const input of inputs) {
      const parsed = v.parse(listLeadsWithMentions.input, input)
      const call = async () => void (await listLeadsWithMentions.run(ctx, parsed))
      const counted = await timed(change, call)
      const known = await timed(async () => {}, call)
      const answer = await listLeadsWithMentions.run(ctx, parsed)
      const characters = JSON.stringify(answer).length.toLocaleString('en')
      const missed = counted.p99 > goalMs ? '  OVER' : ''
      const size = `${answer.total} match, ${answer.leads.length} leads in ${characters} characters`
      console.log(`${JSON.stringify(input).padEnd(62)} ${told(counted)}${missed}`)
      console.log(`${'  without a change'.padEnd(62)} ${told(known)}; ${size}`)
    }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const caller = {
  workspace: { id: 'wsp_1', agency_id: 'agc_1', timezone: 'UTC', is_home: true },
  credential: { kind: 'agent_key' as const, agency_id: 'agc_1', platform: false, scopes: ['read' as const] },
  requestId: 'req_bench',
}

const channels = ['reddit', 'bluesky', 'forum', 'news', 'hackernews'] as const

async function fill(store: Awaited<ReturnType<typeof openSqlite>>): Promise<void> {
  const lead = createLeads()
  for (let from = 0; from < count; from += 1000) {
    const made = Array.from({ length: Math.min(1000, count - from) }, (_, at) => {
      const number = from + at
      const source = channels[(number * 7) % 5] ?? 'reddit'
      const plain = lead(number, 'wsp_1', `loc_${number % 20}`)
      const seen = number % 3 === 0 ? {} : { seen_at: plain.created_date }
      return { ...plain, source, ...seen, mention_posted_at: plain.created_date }
    })
    await store.collection(Lead).insertMany(made)
    await store.collection(Mention).insertMany(made.map(mentionOf) as never)
  }
}

const mentionOf = (lead: Readonly<Record<string, unknown>>) => ({
  id: lead.mention_id,
  workspace_id: lead.workspace_id,
  location_id: lead.location_id,
  tracker_id: lead.tracker_id,
  source: lead.source,
  source_id: `post-${lead.id}`,
  url: `https://forum.example/p/${lead.id}`,
  title: 'Who can fix a roof this week?',
  body: lead.notes,
  excerpt: String(lead.notes).slice(0, 200),
  language: 'en',
  author: { handle: `user_${lead.id}` },
  posted_at: lead.created_date,
  discovered_at: lead.created_date,
  matched_keywords: ['roof'],
  is_lead: true,
  lead_id: lead.id,
  status: 'new',
  is_read: false,
  is_archived: false,
  tags: [],
  created_date: lead.created_date,
  updated_date: lead.created_date,
})

/** Reads what the default call shows, without a product around it: the least that SQLite can do. */
function bareRead(path: string): () => Promise<void> {
  const db = new Database(path, { readonly: true })
  const statement = db.query(
    `SELECT l.doc, m.doc FROM Lead AS l LEFT JOIN Mention AS m ON m.id = l.mention_id
     WHERE l.workspace_id = 'wsp_1' AND l.is_archived = 0 ORDER BY l.created_date DESC, l.id DESC LIMIT 50`,
  )
  return async () => {
    for (const row of statement.values()) for (const text of row) JSON.parse(text as string)
  }
}

interface Figures {
  readonly p50: number
  readonly p99: number
  readonly cpu50: number
  readonly cpu99: number
}

async function timed(before: () => Promise<void>, call: () => Promise<void>): Promise<Figures> {
  const spent: Spent[] = []
  for (let round = 0; round < rounds; round++) {
    await before()
    spent.push(await measured(call))
  }
  const at = (name: keyof Spent, share: number) => {
    const values = spent.map((each) => each[name]).sort((a, b) => a - b)
    return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
  }
  return {
    p50: at('wallMs', 0.5),
    p99: at('wallMs', 0.99),
    cpu50: at('cpuMs', 0.5),
    cpu99: at('cpuMs', 0.99),
  }
}

const ms = (value: number) => value.toFixed(1).padStart(5)
const told = ({ p50, p99, cpu50, cpu99 }: Figures) =>
  `p50 ${ms(p50)} ms, p99 ${ms(p99)} ms, CPU p50 ${ms(cpu50)} ms, p99 ${ms(cpu99)} ms`
