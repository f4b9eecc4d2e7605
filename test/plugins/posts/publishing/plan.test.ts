import { afterEach, expect, test } from 'bun:test'
import { schedulePost } from '../../../../plugins/posts/acts/schedule'
import { delayPlan, dropPlan, planStep, replan } from '../../../../plugins/posts/publishing/plan'
import { movePost } from '../../../../plugins/posts/publishing/settlePost'
import { type PostWorld, postWorld, standInTarget } from '../support/post-world'

let world: PostWorld
afterEach(() => world?.stop())

const soon = '2026-03-15T13:00:00.000Z'
const late = '2026-03-15T20:00:00.000Z'
/** A post that a person has scheduled for `soon`. */
async function scheduled() {
  world = await postWorld(standInTarget().target)
  const { id } = await world.draft('News')
  await schedulePost(world.owner, { post_id: id, wall_time: soon.slice(0, 16), timezone: 'UTC' })
  return world.post(id)
}
const planned = async () => (await world.plans()).map(({ due_at }) => due_at)
const find = () => world.bench.registry.jobs.get('findPosts')?.run(world.owner, world.task.signal)

test('a process that settles an earlier version does not remove the plan of a new one', async () => {
  const post = await scheduled()
  await dropPlan(world.owner, { ...post, status: 'failed', revision: 1 } as never)
  expect(await planned()).toEqual([soon])
})

test('a process that knows only the earlier, later time does not delay the post', async () => {
  const post = await scheduled()
  await delayPlan(world.owner, post, new Date(late))
  expect(await planned()).toEqual([soon])
})

test('a process that ends before the new time is stored leaves the plan at the old one', async () => {
  const post = await scheduled()
  const killed = replan(world.owner, post, new Date(late), () => Promise.reject(new Error('killed')))
  await expect(killed).rejects.toThrow('killed')
  expect(await planned()).toEqual([soon])
  await world.pass(61)
  expect((await world.post(post.id)).status).toBe('published')
})

test('a change that is refused leaves the plan at the old time, and one that is stored moves it', async () => {
  const post = await scheduled()
  expect(await replan(world.owner, post, new Date(late), async () => null)).toBeNull()
  expect(await planned()).toEqual([soon])
  await replan(world.owner, post, new Date(late), async () => true)
  expect(await planned()).toEqual([late])
})

test('a plan that is later than its post is found and corrected', async () => {
  const post = await scheduled()
  await planStep(world.owner, post, new Date(late))
  await find()
  expect(await planned()).toEqual([soon])
  await movePost(world.owner, post, 'publishing', { scheduled_at: soon })
  await planStep(world.owner, post, new Date(late))
  await find()
  expect(await planned()).toEqual([world.bench.now.toISOString()])
})
