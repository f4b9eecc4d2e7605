import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import mongoose from 'mongoose'
import type { Where } from 'renown'
import { toMongo } from '../../../../core/query/to-mongo'
import { openMongo } from '../../../../core/stores/documents/mongo'
import { modelOf } from '../../../../core/stores/documents/mongo/model'
import { type Documents, UnavailableError } from '../../../../core/stores/documents/port'
import { all, asc, desc, eq, moment, sample } from '../../../support/conformance/tools'
import { cuttableProxy } from '../../../support/cuttable-proxy'
import { documentsConformance } from '../../../support/documents-conformance'
import { mongoUri } from '../../../support/mongo'
import { describeWith } from '../../../support/needs'
import { quietLog as log } from '../../../support/quiet-log'
import { Sample } from '../../../support/sample-entity'
import { soonMs } from '../../../support/wait-for'

const uri = mongoUri()
const now = () => new Date()

test('a MongoDB that does not answer is unavailable within seconds', async () => {
  const started = performance.now()
  await expect(openMongo({ uri: 'mongodb://127.0.0.1:9/none', now, log })).rejects.toBeInstanceOf(
    UnavailableError,
  )
  expect(performance.now() - started).toBeLessThan(soonMs)
})

describeWith('MongoDB')('a MongoDB server', () => withMongo(uri ?? 'mongodb://127.0.0.1:9/none'))

function withMongo(uri: string): void {
  documentsConformance('MongoDB', async () => {
    const documents = await openMongo({ uri, now, log })
    return { documents, close: () => documents.close() }
  })

  describe('MongoDB', () => {
    const client = new mongoose.mongo.MongoClient(uri)
    let documents: Documents
    beforeAll(async () => {
      documents = await openMongo({ uri, now, log })
      await documents.ensure([Sample])
      await documents.collection(Sample).remove(all)
      await documents
        .collection(Sample)
        .insertMany(Array.from({ length: 40 }, (_, n) => sample(n, { score: n % 5 })))
    })
    afterAll(async () => {
      await client.db().dropDatabase()
      await client.close()
      await documents.close()
    })

    test('a find on a declared index is an index scan', async () => {
      const inside = (...of: Where[]): Where => ({ op: 'and', of: [eq('workspace_id', 'wks_1'), ...of] })
      const byDate = { created_date: -1, _id: -1 } as const
      const cases = [
        [inside(), byDate],
        [inside(eq('stage', 'new')), byDate],
        [inside(eq('location_id', 'loc_1'), eq('stage', 'new')), byDate],
        [inside({ op: 'gt', field: 'score', value: 1 }), { score: -1, _id: -1 }],
        // The two reads of a sort by score with nulls last.
        [inside({ op: 'ne', field: 'score', value: null }), { score: 1, _id: 1 }],
        [inside(eq('score', null)), { _id: 1 }],
        [eq('id', 'smp_0001'), {}],
      ] as const
      for (const [where, sort] of cases) {
        const found = client.db().collection(Sample.name).find(toMongo(where, Sample)).sort(sort)
        const { queryPlanner } = await found.explain('queryPlanner')
        const plan = JSON.stringify(queryPlanner.winningPlan)
        expect([where, plan]).toEqual([where, expect.stringMatching(/IXSCAN|IDHACK|EXPRESS/)])
        expect(plan).not.toMatch(/COLLSCAN|"SORT"/)
      }
    })

    test('stores instants as dates and ids as _id', async () => {
      const stored = await client
        .db()
        .collection<{ _id: string; created_date: Date }>(Sample.name)
        .findOne({ _id: 'smp_0003' })
      expect(stored?.created_date).toEqual(new Date(moment(3)))
      expect(stored).not.toHaveProperty('id')
    })

    test('an operator object that is not of our making is taken for a value', async () => {
      const own = new mongoose.Mongoose()
      own.set('sanitizeFilter', true)
      own.set('strictQuery', 'throw')
      const connection = own.createConnection(uri, { bufferCommands: false })
      await connection.asPromise()
      const model = modelOf(connection, Sample)
      const count = async (filter: Record<string, unknown>) => model.countDocuments(filter)
      expect(await count(toMongo({ op: 'ne', field: 'stage', value: 'won' }, Sample))).toBe(40)
      await expect(count({ stage: { $ne: 'won' } })).rejects.toThrow('Cast')
      await expect(count({ $where: '1' })).rejects.toThrow()
      await expect(count({ nope: 1 })).rejects.toThrow('strict')
      await connection.close()
    })

    test('a connection that is lost is unavailable quickly, and works when it is back', async () => {
      const target = new URL(uri)
      const proxy = cuttableProxy(target.hostname, Number(target.port || 27017))
      target.hostname = '127.0.0.1'
      target.port = String(proxy.port)
      target.searchParams.set('directConnection', 'true')
      const through = await openMongo({ uri: target.href, now, log })
      const rows = through.collection(Sample)
      expect(await rows.count(all)).toBe(40)
      proxy.cut()
      const started = performance.now()
      const work = [
        rows.get('smp_0001'),
        rows.find({ where: all, sort: [asc('id')], limit: 1 }),
        rows.insert(sample(99)),
        rows.updateOne(eq('id', 'smp_0001'), { inc: { rank: 1 } }),
        rows.group({ by: ['stage'], measures: [] }),
        through.ping(),
      ]
      for (const outcome of await Promise.allSettled(work)) {
        expect(outcome.status === 'rejected' ? outcome.reason : outcome).toBeInstanceOf(UnavailableError)
      }
      expect(performance.now() - started).toBeLessThan(soonMs)
      proxy.mend()
      expect((await rows.find({ where: all, sort: [desc('id')], limit: 1 }))[0]?.id).toStartWith('smp_')
      await through.close()
      proxy.stop()
    }, 90_000)
  })
}
