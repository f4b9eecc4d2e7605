import { expect, test } from 'bun:test'
import { type CheckDeps, runChecks } from '../../../../core/product/checks/checks'
import type { Restarts } from '../../../../core/supervise/messages'

const owner = { extensions: () => [] }
const now = new Date('2026-11-22T12:00:00Z')
const findingOf = async (restarts: Restarts) => {
  const nothing = () => Promise.reject(new Error('not asked'))
  const deps = { documents: {}, columns: {}, ingest: nothing, owner, folder: '/', now: () => now }
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

test('sites whose repeats are recognised for less than 24 h are named; the others have theirs', async () => {
  const dedupOf = async (dedupShortened: unknown) => {
    const ingest = async () => ({ health: async () => ({ ok: true, dedupShortened }) })
    const deps = {
      documents: {},
      columns: {},
      owner,
      ingest,
      folder: '/',
      now: () => now,
      restarts: () => ({}),
    }
    const checks = await runChecks(deps as unknown as CheckDeps)
    return checks.find(({ name }) => name === 'deduplication')
  }
  expect(await dedupOf(null)).toMatchObject({ status: 'ok' })
  const to = now.getTime() - 2 * 3_600_000
  expect(await dedupOf({ to, sites: ['sit_1'] })).toMatchObject({
    status: 'warn',
    found: 'only repeats of the last 2.0 h are recognised of sit_1; the other sites have their 24 h',
    mend: expect.stringContaining('DEDUP_MAX_BYTES'),
  })
  const seven = Array.from({ length: 7 }, (_, n) => `sit_${n}`)
  expect((await dedupOf({ to, sites: seven }))?.found).toContain('sit_4 and 2 more;')
  expect((await dedupOf({ to, sites: [] }))?.found).toBe('only repeats of the last 2.0 h are recognised')
})

test('checks of plugins are listed, and one that throws has failed under its name', async () => {
  const fine = { name: 'fine', status: 'ok', found: 'all well' }
  const extensions = () => [
    { name: 'a', run: async () => [fine, { ...fine, name: 'finer' }] },
    { name: 'b', run: () => Promise.reject(new Error('no way')) },
  ]
  const deps = { documents: {}, columns: {}, folder: '/', now: () => now, owner: { extensions } }
  const checks = await runChecks(deps as unknown as CheckDeps)
  expect<unknown>(checks.slice(-3)).toEqual([
    fine,
    { ...fine, name: 'finer' },
    { name: 'b', status: 'fail', found: 'no way', mend: 'Read the log of the running product.' },
  ])
})
