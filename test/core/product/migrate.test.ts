import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { MigrationDeclaration, OwnerContext } from '../../../core/contracts/plugin'
import { definePlugin } from '../../../core/kit'
import { closedOutbound } from '../../../core/outbound/closed'
import { migrate } from '../../../core/product/migrate'
import { createRegistry } from '../../../core/registry/registry'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { quietLog } from '../../support/quiet-log'
import { passTime } from '../../support/wait-for'

const clock = { now: () => new Date('2026-01-01T00:00:00.000Z') }

const owner = { outbound: closedOutbound } as OwnerContext

let documents: Documents
beforeEach(async () => {
  documents = await openSqlite({ path: ':memory:', now: () => new Date(), log: quietLog })
})
afterEach(() => documents.close())

function installation() {
  return (...plugins: Record<string, MigrationDeclaration[]>[]) => {
    const declared = plugins.flatMap((given) =>
      Object.entries(given).map(([name, migrations]) => definePlugin({ name, renown: '^1.0.0', migrations })),
    )
    const registry = createRegistry(declared)
    return migrate({ registry, documents, owner, clock, log: quietLog })
  }
}
const step = (version: number, up: () => void | Promise<void> = () => {}): MigrationDeclaration => ({
  version,
  summary: `step ${version}`,
  up: async () => up(),
})

describe('Migrations', () => {
  test('run once, in order of version over all plugins', async () => {
    const start = installation()
    const ran: string[] = []
    const a = { alpha: [step(2, () => void ran.push('a2')), step(1, () => void ran.push('a1'))] }
    const b = { beta: [step(1, () => void ran.push('b1'))] }
    expect(await start(a, b)).toEqual(['alpha:1', 'beta:1', 'alpha:2'])
    expect(await start(a, b)).toEqual([])
    expect(ran).toEqual(['a1', 'b1', 'a2'])
  })

  test('of several processes that start together run once, and all wait for the end', async () => {
    const start = installation()
    let runs = 0
    let through = false
    const slow = step(1, async () => {
      runs++
      await passTime(20)
      through = true
    })
    const seen = await Promise.all(
      [1, 2, 3].map(async () => {
        const names = await start({ alpha: [slow] })
        return [names.length, through]
      }),
    )
    expect(runs).toBe(1)
    expect(seen.every(([, done]) => done)).toBe(true)
    expect(seen.map(([count]) => count).toSorted()).toEqual([0, 0, 1])
  }, 90_000)

  test('that failed are run again from where they failed', async () => {
    const start = installation()
    let broken = true
    let firsts = 0
    const migrations = [
      step(1, () => void firsts++),
      step(2, () => {
        if (broken) throw new Error('half way')
      }),
    ]
    await expect(start({ alpha: migrations })).rejects.toThrow('half way')
    broken = false
    expect(await start({ alpha: migrations })).toEqual(['alpha:2'])
    expect(firsts).toBe(1)
  })

  test('are refused on a store that a newer binary has migrated', async () => {
    const start = installation()
    await start({ alpha: [step(1), step(2)] })
    await expect(start({ alpha: [step(1)] })).rejects.toThrow(/newer version.*alpha:2/)
  })

  test('of a plugin that is no longer loaded stand in nobody’s way', async () => {
    const start = installation()
    await start({ alpha: [step(1)] })
    expect(await start({ beta: [step(1)] })).toEqual(['beta:1'])
  })
})
