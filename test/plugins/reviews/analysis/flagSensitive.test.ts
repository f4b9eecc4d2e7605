import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { where } from '../../../../core/contracts/where'
import { Notification } from '../../../../core/tenancy/news/Notification'
import { Review } from '../../../../plugins/reviews/records/Review'
import { platformWorld } from '../support/platform-world'

const hour = 3_600_000
const day = 24 * hour
let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld()
  await world.rules({ ratings: [1, 2, 3, 4, 5] })
})
afterEach(() => world.bench.stop())

const write = (id: string, text: string, changes: object = {}) => {
  const at = world.bench.now.getTime()
  world.google.reviews.set(id, {
    id,
    stars: 5,
    text,
    author: 'Ann Lee',
    created: at,
    updated: at,
    ...changes,
  })
}
const rowOf = async (id: string) => {
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', id) })
  if (!row) throw new Error(`no row ${id}`)
  return row
}
const told = () => world.owner.rows(Notification).list({ where: where.eq('type', 'review_flagged') })

describe('A review that a person must answer', () => {
  test('is flagged with a reason, gets no automatic reply, and is told once', async () => {
    write('a', 'Lovely, but I found glass in the bread and my child was hurt')
    write('b', 'Lovely')
    await world.sync()
    world.later(day)
    await world.sync()
    expect(await rowOf('a')).toMatchObject({
      auto_response_status: 'skipped',
      is_flagged: true,
      flag_reason: 'The review mentions an injury or a danger and a child',
    })
    expect(await rowOf('b')).toMatchObject({ auto_response_status: 'pending', is_flagged: false })
    expect((await rowOf('b')).flag_reason).toBeUndefined()
    expect(await told()).toMatchObject([
      { severity: 'warning', entity: 'Review', entity_id: (await rowOf('a')).id },
    ])
  })

  test('is told although the process died right after the row was written', async () => {
    write('a', 'We called the police')
    const dying = (owner: OwnerContext): OwnerContext => ({
      ...owner,
      notify: () => Promise.reject(new Error('killed')),
    })
    await expect(world.sync(dying)).rejects.toThrow('killed')
    expect((await rowOf('a')).is_flagged).toBe(true)
    expect(await told()).toEqual([])
    await world.sync()
    await world.sync()
    expect(await told()).toHaveLength(1)
  })

  test('is flagged when an edit makes it one, and no further edit tells it again', async () => {
    write('a', 'Lovely')
    await world.sync()
    for (const text of ['My lawyer will write to you', 'My lawyer has written to you']) {
      world.later(hour)
      Object.assign(world.google.reviews.get('a') ?? {}, { text, updated: world.bench.now.getTime() })
      await world.sync()
    }
    expect(await rowOf('a')).toMatchObject({ is_flagged: true, review_text: 'My lawyer has written to you' })
    expect(await told()).toHaveLength(1)
  })

  test('stays without a flag that a person took away, as long as its words stay', async () => {
    write('a', 'The kids loved it')
    await world.sync()
    await world.owner
      .rows(Review)
      .update((await rowOf('a')).id, { is_flagged: false, flag_reason: undefined })
    world.later(day)
    await world.sync()
    expect((await rowOf('a')).is_flagged).toBe(false)
  })

  test('that is old is flagged and tells nobody', async () => {
    write('a', 'The police came', { created: Date.parse('2024-01-01'), updated: Date.parse('2024-01-01') })
    await world.sync()
    expect((await rowOf('a')).is_flagged).toBe(true)
    expect(await told()).toEqual([])
  })

  test('is no alarm where it only speaks of children', async () => {
    write('a', 'The kids loved it')
    await world.sync()
    expect((await rowOf('a')).auto_response_status).toBe('skipped')
    expect(await told()).toMatchObject([{ severity: 'info' }])
  })
})
