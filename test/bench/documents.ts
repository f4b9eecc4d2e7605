import { Database } from 'bun:sqlite'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mongoose from 'mongoose'
import { defineEntity, instant, text, type Where } from 'renown'
import * as v from 'valibot'
import { hiddenFields } from '../../core/kit/fields'
import { openMongo } from '../../core/stores/documents/mongo'
import { anyRows, type Collection, type Document, type Documents } from '../../core/stores/documents/port'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { quietLog as log } from '../support/quiet-log'
import { randomSource } from '../support/random-documents'

const Ticket = defineEntity({
  name: 'Ticket',
  summary: 'A row of 2 KB',
  idPrefix: 'tic',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  fields: {
    location_id: v.string(),
    stage: v.picklist(['new', 'open', 'won', 'lost']),
    score: v.number(),
    due_at: instant(),
    body: text(4000),
    tags: v.array(v.string()),
    token: v.optional(v.string()),
  },
  hidden: ['token'],
  sortable: ['created_date', 'score'],
  indexes: [{ on: ['stage'] }, { on: ['stage', '-due_at'] }],
})

const total = Number(process.env.RENOWN_BENCH_DOCUMENTS ?? 200_000)
const workspaces = 20
const filler = 'Größe und Güte: the quick brown fox jumps over the lazy dog. '.repeat(28)
const stages = ['new', 'open', 'won', 'lost'] as const
const random = randomSource(1)

const ticket = (n: number): Document => {
  const at = new Date(1.7e12 + n * 1000).toISOString()
  return {
    id: `tic_${String(n).padStart(26, '0')}`,
    workspace_id: `wks_${n % workspaces}`,
    location_id: `loc_${n % 100}`,
    stage: stages[Math.floor(n / workspaces) % 4] ?? 'new',
    score: n % 101,
    due_at: at,
    body: filler + n,
    tags: ['a', `t${n % 7}`],
    token: `secret_${n}`,
    created_date: at,
    updated_date: at,
  }
}
const anyId = () => `tic_${String(random.below(total)).padStart(26, '0')}`
const inside = (...of: Where[]): Where => ({
  op: 'and',
  of: [{ op: 'eq', field: 'workspace_id', value: `wks_${random.below(workspaces)}` }, ...of],
})
const isNew: Where = { op: 'eq', field: 'stage', value: 'new' }
const byDue = [{ field: 'due_at', direction: 'desc' }] as const

