import { afterEach, beforeEach, expect, test } from 'bun:test'
import { publishNow, schedulePost } from '../../../../plugins/posts/acts/schedule'
import { planStep } from '../../../../plugins/posts/publishing/plan'
import { Post } from '../../../../plugins/posts/records/Post'
import { type PostWorld, postWorld, standInTarget } from '../support/post-world'

let world: PostWorld
const standIn = standInTarget()
beforeEach(async () => {
  world = await postWorld(standIn.target)
})
afterEach(() => world.stop())

const right = '2026-07-01T07:00:00.000Z'
/** A post for 09:00 in Berlin whose instant is that of older rules. */
async function scheduledBy(older: string) {
  const { id } = await world.draft('News')
  const time = { wall_time: '2026-07-01T09:00', timezone: 'Europe/Berlin' }
  const { post } = await schedulePost(world.owner, { post_id: id, ...time })
  await world.owner.rows(Post).update(id, { scheduled_at: older })
  await planStep(world.owner, post, new Date(older))
  return id
}
const recompute = () => world.bench.registry.jobs.get('recomputeTimes')?.run(world.owner, world.task.signal)

test.each(['2026-07-01T08:00:00.000Z', '2026-07-01T06:00:00.000Z'])(
  'a post keeps its local time when the rules of its zone change, and people are told once: %s',
  async (older) => {
    const id = await scheduledBy(older)
    await recompute()
    await recompute()
    expect(await world.post(id)).toMatchObject({ scheduled_at: right, status: 'scheduled', revision: 2 })
    expect((await world.plans()).map(({ due_at }) => due_at)).toEqual([right])
    expect(await world.news()).toEqual(['The rules of the time zone Europe/Berlin changed'])
  },
)

test('a post that is due now, or has no local time, keeps its instant', async () => {
  const past = '2026-03-15T11:59:00.000Z'
  const due = await scheduledBy(past)
  const { id } = await world.draft('Now')
  await publishNow(world.owner, { post_id: id })
  const before = (await world.post(id)).scheduled_at
  await recompute()
  expect([(await world.post(due)).scheduled_at, (await world.post(id)).scheduled_at]).toEqual([past, before])
  expect(await world.news()).toEqual([])
})

test('a post that is already right is not touched', async () => {
  const id = await scheduledBy(right)
  const { updated_date } = await world.post(id)
  world.bench.now = new Date(world.bench.now.getTime() + 60_000)
  await recompute()
  expect((await world.post(id)).updated_date).toBe(updated_date)
})
