import { afterAll, expect, test } from 'bun:test'
import mongoose from 'mongoose'
import { everything } from '../../../../core/contracts/where'
import { openMongo } from '../../../../core/stores/documents/mongo'
import type { Documents } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import traffic from '../../../../plugins/traffic'
import { BatchClaim } from '../../../../plugins/traffic/records/BatchClaim'
import { claimsFeed } from '../../../../plugins/traffic/sites/claimsFeed'
import { type Gate, startGate } from '../../../support/harness'
import { describeStores, mongoUri } from '../../../support/mongo'
import { quietLog } from '../../../support/quiet-log'

const uri = mongoUri()
const day = 86_400_000
const now = () => new Date()
const stores = {
  SQLite: () => openSqlite({ path: ':memory:', now, log: quietLog }),
  MongoDB: () => openMongo({ uri: uri ?? '', now, log: quietLog }),
}

afterAll(async () => {
  if (uri) await dropDatabase(uri)
})

async function dropDatabase(uri: string): Promise<void> {
  const client = new mongoose.mongo.MongoClient(uri)
  await client.db().dropDatabase()
  await client.close()
}

describeStores<() => Promise<Documents>>(stores, 'claims of batches on %s', (_, open) => {
  async function withClaims(
    work: (claim: (segment: string, ids: string[]) => Promise<readonly string[]>, gate: Gate) => unknown,
  ) {
    const documents = await open()
    const gate = await startGate({ plugins: [traffic], documents })
    const claim = async (segment: string, ids: string[]) =>
      ((await claimsFeed.run(gate.owner, { segment, ids }, 'remote')) as { taken: string[] }).taken
    try {
      await work(claim, gate)
    } finally {
      await documents.collection(BatchClaim).remove(everything)
      await gate.stop()
      await documents.close()
    }
  }

  test('a batch is the first segment’s that asks, and stays so however often it is asked', () =>
    withClaims(async (claim) => {
      expect(await claim('one', ['a', 'b'])).toEqual([])
      expect(await claim('two', ['b', 'c'])).toEqual(['b'])
      expect(await claim('one', ['a', 'b', 'c'])).toEqual(['c'])
      expect(await claim('two', ['a', 'b', 'c', 'c'])).toEqual(['a', 'b'])
      expect(await claim('three', [])).toEqual([])
    }))

  test('of many that ask for the same at the same time each batch goes to one, and all are told the same', () =>
    withClaims(async (claim) => {
      const ids = Array.from({ length: 450 }, (_, n) => `batch-${n}`)
      const segments = ['one', 'two', 'three', 'four', 'five']
      const shuffled = (turn: number) => [...ids.slice(turn * 90), ...ids.slice(0, turn * 90)]
      const rounds = [0, 1].map(async (round) =>
        Promise.all(segments.map(async (segment, turn) => claim(segment, shuffled((turn + round) % 5)))),
      )
      const [first = [], second = []] = await Promise.all(rounds)
      expect(second.map((taken) => taken.toSorted())).toEqual(first.map((taken) => taken.toSorted()))
      const holders = ids.map((id) => first.filter((taken) => !taken.includes(id)).length)
      expect(holders.filter((count) => count !== 1)).toEqual([])
    }))

  test('a claim outlives the seven days in which a sender may repeat, and goes then', () =>
    withClaims(async (claim, gate) => {
      await claim('one', ['a'])
      gate.clock.advance(7 * day + 600_000)
      const time = gate.clock.now().getTime()
      expect(await claim('two', ['a'])).toEqual(['a'])
      const [row] = await gate.documents.collection(BatchClaim).find({ where: everything })
      expect(Date.parse(String(row?.expires_at))).toBeGreaterThan(time)
      expect(Date.parse(String(row?.expires_at))).toBeLessThan(time + day)
    }))
})

test('a store that fails is asked once, and its fault is told', async () => {
  let tries = 0
  const rows = {
    list: async () => [],
    insertMany: async () => {
      if (++tries === 1) throw new Error('the store is away')
    },
  }
  const ctx = { now: () => new Date(), rows: () => rows } as never
  await expect(claimsFeed.run(ctx, { segment: 'one', ids: ['a'] }, 'remote')).rejects.toThrow(
    'the store is away',
  )
  expect(tries).toBe(1)
})

test('batches are looked up and claimed 200 at a time', async () => {
  const sizes: number[][] = []
  const rows = {
    list: async ({ limit }: { limit: number }) => {
      sizes.push([limit])
      return []
    },
    insertMany: async (claims: readonly { expires_at: string }[]) => {
      sizes.at(-1)?.push(claims.length)
      expect(new Set(claims.map(({ expires_at }) => expires_at))).toEqual(
        new Set([new Date(8 * day).toISOString()]),
      )
    },
  }
  const ctx = { rows: () => rows, now: () => new Date(0) }
  const claim = (count: number) =>
    claimsFeed.run(
      ctx as never,
      { segment: 'one', ids: Array.from({ length: count }, (_, n) => `b${n}`) },
      'remote',
    )
  expect(await claim(400)).toEqual({ taken: [] })
  expect(await claim(1)).toEqual({ taken: [] })
  expect(sizes).toEqual([
    [200, 200],
    [200, 200],
    [1, 1],
  ])
})
