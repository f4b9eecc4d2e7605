import { expect, test } from 'bun:test'
import { type CheckDeps, runChecks } from '../../core/checks'
import type { Restarts } from '../../core/supervise/messages'

const now = new Date('2026-11-22T12:00:00Z')
const findingOf = async (restarts: Restarts) => {
  const nothing = () => Promise.reject(new Error('not asked'))
  const deps = { ...{ documents: {}, columns: {}, ingest: nothing }, folder: '/', now: () => now }
  const checks = await runChecks({ ...deps, restarts: () => restarts } as unknown as CheckDeps)
  return checks.find(({ name }) => name === 'processes')
}
const none = { count: 0, last_at: null, reason: null }

test('a process that ended by itself is warned of for a day, with what to do', async () => {
  expect(await findingOf({})).toMatchObject({ status: 'ok' })
  expect(await findingOf({ gateway: none, ingest: none })).toMatchObject({ status: 'ok' })
  const ended = (last_at: string) => ({ gateway: { count: 2, last_at, reason: 'SIGKILL' }, ingest: none })
  expect(await findingOf(ended('2026-11-22T11:00:00Z'))).toMatchObject({
    status: 'warn',
    found: 'the gateway ended 2 times, last at 2026-11-22T11:00:00Z (SIGKILL)',
    mend: expect.stringContaining('log'),
  })
  expect(await findingOf(ended('2026-11-20T11:00:00Z'))).toMatchObject({ status: 'ok' })
})
