import { afterEach, beforeEach, expect, test } from 'bun:test'
import { where } from '../../../../core/contracts/where'
import { bucketOf, createBuckets } from '../../../../core/outbound/limits/bucket'
import { ServicePace } from '../../../../core/outbound/limits/ServicePace'
import type { Documents } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { describeGateStores } from '../../../support/mongo'
import { quietLog } from '../../../support/quiet-log'

const now = () => new Date()

describeGateStores('A bucket in %s', (_, open) => {
  let documents: Documents
  beforeEach(async () => {
    documents = (await open()) ?? (await openSqlite({ path: ':memory:', now, log: quietLog }))
    await documents.ensure([ServicePace])
  })
  afterEach(() => documents.close())

  /** Processes whose own clocks are an hour apart. */
  const processes = () =>
    [-3_600_000, 0, 3_600_000].map((wrongBy) =>
      createBuckets({ documents, clock: { now: () => new Date(Date.now() + wrongBy) } }),
    )

  test('is never overdrawn by processes that take at once, and leaves what is kept', async () => {
    // Six at once, of which reading leaves five, and six more in a minute.
    const bucket = bucketOf('google:client', 12, 5)
    const began = performance.now()
    const take = async (spare: number) => {
      const taken = await Promise.all(
        Array.from({ length: 5 }, () => processes().map((one) => one.take(bucket, 2, spare))).flat(),
      )
      return taken.reduce((sum, { granted }) => sum + granted, 0)
    }
    const reading = await take(5)
    const later = () => Math.floor((performance.now() - began) / 10_000)
    expect(reading).toBeGreaterThanOrEqual(1)
    expect(reading).toBeLessThanOrEqual(1 + later())
    const all = reading + (await take(0))
    expect(all).toBeGreaterThanOrEqual(6)
    expect(all).toBeLessThanOrEqual(6 + later())
  })

  test('that is closed stays closed for every process until the later of two ends', async () => {
    const bucket = bucketOf('google:client', 290, 10)
    const [one, two] = processes()
    await one?.close(bucket, 600_000)
    await two?.close(bucket, 60_000)
    const grant = await two?.take(bucket, 1)
    expect(grant).toMatchObject({ granted: 0, isClosed: true })
    expect(grant?.waitMs).toBeGreaterThan(60_000)
    // Never for more than an hour, whatever the service asked for.
    await one?.close(bucket, 7 * 86_400_000)
    expect((await one?.take(bucket, 1))?.waitMs).toBeLessThanOrEqual(3_600_000)
  })

  test('that a wrong clock closed for a year is open, and can be closed again', async () => {
    const bucket = bucketOf('google:client', 290, 10)
    const [one] = processes()
    await one?.take(bucket, 1)
    const closed_until = new Date(Date.now() + 365 * 86_400_000).toISOString()
    await documents.collection(ServicePace).updateOne(where.eq('id', bucket.id), { set: { closed_until } })
    expect(await one?.take(bucket, 1)).toMatchObject({ granted: 1, isClosed: false })
    await one?.close(bucket, 60_000)
    expect(await one?.take(bucket, 1)).toMatchObject({ granted: 0, isClosed: true })
  })
})
