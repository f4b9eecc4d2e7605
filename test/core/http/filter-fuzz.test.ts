import { afterAll, describe, expect, test } from 'bun:test'
import mongoose from 'mongoose'
import { definePlugin } from '../../../core/kit'
import { hiddenFields } from '../../../core/kit/fields'
import { openMongo } from '../../../core/stores/documents/mongo'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { arrayFind } from '../../support/array-model'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { mongoUri } from '../../support/mongo'
import { testWith } from '../../support/needs'
import { quietLog } from '../../support/quiet-log'
import { randomDocument, randomSource } from '../../support/random-documents'
import { maliciousFilter, validFilter } from '../../support/random-filters'
import { SampleDay, sampleDayCells, sampleDayTable } from '../../support/sample-day'
import { Sample } from '../../support/sample-entity'
import { sampleRow } from '../../support/sample-row'

const long = process.env.RENOWN_LONG === '1'
/** Column rows cost a query of milliseconds each: fewer valid trees there, as many hostile ones. */
const counts = long
  ? { documents: 50_000, columns: 5000, hostile: 50_000 }
  : { documents: 500, columns: 50, hostile: 200 }
const timeout = long ? 3_600_000 : 60_000

const Plain = { ...Sample, indexes: [{ on: ['stage'] }, { on: ['-score'] }] } as typeof Sample
const plugin = definePlugin({
  name: 'samples',
  renown: '^1.0.0',
  entities: [Plain, { ...SampleDay, idPrefix: 'smd', indexes: [] } as typeof Sample],
  tables: [sampleDayTable],
})
const random = randomSource(20_261_120)
const documents = Array.from({ length: 90 }, (_, n) => ({
  ...randomDocument(random, n),
  ...(random.chance(0.1) ? { removed_at: '2026-01-01T00:00:00.000Z' } : {}),
}))

/** The same rows in a workspace that is asked and, under other ids, in one that is not. */
const columns = await freshColumns()
const gate = await startGate({ plugins: [plugin], columns })
const own = documents.map((row) => ({ ...row, workspace_id: gate.tenant.workspaceId }))
const foreign = documents.map((row) => ({
  ...row,
  id: `${row.id}_x`,
  workspace_id: gate.tenant.otherWorkspaceId,
}))
// What the filters name exists. Filters that name nothing have a test of their own.
for (let n = 0; n < 10; n++)
  await gate.putForeign('BusinessLocation', { ...sampleRow(BusinessLocation, 'x'), id: `loc_${n}` })
await gate.documents.collection(Plain).insertMany([...own, ...foreign])
await columns.insert(
  sampleDayTable.name,
  Object.keys(sampleDayTable.columns),
  [...own, ...foreign].map((row) => sampleDayCells(row, 1)),
)
afterAll(async () => {
  await gate.stop()
  await columns.close()
})

const ask = async (asked: Gate, entity: string, q: string) => {
  const response = await asked.ask(`/api/entities/${entity}?limit=1000&q=${encodeURIComponent(q)}`)
  const body = await response.text()
  return { status: response.status, body }
}

/** What a list must show: the filter inside the workspace, without what lists leave out. */
function expected(filter: ReturnType<typeof validFilter>) {
  const named = /"field":"is_archived"/.test(JSON.stringify(filter.where))
  const where = {
    op: 'and',
    of: [
      filter.where,
      { op: 'eq', field: 'removed_at', value: null },
      ...(named ? [] : [{ op: 'ne', field: 'is_archived', value: true } as const]),
    ],
  } as const
  const hidden = hiddenFields(Plain)
  return arrayFind(own, { where, sort: [{ field: 'created_date', direction: 'desc' }] }).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name))),
  )
}

async function compare(asked: Gate, entity: string, seed: number, shown: (row: { id?: unknown }) => unknown) {
  const filter = validFilter(randomSource(seed))
  const q = JSON.stringify(filter.q)
  const { status, body } = await ask(asked, entity, q)
  const wanted = expected(filter).map(shown)
  const rows = status === 200 ? JSON.parse(body).map(shown) : body
  expect({ seed, q, status, rows }).toEqual({ seed, q, status: 200, rows: wanted })
}

async function attack(asked: Gate, entity: string, seed: number) {
  const q = maliciousFilter(randomSource(seed))
  const { status, body } = await ask(asked, entity, q)
  expect({ seed, q, fits: [200, 400, 404, 422].includes(status) }).toEqual({ seed, q, fits: true })
  if (status !== 200) return status
  const ids = (JSON.parse(body) as { id: string }[]).map(({ id }) => id)
  expect({ seed, q, foreign: ids.filter((id) => id.endsWith('_x')) }).toEqual({ seed, q, foreign: [] })
  expect(Object.keys(JSON.parse(body)[0] ?? {})).not.toContain('secret')
  return status
}

describe('random filters over the gate', () => {
  test(
    `${counts.documents} valid ones show on documents what a plain array shows`,
    async () => {
      for (let seed = 1; seed <= counts.documents; seed++) await compare(gate, 'Sample', seed, (row) => row)
    },
    timeout,
  )

  test(
    `${counts.columns} valid ones show on columns what a plain array shows`,
    async () => {
      for (let seed = 1; seed <= counts.columns; seed++)
        await compare(gate, 'SampleDay', seed, ({ id }) => id)
    },
    timeout,
  )

  test.each(['Sample', 'SampleDay'])(
    `${counts.hostile} hostile ones are refused or harmless on %s, and never our error`,
    async (entity) => {
      const statuses = new Map<number, number>()
      for (let seed = 1; seed <= counts.hostile; seed++) {
        const status = await attack(gate, entity, seed)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      expect(statuses.get(422)).toBeGreaterThan(counts.hostile / 2)
      expect(statuses.get(400)).toBeGreaterThan(counts.hostile / 50)
    },
    timeout,
  )
})

const uri = mongoUri()
testWith('MongoDB')(
  'the same filters show the same on MongoDB',
  async () => {
    const store = await openMongo({ uri: uri ?? '', now: () => new Date(), log: quietLog })
    const other = await startGate({ plugins: [plugin], documents: store })
    try {
      const rows = [...own, ...foreign].map((row) => ({
        ...row,
        workspace_id: row.id.endsWith('_x') ? other.tenant.otherWorkspaceId : other.tenant.workspaceId,
      }))
      await store.collection(Plain).insertMany(rows)
      for (let seed = 1; seed <= counts.documents / 5; seed++) {
        await compare(other, 'Sample', seed, (row) => row)
        await attack(other, 'Sample', seed)
      }
    } finally {
      await other.stop()
      await store.close()
      const client = new mongoose.mongo.MongoClient(uri ?? '')
      await client.db().dropDatabase()
      await client.close()
    }
  },
  timeout,
)
