import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceFault } from '../../../core/contracts/service-fault'
import { where } from '../../../core/contracts/where'
import { Job } from '../../../core/jobs/Job'
import {
  type Claimed,
  type ClaimedJob,
  claim,
  createOwnTime,
  enqueue,
  freeJobs,
  LostLease,
  queueTimes,
} from '../../../core/jobs/queue'
import { toSqlite } from '../../../core/query/to-sqlite'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { quietLog } from '../../support/quiet-log'

const minute = 60_000
const hour = 60 * minute
const started = Date.parse('2026-01-01T00:00:00.000Z')

let storeTime: number
let documents: Documents
beforeEach(async () => {
  storeTime = started
  documents = await openSqlite({ path: ':memory:', now: () => new Date(storeTime), log: quietLog })
  await documents.ensure([Job])
})
afterEach(() => documents.close())

/** A process of its own, whose clock is wrong by so much. */
function member(holder: string, { wrongBy = 0, random = 0 } = {}) {
  const clock = { now: () => new Date(storeTime + wrongBy) }
  const ownTime = createOwnTime(clock)
  const isWorkedOn = async () => true
  const deps = { documents, clock, holder, times: queueTimes, random: () => random, isWorkedOn }
  return {
    put: (key?: string, runAt?: Date) =>
      enqueue(documents, clock, { queue: 'sync', workspace_id: 'wsp_1', payload: {}, key, runAt }),
    claim: () => claim(deps, { queues: ['sync'], without: [] }, ownTime),
  }
}
function fileStore() {
  const folder = mkdtempSync(join(tmpdir(), 'renown-queue-'))
  return { path: join(folder, 'x.db'), [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
const held = ({ held }: Claimed): ClaimedJob => {
  if (!held) throw new Error('nothing was taken')
  return held
}
const row = async (id: string) => (await documents.collection(Job).get(id)) as unknown as ClaimedJob['row']

describe('A queue', () => {
  test('holds one active job of a key, and the next once that has ended', async () => {
    const { put, claim } = member('a')
    const first = await put('loc_1')
    expect(await put('loc_1')).toEqual({ job_id: first.job_id, deduplicated: true })
    const job = held(await claim())
    expect((await put('loc_1')).deduplicated).toBe(true)
    await job.done()
    expect((await put('loc_1')).deduplicated).toBe(false)
    expect((await put('loc_2')).deduplicated).toBe(false)
  })

  test('keeps the jobs of one key apart by workspace', async () => {
    const clock = { now: () => new Date(storeTime) }
    const put = (workspace_id: string) =>
      enqueue(documents, clock, { queue: 'any', workspace_id, key: 'a name', payload: {} })
    const mine = await put('wks_1')
    const theirs = await put('wks_2')
    expect([mine.deduplicated, theirs.deduplicated]).toEqual([false, false])
    expect(await put('wks_2')).toEqual({ job_id: theirs.job_id, deduplicated: true })
  })

  test('finds the job of a key without looking through all that wait', async () => {
    using store = fileStore()
    const own = await openSqlite({ path: store.path, now: () => new Date(started), log: quietLog })
    await own.ensure([Job])
    await own.close()
    const db = new Database(store.path, { readonly: true })
    const same = where.and(where.eq('queue', 'sync'), where.eq('key', 'loc_1'), where.eq('is_active', true))
    const { sql, params } = toSqlite(same, (path) => ({ value: `"${path}"` }))
    const plan = db
      .query(`EXPLAIN QUERY PLAN SELECT doc FROM "Job" WHERE ${sql} LIMIT 1`)
      .all(...(params as string[]))
    db.close()
    expect(JSON.stringify(plan)).toContain('(key=? AND queue=?)')
  })

  test('of eight askers at once puts one job in', async () => {
    const { put } = member('a')
    const put8 = await Promise.all(Array.from({ length: 8 }, () => put('loc_1')))
    expect(put8.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1)
    expect(new Set(put8.map(({ job_id }) => job_id)).size).toBe(1)
  })

  test('hands each job to one of eight processes, whatever their clocks say', async () => {
    const members = Array.from({ length: 8 }, (_, n) => member(`p${n}`, { wrongBy: (n - 4) * hour }))
    for (let n = 0; n < 5; n++) await member('a').put(`loc_${n}`)
    const taken: string[] = []
    for (let round = 0; round < 3; round++) {
      const claims = await Promise.all(members.map(({ claim }) => claim()))
      taken.push(...claims.flatMap(({ held }) => (held ? [held.row.id] : [])))
    }
    expect(taken.length).toBe(5)
    expect(new Set(taken).size).toBe(5)
  })

  test('keeps a job back until it is due, and says how long that is', async () => {
    const { put, claim } = member('a')
    await put('loc_1', new Date(started + minute))
    expect(await claim()).toEqual({ held: null, waitMs: Number.POSITIVE_INFINITY })
    expect(await claim()).toEqual({ held: null, waitMs: minute })
    storeTime += minute
    held(await claim())
  })

  test('passes a job on when its holder is silent, and refuses what that one writes then', async () => {
    const { job_id } = await member('a').put()
    const first = held(await member('a').claim())
    storeTime += queueTimes.leaseMs - 1
    expect((await member('b').claim()).held).toBeNull()
    storeTime += 1
    const second = held(await member('b').claim())
    expect([first.row.attempt, second.row.attempt]).toEqual([1, 2])
    for (const write of [first.beat, first.done, first.giveBack, () => first.save({})]) {
      await expect(write()).rejects.toBeInstanceOf(LostLease)
    }
    await second.done()
    expect(await row(job_id)).toMatchObject({ state: 'done', is_active: false, holder: 'b' })
  })

  test('is kept by speaking up', async () => {
    await member('a').put()
    const job = held(await member('a').claim())
    for (let n = 0; n < 5; n++) {
      storeTime += queueTimes.leaseMs - 1
      await job.progress({ done: n, total: 5 })
      expect((await member('b').claim()).held).toBeNull()
    }
    await job.done()
  })

  test('frees the jobs of a process that is known to be gone', async () => {
    await member('a').put()
    const gone = held(await member('a').claim())
    await freeJobs(documents)
    const next = held(await member('b').claim())
    expect(next.row.id).toBe(gone.row.id)
    await expect(gone.done()).rejects.toBeInstanceOf(LostLease)
  })

  test('puts what is given back in as if it had not begun', async () => {
    const { job_id } = await member('a').put()
    await held(await member('a').claim()).giveBack()
    expect(await row(job_id)).toMatchObject({ state: 'queued', attempt: 0 })
  })
})

describe('A job that failed', () => {
  const fail = async (error: unknown, { attemptsMax = 8, random = 0 } = {}) => {
    const one = member('a', { random })
    const { job_id } = await one.put()
    const job = held(await one.claim())
    const outcome = await job.failed(error, attemptsMax)
    const after = await row(job_id)
    return { outcome, after, waitMs: Date.parse(after.due_at) - storeTime }
  }

  test('waits twice as long at most each time, spread over the whole of it', async () => {
    const { put, claim } = member('a', { random: 1 })
    await put()
    const waits: number[] = []
    for (let n = 0; n < 12; n++) {
      const job = held(await claim())
      await job.failed(new Error('no'), 20)
      const wait = Date.parse((await row(job.row.id)).due_at) - storeTime
      waits.push(wait / 1_000)
      storeTime += wait
    }
    expect(waits).toEqual([3, 5, 9, 17, 33, 65, 129, 257, 513, 901, 901, 901])
  })

  test('comes no sooner than the service asked', async () => {
    const { waitMs } = await fail(new ServiceFault('transient', 'busy', { retryAfterMs: 90_000 }))
    expect(waitMs).toBe(90_000)
  })

  test('keeps its tries when a limit or a quota put it off', async () => {
    const rate = await fail(new ServiceFault('rate', 'slow down', { retryAfterMs: 5_000 }))
    expect([rate.outcome, rate.waitMs, rate.after.attempt, rate.after.waits]).toEqual(['again', 5_000, 0, 1])
    const quota = await fail(new ServiceFault('quota', 'none left'))
    expect([quota.outcome, quota.waitMs, quota.after.attempt]).toEqual(['again', hour, 0])
  })

  test('is given up when waiting was all it did for a week', async () => {
    const { put, claim } = member('a')
    await put()
    const used = new ServiceFault('quota', 'none left')
    expect(await held(await claim()).failed(used, 8)).toBe('again')
    storeTime += queueTimes.waitingMaxMs + 1
    expect(await held(await claim()).failed(used, 8)).toBe('dead_letter')
  })

  test('is tried for a week from its first attempt on, however long ago it was planned', async () => {
    const { put, claim } = member('a')
    await put()
    storeTime += 4 * queueTimes.waitingMaxMs
    const used = new ServiceFault('rate', 'slow down')
    expect(await held(await claim()).failed(used, 8)).toBe('again')
    storeTime += queueTimes.waitingMaxMs - hour
    expect(await held(await claim()).failed(used, 8)).toBe('again')
    storeTime += 2 * hour
    expect(await held(await claim()).failed(used, 8)).toBe('dead_letter')
  })

  test('is given up at once when trying again cannot help', async () => {
    for (const kind of ['auth', 'permission', 'permanent', 'unsupported'] as const) {
      expect((await fail(new ServiceFault(kind, 'no'))).outcome).toBe('dead_letter')
    }
  })

  test('is given up after its last try', async () => {
    expect((await fail(new Error('no'), { attemptsMax: 1 })).outcome).toBe('dead_letter')
    expect((await fail(new Error('no'), { attemptsMax: 2 })).outcome).toBe('again')
  })

  test('is kept for 7 days if it is done, and for 30 if it was given up', async () => {
    const day = 24 * hour
    const { put, claim } = member('a')
    for (const [end, days] of [
      ['done', 7],
      ['deadLetter', 30],
    ] as const) {
      const { job_id } = await put()
      await held(await claim())[end]({ kind: 'permanent', message: 'no' })
      const { finished_at, expire_at } = await row(job_id)
      expect(Date.parse(expire_at ?? '') - Date.parse(finished_at ?? '')).toBe(days * day)
    }
  })

  test('leaves word of what went wrong', async () => {
    const { after } = await fail(new ServiceFault('rate', 'slow down', { code: '429' }))
    expect(after.error).toEqual({ kind: 'rate', code: '429', message: 'slow down' })
  })
})
