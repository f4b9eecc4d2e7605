import { expect, test } from 'bun:test'
import type { AnyEntity } from '../../../../core/contracts/entity'
import { openMongo } from '../../../../core/stores/documents/mongo'
import type { Documents } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { arrayFind } from '../../../support/array-model'
import { describeStores, mongoUri } from '../../../support/mongo'
import { quietLog as log } from '../../../support/quiet-log'
import { type Random, randomDocument, randomSource, randomWhere } from '../../../support/random-documents'
import { Sample } from '../../../support/sample-entity'

const now = () => new Date()
const Counted = {
  ...Sample,
  name: 'Counted',
  indexes: [],
  counts: {
    by: ['stage', 'kind', 'title', 'is_open', 'is_archived'],
    bySet: ['seen_at', 'due', 'score'],
  },
} as unknown as AnyEntity
const fields = ['workspace_id', 'location_id', 'stage', 'kind', 'title', 'is_open', 'is_archived']
const counted = { as: 'n', fn: 'count' } as const
const all = { op: 'and', of: [] } as const

const opened = {
  SQLite: () => openSqlite({ path: ':memory:', now, log }),
  MongoDB: () => openMongo({ uri: mongoUri() ?? '', now, log }),
}

describeStores<() => Promise<Documents>>(opened, 'counts in %s', (_, open) => {
  test('equal a plain count after random writes, some of them refused', async () => {
    const random = randomSource(20261123)
    const store = await open()
    try {
      await store.ensure([Counted])
      const rows = store.collection(Counted)
      for (let round = 0; round < 12; round++) {
        await Promise.allSettled(Array.from({ length: 8 }, () => writeOnce(store, random)))
        const stored = await rows.find({ where: all })
        for (let query = 0; query < 25; query++) {
          const where = query % 5 === 0 ? setWhere(random) : randomWhere(random, 3, fields)
          const limit = query % 7 === 0 ? 3 : undefined
          const wanted = arrayFind(stored, { where, sort: [] }).length
          const count = await rows.count(where, limit)
          expect({ where, count }).toEqual({ where, count: Math.min(wanted, limit ?? wanted) })
          const groups = await rows.group({ where, by: ['stage', 'is_open'], measures: [counted] })
          const told = groups.map(({ stage, is_open, n }) => JSON.stringify([stage, is_open, n]))
          const found = arrayFind(stored, { where, sort: [] })
          const byHand = Map.groupBy(found, ({ stage, is_open }) => JSON.stringify([stage, is_open ?? null]))
          const plain = [...byHand].map(([keys, some]) => JSON.stringify([...JSON.parse(keys), some.length]))
          expect({ where, told: told.toSorted() }).toEqual({ where, told: plain.toSorted() })
        }
      }
      await rows.remove(all)
      expect(await rows.count(all)).toBe(0)
    } finally {
      await store.close()
    }
  })
})

const setWhere = (random: Random) => {
  const field = random.one(['seen_at', 'due', 'score'])
  const none = { op: random.one(['eq', 'ne'] as const), field, value: null }
  const exists = { op: 'exists', field, value: random.chance(0.5) } as const
  const stage = { op: 'eq', field: 'stage', value: 'new' } as const
  return { op: 'and', of: [random.chance(0.5) ? none : exists, stage] } as const
}

/** Writes once in a random way. Ids repeat, so that inserts are refused too. */
async function writeOnce(store: Documents, random: Random): Promise<void> {
  const rows = store.collection(Counted)
  const document = () => randomDocument(random, random.below(60))
  const where = random.chance(0.5)
    ? ({ op: 'eq', field: 'id', value: `smp_${random.below(60)}` } as const)
    : randomWhere(random, 1, fields)
  const set = { stage: random.one(['new', 'won']), title: random.one(['a\0b', 'a', '"', 'null', 'é']) }
  const patch = { set, unset: [random.one(['kind', 'seen_at', 'is_open', 'due'])] }
  const ways = [
    () => rows.insert(document()),
    () => rows.insertMany(Array.from({ length: 6 }, document)),
    () => rows.updateOne(where, patch),
    () => rows.updateOne(where, { set: { seen_at: new Date(0).toISOString(), kind: null } }),
    () => rows.updateMany(where, { set }),
    () => rows.remove({ op: 'and', of: [where, { op: 'eq', field: 'is_archived', value: true }] }),
  ]
  await random.one(ways)()
}
