import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { JobDeclaration, OwnerContext } from '../../../core/contracts/plugin'
import { JobLease } from '../../../core/jobs/JobLease'
import { type Jobs, startJobs } from '../../../core/jobs/scheduler'
import { openMongo } from '../../../core/stores/documents/mongo'
import { type Documents, UnavailableError } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { mongoUri } from '../../support/mongo'
import { describeWith } from '../../support/needs'
import { quietLog } from '../../support/quiet-log'
import { passTime, turns, waitFor } from '../../support/wait-for'

const clock = { now: () => new Date() }
const owner = {} as OwnerContext
const started: Jobs[] = []
let documents: Documents
beforeEach(async () => {
  documents = await openSqlite({ path: ':memory:', now: clock.now, log: quietLog })
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()))
  await documents.close()
})

function process(documents: Documents, job: JobDeclaration, log = quietLog, other?: JobDeclaration): Jobs {
  // No lease ends while a busy machine holds the process up. Processes that stop give theirs back.
  const times = { ttlMs: 60_000, beatMs: 20, keptEveryMs: 0 }
  const jobsByName = new Map([['seal', job], ...(other ? [['other', other] as const] : [])])
  const registry = { jobs: jobsByName }
  const jobs = startJobs({ registry, documents, owner, clock, log, random: () => 0, times })
  started.push(jobs)
  return jobs
}
const periodic = (everyMs: number, run: JobDeclaration['run']): JobDeclaration => ({
  summary: 'for the test',
  everyMs,
  run,
})