/** Microseconds per call: median and 99th percentile. */
async function timed(calls: number, call: (n: number) => unknown) {
  const times: number[] = []
  for (let n = 0; n < calls; n++) {
    const started = performance.now()
    await call(n)
    times.push((performance.now() - started) * 1000)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

type Timing = Awaited<ReturnType<typeof timed>>
type Measures = Record<string, Timing>

function report(title: string, ours: Measures, bare: Measures): void {
  console.log(`\n${title}`)
  console.log(
    `${'µs per call'.padEnd(26)}${['p50', 'p99', 'bare p50', 'bare p99', 'ours / bare'].map((head) => head.padStart(12)).join('')}`,
  )
  for (const [name, timing] of Object.entries(ours)) {
    const base = bare[name]
    if (!base) continue
    const figures = [timing.p50, timing.p99, base.p50, base.p99].map((value) => value.toFixed(0).padStart(12))
    console.log(`${name.padEnd(26)}${figures.join('')}${(timing.p50 / base.p50).toFixed(2).padStart(12)}`)
  }
}

let next = total
const fresh = (count: number) => Array.from({ length: count }, () => ticket(next++))

async function measurePort(rows: Collection, calls: number): Promise<Measures> {
  const omit = hiddenFields(Ticket)
  return {
    get: await timed(calls * 4, () => rows.get(anyId())),
    'list of 50 as JSON': await timed(calls, () => rows.findJson({ where: inside(isNew), limit: 50, omit })),
    'list of 50 as objects': await timed(calls, () => rows.find({ where: inside(isNew), limit: 50 })),
    claim: await timed(calls, () =>
      rows.updateOne(inside(isNew), { set: { stage: 'won' } }, { sort: byDue }),
    ),
    insert: await timed(calls, () => rows.insert(ticket(next++))),
    'insert 64 at once': await timed(calls / 10, () => Promise.all(fresh(64).map((row) => rows.insert(row)))),
    'insert 1,000': await timed(10, () => rows.insertMany(fresh(1000))),
    'group a workspace': await timed(10, () =>
      rows.group({
        where: inside(),
        by: ['stage'],
        measures: [
          { as: 'n', fn: 'count' },
          { as: 'avg', fn: 'avg', field: 'score' },
        ],
      }),
    ),
  }
}

async function fill(documents: Documents): Promise<Collection> {
  await documents.ensure([Ticket])
  const rows = anyRows(documents.collection(Ticket))
  for (let n = 0; n < total; n += 1000)
    await rows.insertMany(Array.from({ length: 1000 }, (_, place) => ticket(n + place)))
  return rows
}

/** The same questions by hand on the same file, with prepared statements and nothing in between. */
async function measureBareSqlite(path: string, calls: number): Promise<Measures> {
  const db = new Database(path)
  db.run('PRAGMA synchronous = FULL')
  db.run('PRAGMA cache_size = -65536')
  const get = db.prepare('SELECT doc FROM "Ticket" WHERE id = ?')
  const list = db.prepare(
    `SELECT CAST(doc AS BLOB) FROM "Ticket" WHERE workspace_id = ? AND stage = 'new' ORDER BY created_date DESC, id DESC LIMIT 50`,
  )
  const texts = db.prepare(
    `SELECT doc FROM "Ticket" WHERE workspace_id = ? AND stage = 'new' ORDER BY created_date DESC, id DESC LIMIT 50`,
  )
  const claim = db.prepare(
    `UPDATE "Ticket" SET stage = 'won', doc = json_set(doc, '$.stage', 'won') WHERE rowid =
       (SELECT rowid FROM "Ticket" WHERE workspace_id = ? AND stage = 'new' ORDER BY due_at DESC, id DESC LIMIT 1) RETURNING doc`,
  )
  const insert = db.prepare(
    `INSERT INTO "Ticket" (id, workspace_id, location_id, stage, score, due_at, created_date, updated_date, doc)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const columns = ['location_id', 'stage', 'score', 'due_at']
  const add = (row: Document) =>
    insert.run(
      row.id,
      row.workspace_id,
      ...columns.map((name) => row[name] as string),
      row.created_date,
      row.updated_date,
      JSON.stringify(row),
    )
  const addAll = db.transaction((rows: Document[]) => rows.forEach(add))
  const group = db.prepare(
    'SELECT stage, count(*), avg(score) FROM "Ticket" WHERE workspace_id = ? GROUP BY 1 ORDER BY 1',
  )
  const workspace = () => `wks_${random.below(workspaces)}`
  const measures = {
    get: await timed(calls * 4, () => JSON.parse(String(get.values(anyId())[0]?.[0]))),
    'list of 50 as JSON': await timed(calls, () =>
      Buffer.concat(list.values(workspace()).map(([doc]) => doc as Uint8Array)),
    ),
    'list of 50 as objects': await timed(calls, () =>
      texts.values(workspace()).map(([doc]) => JSON.parse(String(doc))),
    ),
    claim: await timed(calls, () => JSON.parse(String(claim.values(workspace())[0]?.[0]))),
    insert: await timed(calls, () => add(ticket(next++))),
    'insert 64 at once': await timed(calls / 10, () => fresh(64).forEach(add)),
    'insert 1,000': await timed(10, () => addAll(fresh(1000))),
    'group a workspace': await timed(10, () => group.values(workspace())),
  }
  db.close()
  return measures
}

async function measureRawMongo(uri: string, calls: number): Promise<Measures> {
  const client = await new mongoose.mongo.MongoClient(uri).connect()
  const rows = client.db().collection<Record<string, unknown> & { _id: string }>(Ticket.name)
  const workspace = () => ({ workspace_id: `wks_${random.below(workspaces)}` })
  const raw = ({ id, ...row }: Document) => ({ _id: id, ...row, created_date: new Date(row.created_date) })
  const newest = { created_date: -1, _id: -1 } as const
  const list = () =>
    rows.find({ ...workspace(), stage: 'new' }, { projection: { token: 0, workspace_id: 0 } })
  const measures = {
    get: await timed(calls * 4, () => rows.findOne({ _id: anyId() })),
    'list of 50 as JSON': await timed(calls, async () =>
      JSON.stringify(await list().sort(newest).limit(50).toArray()),
    ),
    'list of 50 as objects': await timed(calls, () => list().sort(newest).limit(50).toArray()),
    claim: await timed(calls, () =>
      rows.findOneAndUpdate(
        { ...workspace(), stage: 'new' },
        { $set: { stage: 'won' } },
        { sort: { due_at: -1, _id: -1 } },
      ),
    ),
    insert: await timed(calls, () => rows.insertOne(raw(ticket(next++)))),
    'insert 64 at once': await timed(calls / 10, () =>
      Promise.all(fresh(64).map((row) => rows.insertOne(raw(row)))),
    ),
    'insert 1,000': await timed(10, () => rows.insertMany(fresh(1000).map(raw), { ordered: false })),
    'group a workspace': await timed(10, () =>
      rows
        .aggregate([
          { $match: workspace() },
          { $group: { _id: '$stage', n: { $sum: 1 }, avg: { $avg: '$score' } } },
        ])
        .toArray(),
    ),
  }
  await client.db().dropDatabase()
  await client.close()
  return measures
}

/** Both adapters against the same work by hand: bare `bun:sqlite`, and the raw MongoDB driver where a server is given. */
export async function run(): Promise<void> {
  console.log(`${total.toLocaleString('en')} documents of ${JSON.stringify(ticket(1)).length} bytes`)
  const folder = await mkdtemp(join(tmpdir(), 'renown-bench-'))
  try {
    const path = join(folder, 'documents.db')
    const documents = await openSqlite({ path, now: () => new Date(), log })
    const ours = await measurePort(await fill(documents), 1000)
    await documents.close()
    report('SQLite adapter against bare bun:sqlite', ours, await measureBareSqlite(path, 1000))
  } finally {
    await rm(folder, { recursive: true })
  }
  const base = process.env.RENOWN_TEST_MONGODB_URI
  if (!base) {
    console.log('\nRENOWN_TEST_MONGODB_URI is not set: the MongoDB adapter was not measured.')
    return
  }
  const uri = new URL(base)
  uri.pathname = '/renown_bench'
  const documents = await openMongo({ uri: uri.href, now: () => new Date(), log })
  const ours = await measurePort(await fill(documents), 200)
  await documents.close()
  report('MongoDB adapter against the raw driver', ours, await measureRawMongo(uri.href, 200))
}
