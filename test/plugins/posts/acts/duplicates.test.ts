import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { cancelPost, publishNow, schedulePost } from '../../../../plugins/posts/acts/schedule'
import { type PostWorld, postWorld, standInTarget } from '../support/post-world'

let world: PostWorld
const standIn = { current: standInTarget() }
beforeEach(async () => {
  standIn.current = standInTarget()
  world = await postWorld(standIn.current.target)
})
afterEach(() => world.stop())

const publish = (post_id: string, more: object = {}) => publishNow(world.owner, { post_id, ...more })
const time = { wall_time: '2026-03-20T09:00', timezone: 'UTC' }
async function published(summary: string) {
  const { id } = await world.draft(summary)
  await publish(id)
  await world.tick()
  return id
}

describe('a post with the same text on the same platform', () => {
  test.each(['News', ' NEWS ', 'N\u200bews'])('is refused with the other post: %p', async (text) => {
    const first = await published('News')
    const { id } = await world.draft(text)
    const refused = {
      code: 'conflict',
      errors: [{ pointer: '/allow_duplicate', code: 'duplicate', message: first }],
    }
    const act = publish(id).catch((error: unknown) => error)
    expect(await act).toMatchObject({ code: 'conflict' })
    expect(JSON.stringify(await act)).toContain(JSON.stringify(refused.errors[0]?.message))
    expect(await schedulePost(world.owner, { post_id: id, ...time }).catch((error) => error)).toMatchObject({
      code: 'conflict',
    })
    expect([(await world.post(id)).status, standIn.current.held.creates]).toEqual(['draft', 1])
  })

  test('is published if the person says so', async () => {
    await published('News')
    const { id } = await world.draft('News')
    await publish(id, { allow_duplicate: true })
    await world.tick()
    expect((await world.post(id)).status).toBe('published')
  })

  test('is found while the other one waits, also when two people schedule at the same time', async () => {
    const one = await world.draft('News')
    const two = await world.draft('News')
    const acts = [one, two].map(({ id }) => schedulePost(world.owner, { post_id: id, ...time }))
    const results = await Promise.allSettled(acts)
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('is found after an unknown outcome, and not after a refusal', async () => {
    standIn.current.held.answers = ['never gets it']
    const { id } = await world.draft('News')
    await publish(id)
    await world.tick()
    await world.pass(12)
    expect((await world.post(id)).failure_kind).toBe('unknown_outcome')
    await expect(publish((await world.draft('News')).id)).rejects.toMatchObject({ code: 'conflict' })
    standIn.current.held.answers = ['refuses', 'accepts']
    await published('Other')
    await published('Other')
    expect(standIn.current.held.shown.map(({ text }) => text)).toEqual(['Other'])
  })

  test('is no duplicate after 30 days, after a cancellation, and at another location', async () => {
    await published('News')
    const { id } = await world.draft('Once')
    await schedulePost(world.owner, { post_id: id, ...time })
    await cancelPost(world.owner, id)
    expect((await publish((await world.draft('Once')).id)).status).toBe('scheduled')
    const elsewhere = await world.place()
    const other = await world.draft('News', { location_id: elsewhere.id })
    expect((await publish(other.id)).status).toBe('scheduled')
    world.bench.now = new Date(world.bench.now.getTime() + 31 * 86_400_000)
    expect((await publish((await world.draft('News')).id)).status).toBe('scheduled')
  })
})
