import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { everything } from '../../../core/contracts/where'
import { AppliedMigration } from '../../../core/stores/AppliedMigration'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { quietLog as log } from '../../support/quiet-log'
import { CountedSample } from '../../support/sample-entity'

const root = mkdtempSync(join(tmpdir(), 'renown-migrate-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const now = () => new Date('2026-11-29T10:00:00Z')
const script = join(import.meta.dir, '..', '..', 'support', 'migration-process.ts')
const rowCount = 5
const stamp = now().toISOString()

async function fill(path: string, title = 'x'): Promise<void> {
  const documents = await openSqlite({ path, now, log })
  await documents.ensure([CountedSample])
  const row = (n: number) => ({
    id: `smp_${n}`,
    workspace_id: 'wks_1',
    location_id: 'loc_1',
    stage: 'new' as const,
    is_archived: false,
    created_date: stamp,
    updated_date: stamp,
    title,
    kind: 'k',
    attempts: 0,
  })
  await documents.collection(CountedSample).insertMany(Array.from({ length: rowCount }, (_, n) => row(n)))
  await documents.close()
}

async function run(path: string, last: number, limits = '') {
  const part = Bun.spawn(
    ['bash', '-c', `${limits} exec "$0" "$@"`, process.execPath, script, path, String(last)],
    {
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [out, err] = await Promise.all([new Response(part.stdout).text(), new Response(part.stderr).text()])
  return { code: await part.exited, writes: Number(out.trim()), err }
}

async function stateOf(path: string) {
  const documents = await openSqlite({ path, now, log })
  await documents.ensure([CountedSample, AppliedMigration])
  const rows = await documents.collection(CountedSample).find({ where: everything })
  const applied = await documents.collection(AppliedMigration).find({ where: everything })
  const faults = await documents.faults()
  await documents.close()
  return { kinds: rows.map(({ kind }) => kind), applied: applied.map(({ id }) => id).sort(), faults }
}
const whole = {
  kinds: Array.from({ length: rowCount }, () => 'ks1s2s3'),
  applied: ['samples:1', 'samples:2', 'samples:3'],
  faults: [],
}

/** A long run kills before every write. */
const stride = process.env.RENOWN_LONG === '1' ? 1 : 5

test('a migration that is killed before any write ends as one that was not', async () => {
  const path = join(root, 'whole.sqlite')
  await fill(path)
  const { writes } = await run(path, 0)
  expect(writes).toBeGreaterThan(3 * rowCount)
  expect(await stateOf(path)).toEqual(whole)
  for (let last = 1; last <= writes; last += stride) {
    const killed = join(root, `killed-${last}.sqlite`)
    await fill(killed)
    expect((await run(killed, last)).code).not.toBe(0)
    expect((await run(killed, 0)).code).toBe(0)
    expect([last, await stateOf(killed)]).toEqual([last, whole])
  }
}, 600_000)

test('a migration on a full disk stops with the reason, and continues once there is room', async () => {
  const path = join(root, 'full.sqlite')
  await fill(path, 'x'.repeat(40_000))
  // Files may not grow beyond the size of the database: 512-byte blocks.
  const blocks = Math.floor(Bun.file(path).size / 1024)
  const full = await run(path, 0, `trap '' XFSZ; ulimit -f ${Math.max(16, Math.floor(blocks / 8))};`)
  expect(full.code).not.toBe(0)
  expect(full.err).toMatch(/full|cannot write|disk I\/O/i)
  expect((await run(path, 0)).code).toBe(0)
  expect(await stateOf(path)).toEqual(whole)
}, 120_000)
