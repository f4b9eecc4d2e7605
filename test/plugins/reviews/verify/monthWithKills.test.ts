import { describe, expect, test } from 'bun:test'
import type { OwnerContext, OwnerRows } from '../../../../core/contracts/owner'
import { where } from '../../../../core/contracts/where'
import { Review } from '../../../../plugins/reviews/records/Review'
import { randomSource } from '../../../support/random-documents'
import { livePlatform } from '../support/live-platform'
import { platformWorld } from '../support/platform-world'
import { withoutTransactions } from '../support/without-transactions'
import { drawYear } from '../support/year-steps'

const isLong = process.env.RENOWN_LONG !== undefined
/** Two readings a day. */
const readings = isLong ? 60 : 24

/** A process that dies before its n-th write. A batch counts as one write where the store has transactions. */
function dying(owner: OwnerContext, writes: number, isWhole: boolean): OwnerContext {
  let left = writes
  const die = () => {
    if (left-- <= 0) throw new Error('killed')
  }
  const names = ['insert', 'update', 'updateWhere', 'updateMany', 'removeWhere'] as const
  const wrap = <T extends object>(rows: T): T => {
    const killable = Object.fromEntries(
      names.map((name) => {
        const write = (rows as unknown as Record<string, (...given: unknown[]) => unknown>)[name]
        const one = async (...given: unknown[]) => {
          die()
          return write?.(...given)
        }
        return [name, one]
      }),
    )
    return { ...rows, ...killable }
  }
  const mortal: OwnerContext = {
    ...owner,
    rows: (entity) => wrap(owner.rows(entity) as OwnerRows<typeof entity>),
    writeTogether: async (collect) => {
      die()
      return owner.writeTogether(collect)
    },
    enqueue: async (...given) => {
      die()
      return owner.enqueue(...given)
    },
  }
  return isWhole ? mortal : withoutTransactions(mortal)
}

describe.each(['google', 'facebook'] as const)('a month of %s with processes that die', (platform) => {
  test.each([true, false])(
    'raises no false alarm; transactions: %p',
    async (isWhole) => {
      const random = randomSource(7)
      const world = await platformWorld({ platform, random: random.next })
      const life = livePlatform(world, platform)
      const alarms: object[] = []
      let kills = 0
      const check = async (when: string) => {
        const verdict = await world.bench.command('review verify', {})
        if (String(verdict.sound) !== 'true') alarms.push({ when, verdict })
      }
      try {
        await world.rules({
          ratings: [1, 2, 3, 4, 5],
          include_unrated: true,
          delay_min_minutes: 1,
          delay_max_minutes: 2,
        })
        for (const [n, step] of drawYear(randomSource(7), platform, readings).entries()) {
          life.happen([...step.changes, ...step.between.flat()])
          life.happen([{ do: 'write', agoMs: 0, stars: 5, isSilent: false }])
          const isMortal = n % 2 === 1
          const owner = world.owner
          const through = () =>
            isMortal
              ? dying(owner, Math.floor(random.next() * 12), isWhole)
              : isWhole
                ? owner
                : withoutTransactions(owner)
          const died = await world.sync(through).then(
            () => false,
            (error: Error) => error.message === 'killed',
          )
          if (died) kills++
          await check(`after reading ${n}`)
          const pending = await world.owner
            .rows(Review)
            .list({ where: where.eq('auto_response_status', 'pending'), limit: 2 })
          world.later(10 * 60_000)
          for (const { id } of pending) {
            const dies = dying(world.owner, Math.floor(random.next() * 4), isWhole)
            await world.reply(id, 1, () => (isMortal ? dies : world.owner)).catch(() => {})
            await check(`after a reply at ${n}`)
            await world.reply(id, 2).catch(() => {})
            await check(`after the second try of a reply at ${n}`)
          }
          world.later(Math.max(step.laterMs, 3_600_000))
        }
        expect(alarms).toEqual([])
        expect(kills).toBeGreaterThan(readings / 8)
      } finally {
        await world.bench.stop()
      }
    },
    120_000,
  )

  test('raises none beside syncs that write at the same time', async () => {
    const world = await platformWorld({ platform })
    try {
      let at = world.bench.now.getTime()
      for (let day = 0; day < 6; day++) {
        for (let n = 0; n < 60; n++) {
          at -= 1_000
          const id = `d${day}-${n}`
          world[platform].reviews.set(id, {
            id,
            stars: 5,
            text: `t${id}`,
            author: `A ${id}`,
            created: at,
            updated: at,
          })
        }
        let isOver = false
        const reading = world
          .sync((owner) => (day % 2 === 0 ? owner : withoutTransactions(owner)))
          .finally(() => {
            isOver = true
          })
        const verdicts: unknown[] = []
        while (!isOver) {
          verdicts.push((await world.bench.command('review verify', {})).sound)
          await new Promise((resolve) => setImmediate(resolve))
        }
        await reading
        expect(verdicts.filter((sound) => String(sound) !== 'true')).toEqual([])
        world.later(25 * 3_600_000)
      }
    } finally {
      await world.bench.stop()
    }
  }, 120_000)
})
