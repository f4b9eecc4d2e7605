import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { platformWorld } from '../support/platform-world'
import { withoutTransactions } from '../support/without-transactions'

let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld()
  for (let n = 0; n < 8; n++) write(`r${n}`)
  await world.sync()
})
afterEach(() => world.bench.stop())

const write = (id: string) => {
  const at = world.bench.now.getTime()
  world.google.reviews.set(id, { id, stars: 5, text: `text ${id}`, author: 'Ann', created: at, updated: at })
}
const verify = async () =>
  (await world.bench.command('review verify', {})) as unknown as {
    sound: boolean
    chains: { fault?: string; strays?: string[]; standing: number; entries: number }[]
  }
describe('The ledger of observations', () => {
  test('is sound after readings that find new, changed, removed and restored reviews', async () => {
    world.later(25 * 3_600_000)
    write('r9')
    world.google.reviews.delete('r3')
    await world.sync()
    write('r3')
    world.later(25 * 3_600_000)
    await world.sync()
    const { sound, chains } = await verify()
    expect([sound, chains[0]?.standing]).toEqual([true, 9])
  })

  test('grows by nothing when a look finds nothing new', async () => {
    const before = (await verify()).chains[0]?.entries
    world.later(60_000)
    await world.sync()
    expect((await verify()).chains[0]?.entries).toBe(before)
  })

  test('lets go of a review that was seen by a process that died, and was gone before the next', async () => {
    write('brief')
    world.later(25 * 3_600_000)
    const dying = (owner: OwnerContext): OwnerContext =>
      withoutTransactions({
        ...owner,
        rows: (entity) => {
          const rows = owner.rows(entity)
          const insert = async () => {
            throw new Error('killed')
          }
          return entity.name === 'Review' ? { ...rows, insert } : rows
        },
      })
    await expect(world.sync(dying)).rejects.toThrow('killed')
    // The location notes that a page is open, so this is no alarm.
    expect((await verify()).sound).toBe(true)
    world.google.reviews.delete('brief')
    world.later(25 * 3_600_000)
    await world.sync()
    const { sound, chains } = await verify()
    expect([sound, chains[0]?.standing]).toEqual([true, 8])
  })
})