describe('A job', () => {
  test('has one runner at a time however many processes there are', async () => {
    let at = 0
    let most = 0
    let runs = 0
    const job = periodic(5, async () => {
      most = Math.max(most, ++at)
      await passTime(3)
      at--
      runs++
    })
    for (let n = 0; n < 4; n++) process(documents, job)
    await waitFor(() => runs >= 10, { what: 'ten runs', everyMs: 5 })
    expect(most).toBe(1)
  })

  test('runs no more often with more processes or after a restart', async () => {
    let runs = 0
    const job = periodic(60_000, async () => {
      runs++
    })
    const first = process(documents, job)
    await waitFor(() => runs === 1, { what: 'the first run', everyMs: 5 })
    await first.stop()
    // Another job of the same processes: when it has run often, they have looked at this one as often.
    let looks = 0
    const other = periodic(2, async () => void looks++)
    process(documents, job, quietLog, other)
    process(documents, job, quietLog, other)
    await waitFor(() => looks >= 8, { what: 'the new processes to look', everyMs: 5 })
    expect(runs).toBe(1)
  })

  test('runs at once when asked, and once more when asked while it runs', async () => {
    let runs = 0
    const jobs = process(
      documents,
      periodic(60_000, async () => {
        runs++
        await passTime(10)
      }),
    )
    await waitFor(() => runs === 1, { what: 'the first run', everyMs: 1 })
    const asked = await Promise.all([jobs.runNow('seal'), jobs.runNow('seal'), jobs.runNow('seal')])
    expect([asked, runs]).toEqual([[true, true, true], 2])
    await expect(jobs.runNow('none')).rejects.toThrow('no job none')
  })

  test('that comes often keeps its lease, writing only beats, and gives it back when its process stops', async () => {
    let writes = 0
    const counted: Documents = {
      ...documents,
      collection: (entity) => {
        const collection = documents.collection(entity)
        return {
          ...collection,
          updateOne: (...given) => {
            writes++
            return collection.updateOne(...given)
          },
        }
      },
    }
    let runs = 0
    const job = periodic(1, async () => {
      runs++
    })
    const began = performance.now()
    const first = startJobs({
      registry: { jobs: new Map([['seal', job]]) },
      documents: counted,
      owner,
      clock,
      log: quietLog,
      random: () => 0,
    })
    await waitFor(() => runs >= 20, { what: 'twenty runs', everyMs: 5 })
    // A run that did not keep the lease would write twice. A beat comes every two seconds, on a slow machine too.
    expect(writes).toBeLessThan(5 + (performance.now() - began) / 2_000)
    await first.stop()
    const before = runs
    process(documents, job)
    await waitFor(() => runs > before, { what: 'the next process', everyMs: 5 })
  })

  test('that fails is logged, put off, and tried again', async () => {
    const logged: unknown[] = []
    let runs = 0
    const job = periodic(10, async () => {
      if (++runs <= 2) throw new Error('the store is away')
    })
    process(documents, job, { ...quietLog, error: (_, fields) => logged.push(fields) })
    await waitFor(() => runs >= 3, { what: 'a third run', everyMs: 5 })
    expect(logged).toEqual([
      { job: 'seal', error: 'the store is away', failures: 1, next_ms: 20 },
      { job: 'seal', error: 'the store is away', failures: 2, next_ms: 40 },
    ])
  })

  test('that an own store ended counts no failure, and keeps what failed before', async () => {
    const logged: unknown[] = []
    let runs = 0
    const job = periodic(10, async () => {
      runs++
      throw runs === 1 ? new Error('the platform failed') : new UnavailableError('ClickHouse is away')
    })
    process(documents, job, { ...quietLog, warn: (_, fields) => logged.push(fields) })
    await waitFor(() => logged.length > 0, { what: 'the second run', everyMs: 5 })
    expect(logged).toEqual([{ job: 'seal', error: 'ClickHouse is away', next_ms: 1_000 }])
    const leases = documents.collection(JobLease)
    // Taken and released, twice.
    await waitFor(async () => Number((await leases.get('seal'))?.fence) >= 4, { what: 'the end', everyMs: 5 })
    expect(await leases.get('seal')).toMatchObject({ failures: 1, last_error: 'the platform failed' })
  })

  test('is aborted and waited for when the product stops, and is due again at once', async () => {
    let ended = false
    let begun = 0
    const job = periodic(60_000, async (_, signal) => {
      begun++
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      ended = true
    })
    const jobs = process(documents, job)
    await waitFor(() => begun === 1, { what: 'the run', everyMs: 1 })
    await jobs.stop()
    expect(ended).toBe(true)
    process(documents, job)
    await waitFor(() => begun === 2, { what: 'the next process', everyMs: 5 })
  })

  test('that takes long to end is waited for when the product stops', async () => {
    const begun = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const order: string[] = []
    const jobs = process(
      documents,
      periodic(60_000, async () => {
        begun.resolve()
        await finish.promise
        order.push('ended')
      }),
    )
    await begun.promise
    const stopped = jobs.stop().then(() => order.push('stopped'))
    await turns(50)
    expect(order).toEqual([])
    finish.resolve()
    await stopped
    expect(order).toEqual(['ended', 'stopped'])
  })

  test('goes on when the store was away', async () => {
    let away = true
    let refused = 0
    const flaky: Documents = {
      ...documents,
      collection: (entity) => {
        const collection = documents.collection(entity)
        return {
          ...collection,
          updateOne: (...given) => {
            if (!away) return collection.updateOne(...given)
            refused++
            return Promise.reject(new Error('away'))
          },
        }
      },
    }
    let runs = 0
    process(
      flaky,
      periodic(10, async () => {
        runs++
      }),
    )
    await waitFor(() => refused > 0, { what: 'the store to be asked', everyMs: 2 })
    expect(runs).toBe(0)
    away = false
    await waitFor(() => runs > 0, { what: 'a run', everyMs: 5 })
  })
})

const uri = mongoUri()
describeWith('MongoDB')('A job on MongoDB', () => {
  test('has one runner at a time over connections of their own, and passes on when one stops', async () => {
    const stores = await Promise.all(
      [1, 2, 3].map(() => openMongo({ uri: uri ?? '', now: clock.now, log: quietLog })),
    )
    let at = 0
    let most = 0
    const ran = [0, 0, 0]
    const processes = stores.map((store, n) =>
      process(
        store,
        periodic(5, async () => {
          most = Math.max(most, ++at)
          await passTime(2)
          at--
          ran[n] = (ran[n] ?? 0) + 1
        }),
      ),
    )
    const total = () => ran.reduce((sum, runs) => sum + runs, 0)
    await waitFor(() => total() >= 6, { what: 'six runs', everyMs: 5 })
    await processes[0]?.stop()
    await processes[1]?.stop()
    const before = ran[2] ?? 0
    await waitFor(() => (ran[2] ?? 0) > before, { what: 'a run of the last', everyMs: 5 })
    expect(most).toBe(1)
    await processes[2]?.stop()
    await Promise.all(stores.map((store) => store.close()))
  })
})
