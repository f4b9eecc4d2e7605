import { expect } from 'bun:test'
import { openMongo } from '../../../../core/stores/documents/mongo'
import { all, eq, sample } from '../../../support/conformance/tools'
import { mongoUri } from '../../../support/mongo'
import { startMongoProxy } from '../../../support/mongo-proxy'
import { testWith } from '../../../support/needs'
import { quietLog as log } from '../../../support/quiet-log'
import { Sample } from '../../../support/sample-entity'
import { passTime, waitFor } from '../../../support/wait-for'

testWith('MongoDB', 'node')(
  'a primary that steps down delays commands for one row and reads, and none of them fails, is lost or is done twice',
  async () => {
    const proxy = await startMongoProxy(mongoUri() ?? '', { isSet: true, leaderlessMs: 5_000 })
    const documents = await openMongo({ uri: proxy.uri, now: () => new Date(), log })
    try {
      await documents.ensure([Sample])
      const rows = documents.collection(Sample)
      await rows.insert(sample(0, { id: 'counter', attempts: 0 }))
      const counts = { inserted: 0, counted: 0, many: 0, read: 0 }
      const failed: string[] = []
      let isOver = false
      const client = async (kind: keyof typeof counts, one: (n: number) => Promise<unknown>) => {
        for (let n = 0; !isOver; n++) {
          await one(n).then(
            () => counts[kind]++,
            (error: Error) => failed.push(`${kind}: ${error.name} ${error.message}`),
          )
          await passTime(5)
        }
      }
      const clients = [
        client('inserted', (n) => rows.insert(sample(n + 1, { id: `row-${n}` }))),
        client('counted', () => rows.updateOne(eq('id', 'counter'), { inc: { attempts: 1 } })),
        client('many', () => rows.updateMany(eq('kind', 'many'), { set: { title: 'again' } })),
        client('read', () => rows.count(all)),
      ]
      for (let round = 0; round < 2; round++) {
        await passTime(500)
        await proxy.begin('step-down')
        const before = { ...counts }
        const isBack = () => Object.entries(before).every(([kind, n]) => counts[kind as 'read'] > n + 5)
        await waitFor(isBack, { what: 'every command to work again' })
      }
      isOver = true
      await Promise.all(clients)
      // A command for several rows may have changed some of them, so only its caller can decide to repeat it.
      const isOfMany = (what: string) => what.startsWith('many: UnavailableError')
      expect(failed.filter((what) => !isOfMany(what))).toEqual([])
      expect(failed.length).toBeLessThanOrEqual(2)
      expect(await rows.count(all)).toBe(counts.inserted + 1)
      expect((await rows.get('counter'))?.attempts).toBe(counts.counted)
    } finally {
      await documents.close()
      await proxy.stop()
    }
  },
  120_000,
)
