import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { quietLog as log } from '../../../support/quiet-log'
import { randomSource } from '../../../support/random-documents'
import { CountedSample } from '../../../support/sample-entity'
import { soonMs } from '../../../support/wait-for'

const rounds = process.env.RENOWN_LONG === '1' ? 50 : 3
const writerPath = resolve(import.meta.dir, '../../../support/crash-writer.ts')
const random = randomSource(7)
const ofWorkspace = { op: 'eq', field: 'workspace_id', value: 'wks_1' } as const

/** Lets a process write for a while, kills it and answers what it had acknowledged: number → updates seen. */
async function killedWriter(path: string, first: number): Promise<Map<number, number>> {
  const child = Bun.spawn([process.execPath, writerPath, path, String(first)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const acknowledged = new Map<number, number>()
  let killing = false
  let rest = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [n, updates] = line.split(' ').map(Number)
      if (n !== undefined && updates !== undefined) acknowledged.set(n, updates)
    }
    if (killing || acknowledged.size < 10) continue
    killing = true
    setTimeout(() => child.kill('SIGKILL'), 20 + random.below(150))
  }
  await child.exited
  return acknowledged
}

test(
  `${rounds} times kill -9 during writes: nothing acknowledged is lost, no document is half, the store opens at once`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'renown-crash-'))
    const path = join(folder, 'documents.db')
    try {
      const expected = new Map<number, number>()
      for (let round = 0; round < rounds; round++) {
        for (const [n, updates] of await killedWriter(path, round * 1_000_000)) expected.set(n, updates)
        const started = performance.now()
        const documents = await openSqlite({ path, now: () => new Date(), log })
        await documents.ensure([CountedSample])
        const rows = documents.collection(CountedSample)
        expect(await rows.get('smp_0')).not.toBeNull()
        // It opens in milliseconds. The bound only leaves room for a busy machine.
        expect(performance.now() - started).toBeLessThan(soonMs)
        const found = new Map((await rows.find({ where: { op: 'and', of: [] } })).map((row) => [row.id, row]))
        for (const [n, updates] of expected) {
          const row = found.get(`smp_${n}`)
          expect(Number(row?.attempts)).toBeGreaterThanOrEqual(updates)
        }
        for (const row of found.values()) {
          expect(String(row.title)).toHaveLength(1500)
          expect(row.kind).toBe(row.attempts === 1 ? `k${row.id.slice(4)}` : undefined)
        }
        for (const stage of ['new', 'won'] as const) {
          const count = [...found.values()].filter((row) => row.stage === stage).length
          expect(await rows.count({ op: 'eq', field: 'stage', value: stage })).toBe(count)
        }
        const [sums] =
          (await rows.daySums?.read({
            where: { op: 'and', of: [ofWorkspace, { op: 'eq', field: 'removed_at', value: null }] },
            within: { date_from: '2025-12-01', date_to: '2026-02-28', timezone: 'UTC' },
            by: [],
          })) ?? []
        const withKind = [...found.values()].filter((row) => row.kind !== undefined).length
        expect([sums?.n, sums?.set.kind]).toEqual([found.size, withKind])
        expect(await documents.faults()).toEqual([])
        await documents.close()
      }
      expect(expected.size).toBeGreaterThan(rounds * 5)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
  rounds * 10_000,
)
