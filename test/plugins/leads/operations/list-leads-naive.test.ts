import { afterEach, expect, test } from 'bun:test'
import * as v from 'valibot'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import { openMongo } from '../../../../core/stores/documents/mongo'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import leads from '../../../../plugins/leads'
import { listLeadsWithMentions } from '../../../../plugins/leads/operations/listLeadsWithMentions'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { putRow } from '../../../support/any-state'
import { describeStores, mongoUri } from '../../../support/mongo'
import { quietLog } from '../../../support/quiet-log'
import { randomSource } from '../../../support/random-documents'
import { sampleRow } from '../../../support/sample-row'
import { type Workbench, workbench } from '../../../support/workbench'

const home = 'wsp_1'
const day = 86_400_000
const now = Date.parse('2026-03-15T12:00:00.000Z')
const stages = ['new', 'contacted', 'qualified', 'won', 'lost'] as const
const channels = ['reddit', 'bluesky', 'forum'] as const
const sorts = ['created_date', 'intent_score', 'stage_changed_at', 'mention.posted_at'] as const
const random = randomSource(17)
const instant = (days: number) => new Date(now - random.below(days) * day).toISOString()
const maybe = <T>(value: T) => (random.chance(0.5) ? value : undefined)

let bench: Workbench
afterEach(() => bench.stop())

type Given = Record<string, unknown> & { readonly id: string }

async function fill(count: number): Promise<{ rows: Given[]; mentions: Map<string, Given> }> {
  const rows: Given[] = []
  const mentions = new Map<string, Given>()
  for (let n = 0; n < count; n++) {
    const workspace_id = random.chance(0.8) ? home : 'wsp_2'
    const mention_id = `men_${random.below(count)}`
    if (!mentions.has(mention_id) && random.chance(0.9)) {
      const elsewhere = random.chance(0.1) ? 'wsp_2' : workspace_id
      const made = { ...sampleRow(Mention, mention_id), workspace_id: elsewhere, source_id: mention_id }
      mentions.set(mention_id, { ...made, id: mention_id })
      await putRow(bench.owner, Mention, mentions.get(mention_id) as never)
    }
    const made: Given = {
      id: `led_${String(n).padStart(3, '0')}`,
      workspace_id,
      mention_id,
      tracker_id: 'trk_1',
      location_id: `loc_${random.below(3)}`,
      intent_score: random.below(6),
      stage: random.one(stages),
      is_archived: random.chance(0.2),
      source: maybe(random.one(channels)),
      seen_at: random.one([undefined, null, instant(9)]),
      stage_changed_at: maybe(instant(5)),
      mention_posted_at: maybe(instant(5)),
    }
    bench.now = new Date(instant(40))
    const row = JSON.parse(JSON.stringify(made)) as Given
    await putRow(bench.owner, Lead, row as never)
    rows.push({ ...row, created_date: bench.now.toISOString() })
  }
  bench.now = new Date(now)
  return { rows, mentions }
}

const input = () => ({
  stage: maybe(random.one(stages)),
  location_id: maybe(`loc_${random.below(3)}`),
  source: random.chance(0.3) ? random.one(channels) : undefined,
  seen: maybe(random.chance(0.5)),
  include_archived: random.chance(0.5),
  days: maybe(1 + random.below(45)),
  limit: 1 + random.below(30),
  skip: random.below(8),
  sort: `${random.one(['', '+', '-'])}${random.one(sorts)}`,
})

type Input = ReturnType<typeof input>

/** What the call means, written as one reads it. */
function naive(rows: readonly Given[], mentions: ReadonlyMap<string, Given>, given: Input) {
  const found = rows.filter(
    (row) =>
      row.workspace_id === home &&
      (given.include_archived || row.is_archived !== true) &&
      (given.stage === undefined || row.stage === given.stage) &&
      (given.location_id === undefined || row.location_id === given.location_id) &&
      (given.source === undefined || row.source === given.source) &&
      (given.seen === undefined || given.seen === (typeof row.seen_at === 'string')) &&
      (given.days === undefined || Date.parse(String(row.created_date)) >= now - given.days * day),
  )
  const name = given.sort.replace(/^[-+]/, '').replace('mention.posted_at', 'mention_posted_at')
  const turn = given.sort.startsWith('-') ? -1 : 1
  const order = (a: unknown, b: unknown) => {
    if (a === b) return 0
    if (a === undefined || a === null) return -1
    if (b === undefined || b === null) return 1
    return (a as string) < (b as string) ? -1 : 1
  }
  const lacks = (row: (typeof found)[number]) => Number((row[name] ?? null) === null)
  const sorted = found.toSorted(
    (a, b) => lacks(a) - lacks(b) || turn * (order(a[name], b[name]) || order(a.id, b.id)),
  )
  return {
    total: found.length,
    leads: sorted.slice(given.skip, given.skip + given.limit).map((row) => {
      const mention = mentions.get(String(row.mention_id))
      return [row.id, mention?.workspace_id === home ? mention.url : null]
    }),
  }
}

const mongo = () => openMongo({ uri: mongoUri() ?? '', now: () => bench.now, log: quietLog })
const sqlite = () => openSqlite({ path: ':memory:', now: () => bench.now, log: quietLog })

describeStores({ SQLite: sqlite, MongoDB: mongo }, 'listLeadsWithMentions on %s', (store, open) => {
  const ways = store === 'SQLite' ? [true, false] : [false]
  test.each(ways)(
    'answers like a naive computation, for random leads and inputs and after writes (joined: %p)',
    async (canJoin) => {
      bench = await workbench([tenancy, leads], {}, { canJoin, documents: await open() })
      await compare(canJoin)
    },
  )
})

async function compare(canJoin: boolean): Promise<void> {
  const { rows, mentions } = await fill(150)
  for (let round = 0; round < 200; round++) {
    if (round % 10 === 9) {
      const row = random.one(rows) as Record<string, unknown>
      row.is_archived = !row.is_archived
      const set = { is_archived: row.is_archived }
      const one = { op: 'eq', field: 'id', value: row.id as string } as const
      await bench.collection(Lead).updateOne(one, { set })
    }
    const given = JSON.parse(JSON.stringify(input())) as Input
    bench.reads.count = 0
    const asked = v.parse(listLeadsWithMentions.input, given)
    const answer = await listLeadsWithMentions.run(bench.read(home), asked)
    const wanted = naive(rows, mentions, given)
    const shown = answer.leads.map(({ id, mention }) => [id, mention?.url ?? null])
    expect<unknown>({ given, total: answer.total, leads: shown }).toEqual({ given, ...wanted })
    expect(bench.reads.count).toBe(canJoin ? 1 : shown.length === 0 ? 2 : 3)
    expect(answer.has_more).toBe(given.skip + shown.length < wanted.total)
    expect(v.is(listLeadsWithMentions.output, answer)).toBe(true)
  }
}
