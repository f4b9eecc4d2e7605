import { expect, test } from 'bun:test'
import { isRefusal, Refusal } from '../../../../core/contracts/errors'
import { retryAfterOf } from '../../../../core/requests/problem'
import { forPeople } from '../../../../core/web/framework/for-people'
import { createFairQueue } from '../../../../core/work/fair-queue'
import { TimedOutError } from '../../../../core/work/scope'

const saidOf = (error: unknown) => (isRefusal(error) ? error.message : '')

/** Returns what a queue says to work that it cannot take, or not in time. */
async function refusedBy(waitingMax: number): Promise<unknown> {
  const queue = createFairQueue({ name: 'scans', slots: 1, perTenant: 1, waitingMax })
  const held = Promise.withResolvers<void>()
  const work = { tenant: 'agency pages', signal: undefined, leftMs: () => 1 }
  const first = queue.run(work, () => held.promise)
  const error = await queue.run(work, async () => {}).catch((thrown: unknown) => thrown)
  held.resolve()
  await first
  return error
}

test('a page that waits too long, or among too many, blames nobody', async () => {
  for (const error of [new TimedOutError(true), await refusedBy(1), await refusedBy(0)]) {
    const said = forPeople(error)
    expect(saidOf(said)).toMatch(/load (it|the page|this page) again/i)
    expect(saidOf(said)).not.toMatch(/agency|requests/)
    expect(retryAfterOf(said)).toBe(5)
  }
})

test('a page says every other error as it is', () => {
  const refused = new Refusal('not_found', 'There is no page at this address.')
  expect(forPeople(refused)).toBe(refused)
  const limit = new Refusal('quota_exceeded', 'Full.', { extra: { 'violated-policies': ['pages'] } })
  expect(forPeople(limit)).toBe(limit)
})
