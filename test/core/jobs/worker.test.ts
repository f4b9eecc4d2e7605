import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import * as v from 'valibot'
import type { OwnerContext } from '../../../core/contracts/plugin'
import type { QueueDeclaration, Task } from '../../../core/contracts/queue'
import { ServiceFault } from '../../../core/contracts/service-fault'
import { createEnqueue } from '../../../core/jobs/enqueue'
import { Job } from '../../../core/jobs/Job'
import type { QueueTimes } from '../../../core/jobs/queue'
import { startWorker, type Worker } from '../../../core/jobs/worker'
import { openMongo } from '../../../core/stores/documents/mongo'
import { type Documents, UnavailableError } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { currentWork } from '../../../core/work/scope'
import { describeStores, mongoUri } from '../../support/mongo'
import { quietLog } from '../../support/quiet-log'
import { passTime, waitFor } from '../../support/wait-for'

const clock = { now: () => new Date() }
const owner = {} as OwnerContext
const payload = v.strictObject({ n: v.number() })
type Queue = QueueDeclaration<typeof payload>

const stores = {
  SQLite: () => openSqlite({ path: ':memory:', now: clock.now, log: quietLog }),
  MongoDB: () => openMongo({ uri: mongoUri() ?? '', now: clock.now, log: quietLog }),
}

