import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GroupQuery, GroupRow } from 'renown'
import { hiddenFields } from '../../../../core/kit/fields'
import { openMongo } from '../../../../core/stores/documents/mongo'
import type { Collection, Documents } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { arrayFind, arrayGroup } from '../../../support/array-model'
import { dropDatabase, mongoUri } from '../../../support/mongo'
import { testWith } from '../../../support/needs'
import { quietLog as log } from '../../../support/quiet-log'
import {
  type Random,
  randomDocument,
  randomEntity,
  randomSort,
  randomSource,
  randomWhere,
} from '../../../support/random-documents'

const long = process.env.RENOWN_LONG === '1'
const queriesPerRound = 100
const rounds = long ? 1000 : 8
const now = () => new Date()

const uri = mongoUri()
let folder: string
let stores: Documents[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renown-differential-'))
  stores = [
    await openSqlite({ path: ':memory:', now, log }),
    await openSqlite({ path: join(folder, 'documents.db'), now, log }),
  ]
  if (uri) stores.push(await openMongo({ uri, now, log }))
})
afterAll(async () => {
  if (uri) await dropDatabase(uri)
  for (const store of stores) await store.close()
  await rm(folder, { recursive: true })
})

testWith('MongoDB')('MongoDB is one of the stores that are compared', () => {
  expect(stores.map(({ kind }) => kind)).toEqual(['sqlite', 'sqlite', 'mongodb'])
})

async function compareRound(seed: number): Promise<void> {
  const random = randomSource(seed)
  const entity = randomEntity(random, `Sample${seed}`)
  const documents = Array.from({ length: 20 + random.below(60) }, (_, n) => randomDocument(random, n))
  const collections: Collection[] = []
  for (const store of stores) {
    await store.ensure([entity])
    const collection = store.collection(entity)
    await collection.remove({ op: 'and', of: [] })
    expect(await collection.insertMany(documents)).toEqual({ inserted: documents.length, failures: [] })
    collections.push(collection)
  }
  for (let place = 0; place < queriesPerRound; place++) {
    const clamp = { op: 'eq', field: 'workspace_id', value: 'wks_1' } as const
    const free = randomWhere(random, 3)
    const where = random.chance(0.5) ? free : ({ op: 'and', of: [clamp, free] } as const)
    const query = {
      where,
      sort: randomSort(random),
      ...(random.chance(0.5) ? { limit: 1 + random.below(10) } : {}),
      ...(random.chance(0.3) ? { skip: random.below(10) } : {}),
    }
    const groups = randomGroups(random)
    const wanted = arrayFind(documents, query)
    const last = wanted.at(Math.floor(wanted.length / 2))
    for (const [store, collection] of collections.entries()) {
      const about = { seed, store: stores[store]?.kind, query }
      expect<unknown>({ ...about, rows: await collection.find(query) }).toEqual({ ...about, rows: wanted })
      if (place % 5 > 0) continue
      const count = arrayFind(documents, { where, sort: [] }).length
      expect({ ...about, count: await collection.count(where) }).toEqual({ ...about, count })
      await compareGroups(collection, groups, documents, about)
      if (last) await comparePage(collection, entity, query, last, documents, about)
    }
  }
}

async function comparePage(
  collection: Collection,
  entity: ReturnType<typeof randomEntity>,
  query: Parameters<typeof arrayFind>[1],
  last: Readonly<Record<string, unknown>>,
  documents: Parameters<typeof arrayFind>[0],
  about: object,
): Promise<void> {
  const whole = arrayFind(documents, { where: query.where, sort: query.sort })
  const place = whole.findIndex(({ id }) => id === last.id)
  const omit = hiddenFields(entity)
  const values = query.sort.map(({ field }) => (last[field] ?? null) as string | number | boolean | null)
  const { where, sort } = query
  const page = await collection.findJson({
    where,
    sort,
    after: { values, id: String(last.id) },
    limit: 7,
    omit,
  })
  const body = typeof page.body === 'string' ? page.body : new TextDecoder().decode(page.body)
  const wanted = whole.slice(place + 1, place + 8).map((row) => {
    return Object.fromEntries(Object.entries(row).filter(([name]) => !omit.includes(name)))
  })
  expect({ ...about, rows: JSON.parse(body) }).toEqual({ ...about, rows: wanted })
  expect(page.more).toBe(whole.length > place + 8)
}

const cuts = ['day', 'week', 'month'] as const
const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia']

const randomGroups = (random: Random): GroupQuery => {
  const period = { field: 'seen_at', unit: random.one(cuts), timezone: random.one(zones) }
  return {
    where: randomWhere(random, 2),
    by: random.one([['stage'], ['is_open', 'kind'], [period], ['author.handle', period], ['score']]),
    measures: [
      { as: 'n', fn: 'count' },
      { as: 'filled', fn: 'count', field: random.one(['due', 'author.handle']) },
      { as: 'sum', fn: 'sum', field: 'rank' },
      { as: 'avg', fn: 'avg', field: 'rank' },
      { as: 'low', fn: 'min', field: 'due' },
      { as: 'high', fn: 'max', field: 'created_date' },
    ],
    ...(random.chance(0.3) ? { limit: 2 } : {}),
  }
}

async function compareGroups(
  collection: Collection,
  query: GroupQuery,
  documents: Parameters<typeof arrayFind>[0],
  about: object,
): Promise<void> {
  const rounded = (rows: readonly GroupRow[]) =>
    rows.map((row) => ({
      ...row,
      sum: Number(row.sum).toPrecision(9),
      avg: row.avg === null ? null : Number(row.avg).toPrecision(9),
    }))
  expect({ ...about, query, rows: rounded(await collection.group(query)) }).toEqual({
    ...about,
    query,
    rows: rounded(arrayGroup(documents, query)),
  })
}

test(
  `${rounds * queriesPerRound} random queries answer alike on every store and on a plain array`,
  async () => {
    for (let seed = 1; seed <= rounds; seed++) await compareRound(seed)
  },
  long ? 3_600_000 : 180_000,
)
