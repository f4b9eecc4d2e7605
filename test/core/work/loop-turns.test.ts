import { expect, test } from 'bun:test'
import { createFairQueue } from '../../../core/work/fair-queue'
import { offLoop, waitForTurn } from '../../../core/work/loop-turns'
import { CancelledError, systemWork, type Work } from '../../../core/work/scope'

const workOf = (tenant: string, signal?: AbortSignal): Work => ({
  ...systemWork,
  tenant,
  signal,
  leftMs: () => 60_000,
})

test('a tenant with fewer turns comes first', async () => {
  const order: string[] = []
  const take = async (tenant: string) => {
    await waitForTurn(workOf(tenant))
    order.push(tenant)
  }
  const all = [...Array.from({ length: 20 }, () => take('loud')), take('quiet')]
  await Promise.all(all)
  expect(order.indexOf('quiet')).toBeLessThan(3)
  expect(order).toHaveLength(21)
})

test('short turns share a task of the event loop, and many of them are cut into tasks', async () => {
  let tasks = 0
  let next = setImmediate(function count() {
    tasks += 1
    next = setImmediate(count)
  })
  for (let turn = 0; turn < 320; turn++) await waitForTurn(workOf('one'))
  clearImmediate(next)
  expect(tasks).toBeGreaterThanOrEqual(18)
  expect(tasks).toBeLessThan(200)
})

test('work comes back from outside the loop in the turn of its tenant', async () => {
  const queue = createFairQueue({ name: 'scans', slots: 100, perTenant: 100, waitingMax: 0 })
  const order: string[] = []
  const scan = async (tenant: string) => {
    await offLoop(queue, workOf(tenant), async () => {})
    order.push(tenant)
  }
  await Promise.all([...Array.from({ length: 20 }, () => scan('loud')), scan('quiet')])
  expect(order.indexOf('quiet')).toBeLessThan(3)
})

test('a request whose caller left takes no turn', async () => {
  const ends = await Promise.all(
    Array.from({ length: 5 }, () => waitForTurn(workOf('gone', AbortSignal.abort())).catch((error) => error)),
  )
  expect(ends.slice(1).every((end) => end instanceof CancelledError)).toBe(true)
})

test('a tenant has so many requests that wait, and what was let in before is never refused', async () => {
  const work = workOf('crowd')
  const asked = Array.from({ length: 150 }, () =>
    waitForTurn(work)
      .then(() => 'done')
      .catch((error) => error.code),
  )
  const inside = Array.from({ length: 50 }, () => waitForTurn(work, { isEntered: true }).then(() => 'done'))
  const ends = await Promise.all(asked)
  expect(ends.filter((end) => end === 'quota_exceeded').length).toBeGreaterThan(30)
  expect(new Set(await Promise.all(inside))).toEqual(new Set(['done']))
})
