import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { JobLease } from '../../../core/jobs/JobLease'
import { createLeases, isLease, type Lease, type NotNow } from '../../../core/jobs/lease'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { quietLog } from '../../support/quiet-log'
import { waitFor } from '../../support/wait-for'

const minute = 60_000

describe('A lease', () => {
  let storeTime: number
  let documents: Documents
  beforeEach(async () => {
    storeTime = Date.parse('2026-01-01T00:00:00.000Z')
    documents = await openSqlite({ path: ':memory:', now: () => new Date(storeTime), log: quietLog })
    await documents.ensure([JobLease])
  })
  afterEach(() => documents.close())
  /** Every process has a clock of its own that is wrong: only the store's counts. */
  const process = (holder: string, wrongBy: number, beatMs = minute) =>
    createLeases({
      documents,
      holder,
      clock: { now: () => new Date(storeTime + wrongBy) },
      ttlMs: 10_000,
      heartbeatMs: beatMs,
    })
  const held = (outcome: Lease | NotNow): Lease => {
    if (!isLease(outcome)) throw new Error(`not held, wait ${outcome.waitMs}`)
    return outcome
  }

  test('has one holder, whatever the clocks of the processes say', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => process(`p${n}`, (n - 4) * 3_600_000).acquire('seal')),
    )
    expect(outcomes.filter(isLease)).toHaveLength(1)
    for (const outcome of outcomes) if (isLease(outcome)) await outcome.release({ afterMs: 0 })
  })

  test('passes on when its holder is silent for longer than it lasts, with a higher fence', async () => {
    const first = held(await process('a', 0).acquire('seal'))
    storeTime += 9_999
    expect(await process('b', 0).acquire('seal')).toEqual({ waitMs: 1 })
    storeTime += 1
    const second = held(await process('b', 0).acquire('seal'))
    expect(second.fence).toBeGreaterThan(first.fence)
    await first.release({ afterMs: 0 })
    expect(isLease(await process('c', 0).acquire('seal'))).toBe(false)
    await second.release({ afterMs: 0 })
  })

  test('is kept by speaking up, and a beat on its way does not bring it back', async () => {
    const lease = held(await process('a', 0, 2).acquire('seal'))
    const until = async () => String((await documents.collection(JobLease).get('seal'))?.until)
    const before = await until()
    storeTime += 5_000
    await waitFor(async () => (await until()) > before, { what: 'a beat', everyMs: 2 })
    await lease.release({ afterMs: 0 })
    const released = await until()
    // Another lease with the same beat: when that one has been renewed twice, this one would have been too.
    const other = held(await process('a', 0, 2).acquire('other'))
    const otherUntil = async () => String((await documents.collection(JobLease).get('other'))?.until)
    for (let beat = 0; beat < 2; beat++) {
      const last = await otherUntil()
      storeTime += 1
      await waitFor(async () => (await otherUntil()) > last, { what: 'a beat of the other', everyMs: 2 })
    }
    await other.release({ afterMs: 0 })
    expect(await until()).toBe(released)
    held(await process('b', 0).acquire('seal'))
  })

  test('that was taken over aborts the signal of the one who had it', async () => {
    const lease = held(await process('a', 0, 2).acquire('seal'))
    await documents
      .collection(JobLease)
      .updateOne({ op: 'eq', field: 'id', value: 'seal' }, { inc: { fence: 1 } })
    await waitFor(() => lease.signal.aborted, { what: 'the signal', everyMs: 2 })
  })

  test('is due when the store says so, for every process, and early for who asks', async () => {
    const lease = held(await process('a', 0).acquire('seal'))
    await lease.release({ afterMs: minute })
    expect(await process('b', 0).acquire('seal')).toEqual({ waitMs: minute })
    await held(await process('b', 0).acquire('seal', { early: true })).release({ afterMs: minute })
    storeTime += minute
    held(await process('c', 0).acquire('seal'))
  })

  test('counts failures until a run succeeds', async () => {
    for (const before of [0, 1, 2, 3]) {
      const lease = held(await process('a', 0).acquire('seal'))
      expect(lease.failures).toBe(before)
      await lease.release({ afterMs: 0, error: 'no' })
    }
    const again = held(await process('a', 0).acquire('seal'))
    expect(again.failures).toBe(4)
    await again.release({ afterMs: 0 })
    const row = await documents.collection(JobLease).get('seal')
    expect([row?.failures, row?.last_error]).toEqual([0, undefined])
  })
})