describeStores<() => Promise<Documents>>(stores, 'A worker on %s', (_, open) => {
  let documents: Documents
  const started: Worker[] = []
  beforeEach(async () => {
    documents = await open()
    await documents.ensure([Job])
    await documents.collection(Job).remove({ op: 'and', of: [] })
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map((worker) => worker.stop()))
    await documents.close()
  })

  function begin(
    queue: Partial<Queue> & Pick<Queue, 'run'>,
    times: Partial<QueueTimes> = { leaseMs: 60_000, beatMs: 20 },
    store: Documents = documents,
  ) {
    const queues = new Map([['count', { summary: 'for the test', payload, ...queue }]])
    const deps = { queues, documents: store, owner, clock, log: quietLog, random: () => 0 }
    const worker = startWorker({ ...deps, times, pollEveryMs: 20 })
    started.push(worker)
    const put = createEnqueue({ registry: { queues }, documents, clock, onEnqueued: worker.wake })
    return {
      worker,
      put: (n: number, key?: string, workspace_id?: string) => put('count', job(n, key, workspace_id)),
    }
  }
  const job = (n: number, key?: string, workspace_id = 'wsp_1') => ({
    workspace_id,
    payload: { n },
    ...(key === undefined ? {} : { key }),
  })
  const rowOf = async (id: string) => {
    const row = await documents.collection(Job).get(id)
    if (!row) throw new Error('the job is gone')
    return row
  }
  const ends = (id: string, state: string) =>
    waitFor(async () => (await rowOf(id)).state === state, { what: `the job to be ${state}`, everyMs: 10 })

  test('runs what is put in, with what it was told, and forgets it later', async () => {
    const told: number[] = []
    const { put } = begin({ run: async (_, { n }) => void told.push(n) })
    const { job_id } = await put(7)
    await ends(job_id, 'done')
    expect(told).toEqual([7])
    expect(Date.parse(String((await rowOf(job_id)).expire_at))).toBeGreaterThan(Date.now() + 86_400_000)
  })

  test('shares the work with other processes, each job to one of them', async () => {
    const running = new Map<number, number>()
    let most = 0
    const run = async (_: OwnerContext, { n }: { n: number }) => {
      running.set(n, (running.get(n) ?? 0) + 1)
      most = Math.max(most, running.get(n) ?? 0)
      await passTime(2)
    }
    const members = [begin({ run, atOnce: 2 }), begin({ run, atOnce: 2 }), begin({ run, atOnce: 2 })]
    const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => members[n % 3]?.put(n)))
    for (const one of ids) await ends(one?.job_id ?? '', 'done')
    expect(most).toBe(1)
    expect(running.size).toBe(30)
  })

  test('runs no more of a queue at once than it may', async () => {
    let at = 0
    let most = 0
    const { put } = begin({
      atOnce: 2,
      run: async () => {
        most = Math.max(most, ++at)
        await passTime(50)
        at--
      },
    })
    const jobs = await Promise.all(Array.from({ length: 8 }, (_, n) => put(n)))
    for (const { job_id } of jobs) await ends(job_id, 'done')
    expect(most).toBe(2)
  })

  test('starts the job of another agency while forty slow ones of one wait', async () => {
    const begun: string[] = []
    const slow = Promise.withResolvers<void>()
    const { put } = begin({
      atOnce: 2,
      run: async (_, { n }, task) => {
        begun.push(task.workspace_id)
        if (n < 100) await slow.promise
      },
    })
    const loud = []
    for (let n = 0; n < 40; n++) loud.push(await put(n))
    await waitFor(async () => begun.length === 2, { what: 'the first two to begin', everyMs: 5 })
    const other = await put(100, undefined, 'wsp_2')
    await ends(other.job_id, 'done')
    expect(begun).toEqual(['wsp_1', 'wsp_1', 'wsp_2'])
    slow.resolve()
    for (const { job_id } of loud) await ends(job_id, 'done')
  })

  test('runs a job for its agency, until its lease ends', async () => {
    const seen: unknown[] = []
    const { put } = begin({
      run: async (_, __, task) => {
        const { tenant, signal, leftMs } = currentWork()
        seen.push(tenant, signal === task.signal, leftMs())
      },
    })
    await ends((await put(1, undefined, 'wsp_2')).job_id, 'done')
    expect(seen).toEqual(['wsp_2', true, Number.POSITIVE_INFINITY])
  })

  test('tries again, with what the last try saved', async () => {
    const seen: unknown[] = []
    const { put } = begin({
      run: async (_, __, task) => {
        seen.push([task.attempt, task.saved])
        if (task.attempt > 1) return
        await task.save({ begun: 'outside_1' })
        await task.progress({ done: 1, total: 2 })
        throw new Error('cut off')
      },
    })
    const { job_id } = await put(1)
    await ends(job_id, 'done')
    expect(seen).toEqual([
      [1, {}],
      [2, { begun: 'outside_1' }],
    ])
    expect((await rowOf(job_id)).progress).toEqual({ done: 1, total: 2 })
  })

  test('gives up what cannot succeed, and lets the queue say what follows', async () => {
    const buried: unknown[] = []
    const { put } = begin({
      run: async () => {
        throw new ServiceFault('auth', 'the connection was revoked', { code: 'invalid_grant' })
      },
      onDeadLetter: async (_, { n }, error, { attempt }) => void buried.push([n, error, attempt]),
    })
    const { job_id } = await put(3)
    await ends(job_id, 'failed')
    const error = { kind: 'auth', code: 'invalid_grant', message: 'the connection was revoked' } as const
    expect(buried).toEqual([[3, error, 1]])
    expect((await rowOf(job_id)).error).toEqual(error)
  })

  test('gives up a job that killed its process each time', async () => {
    const { job_id } = await begin({ run: async () => {}, attemptsMax: 3 }).put(1, 'held back')
    await ends(job_id, 'done')
    const due_at = new Date(0).toISOString()
    const poison = { state: 'running', is_active: true, attempt: 3, due_at } as const
    await documents.collection(Job).updateOne({ op: 'eq', field: 'id', value: job_id }, { set: poison })
    await ends(job_id, 'failed')
    expect((await rowOf(job_id)).error).toMatchObject({ code: 'worker_lost' })
  })

  const away = () => new UnavailableError('ClickHouse at 127.0.0.1 cannot be reached')
  test.each([
    ['as it was thrown', away],
    ['as the cause of another error', () => new Error('The report was not made', { cause: away() })],
  ])('does not count an attempt that ended because an own store was away, %s', async (_, made) => {
    let runs = 0
    const { put } = begin({
      attemptsMax: 2,
      run: async () => {
        if (++runs <= 3) throw made()
      },
    })
    const { job_id } = await put(1)
    await ends(job_id, 'done')
    expect(runs).toBe(4)
    expect(await rowOf(job_id)).toMatchObject({ attempt: 1, waits: 3 })
  })

  test('counts an attempt whose statement was too much for a store', async () => {
    const { put } = begin({
      attemptsMax: 1,
      run: async () => {
        throw new UnavailableError('ClickHouse is not ready: Memory limit exceeded', { isBusy: true })
      },
    })
    const { job_id } = await put(1)
    await ends(job_id, 'failed')
  })

  test('records the end of a job when the documents are back, and does not run it again', async () => {
    let runs = 0
    let isAway = false
    const jobs = documents.collection(Job)
    const updateOne: typeof jobs.updateOne = (...given) =>
      isAway ? Promise.reject(away()) : jobs.updateOne(...given)
    const collection = ((entity) =>
      entity === Job ? { ...jobs, updateOne } : documents.collection(entity)) as Documents['collection']
    const run = async () => {
      runs++
      isAway = true
      setTimeout(() => {
        isAway = false
      }, 300)
    }
    const { put } = begin({ run }, { leaseMs: 60_000, beatMs: 20 }, { ...documents, collection })
    const { job_id } = await put(1)
    await ends(job_id, 'done')
    expect(runs).toBe(1)
  })

  /** Documents that can be away for those that use this view of them, and work that is interrupted by that in its first run. */
  const outage = () => {
    const state = { isAway: false, runs: 0, goOn: Promise.resolve<unknown>(undefined) }
    const jobs = documents.collection(Job)
    const gated = <F extends (...given: never[]) => Promise<unknown>>(call: F) =>
      ((...given) => (state.isAway ? Promise.reject(away()) : call(...given))) as F
    const view = { ...jobs, updateOne: gated(jobs.updateOne), find: gated(jobs.find) }
    const collection = ((entity) =>
      entity === Job ? view : documents.collection(entity)) as Documents['collection']
    const run = async (_: OwnerContext, __: { n: number }, { signal }: Task) => {
      if (++state.runs > 1) return void (await state.goOn)
      state.isAway = true
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    }
    return { state, run, store: { ...documents, collection } }
  }

  test('leaves a job to its process when the documents were away for longer than its lease', async () => {
    const { state, run, store } = outage()
    const times = { leaseMs: 100, beatMs: 100, recordEveryMs: 10 }
    const { put } = begin({ run, attemptsMax: 1 }, times, store)
    // It may be the first to run the job: then its lease must end too.
    begin({ run, attemptsMax: 1 }, { ...times, leaseMs: 5_000 }, store)
    const { job_id } = await put(1)
    await waitFor(async () => state.isAway, { what: 'the first run' })
    const isOver = async () => (await rowOf(job_id)).due_at < new Date(Date.now() - 200).toISOString()
    await waitFor(isOver, { what: 'the end of the lease' })
    state.isAway = false
    await ends(job_id, 'done')
    expect(state.runs).toBe(2)
    expect(await rowOf(job_id)).toMatchObject({ attempt: 1, waits: 1 })
  })

  test('counts no attempt of a job that another process took over because the documents were away for its own', async () => {
    const { state, run, store } = outage()
    const times = { leaseMs: 100, beatMs: 20, recordEveryMs: 10 }
    const { put } = begin({ run, attemptsMax: 2 }, times, store)
    const { promise, resolve } = Promise.withResolvers<unknown>()
    state.goOn = promise
    const { job_id } = await put(1)
    await waitFor(async () => state.isAway, { what: 'the first run' })
    begin({ run, attemptsMax: 2 }, { leaseMs: 60_000, beatMs: 20 })
    await waitFor(async () => state.runs === 2, { what: 'the second run' })
    expect((await rowOf(job_id)).attempt).toBe(2)
    state.isAway = false
    await waitFor(async () => (await rowOf(job_id)).attempt === 1, { what: 'the attempt to be taken back' })
    resolve(undefined)
    await ends(job_id, 'done')
  })

  test('gives up a job whose payload no longer fits', async () => {
    const { put } = begin({ run: async () => {} })
    const { job_id } = await put(1)
    await ends(job_id, 'done')
    const due_at = new Date(0).toISOString()
    const old = { state: 'queued', is_active: true, payload: { m: 1 }, due_at } as const
    await documents.collection(Job).updateOne({ op: 'eq', field: 'id', value: job_id }, { set: old })
    await ends(job_id, 'failed')
    expect((await rowOf(job_id)).error).toMatchObject({ kind: 'permanent', code: 'payload' })
  })

  test('refuses what nobody declared, and a payload that does not fit, when it is put in', async () => {
    const { put } = begin({ run: async () => {} })
    await expect(put('one' as never)).rejects.toThrow('is invalid: n')
    const unknown = createEnqueue({ registry: { queues: new Map() }, documents, clock })
    await expect(unknown('count', job(1))).rejects.toThrow('There is no queue count')
  })

  test('puts back what it runs when it stops, and the next one takes it', async () => {
    let task: Task | undefined
    const first = begin({
      run: async (_, __, mine) => {
        task = mine
        await new Promise((_resolve, reject) => {
          mine.signal.addEventListener('abort', () => reject(mine.signal.reason))
        })
      },
    })
    const { job_id } = await first.put(1)
    await waitFor(() => task !== undefined, { what: 'the run', everyMs: 5 })
    await first.worker.stop()
    expect(await rowOf(job_id)).toMatchObject({ state: 'queued', attempt: 0 })
    begin({ run: async () => {} })
    await ends(job_id, 'done')
  })

  test('waits four seconds at most for a run that does not end when it stops', async () => {
    const end = Promise.withResolvers<void>()
    const first = begin({ run: () => end.promise })
    const { job_id } = await first.put(1)
    await ends(job_id, 'running')
    const waited: unknown[] = []
    const sleep = spyOn(Bun, 'sleep').mockImplementation(async (ms) => void waited.push(ms))
    try {
      await first.worker.stop()
    } finally {
      sleep.mockRestore()
      end.resolve()
    }
    expect(waited).toEqual([4_000])
  })

  test('tells a run whose job was cancelled, and lets it do nothing more', async () => {
    const outcomes: string[] = []
    const { put } = begin({
      run: async (_, __, task) => {
        await waitFor(() => task.signal.aborted, { what: 'the run to be told', everyMs: 5 })
        await task.hold().catch((error: Error) => outcomes.push(error.name))
        throw task.signal.reason
      },
    })
    const { job_id } = await put(1)
    await ends(job_id, 'running')
    const cancelled = { set: { state: 'cancelled', is_active: false }, inc: { fence: 1 } } as const
    await documents.collection(Job).updateOne({ op: 'eq', field: 'id', value: job_id }, cancelled)
    await waitFor(() => outcomes.length > 0, { what: 'the run to end', everyMs: 5 })
    expect(outcomes).toEqual(['LostLease'])
    expect((await rowOf(job_id)).state).toBe('cancelled')
  })
})
