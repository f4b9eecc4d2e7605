import { afterEach, expect, test } from 'bun:test'
import { confirmPublished } from '../../../../plugins/posts/acts/decide'
import { publishNow } from '../../../../plugins/posts/acts/schedule'
import { publishPublished } from '../../../../plugins/posts/records/events'
import { publishedEvents } from '../../../support/published-events'
import { type Answer, type PostWorld, postWorld, standInTarget } from '../support/post-world'

let world: PostWorld
afterEach(() => world.stop())

async function publish(minutes: number, ...answers: Answer[]) {
  const standIn = standInTarget()
  standIn.held.answers = answers
  world = await postWorld(standIn.target)
  const { id } = await world.draft('News')
  await publishNow(world.owner, { post_id: id })
  await world.tick()
  await world.pass(minutes)
  return world.post(id)
}
const events = () => publishedEvents(world.owner, 'post.')

test('a published post is one event, also if its end is repeated', async () => {
  const post = await publish(1, 'accepts')
  await publishPublished(world.owner, post)
  expect(await events()).toEqual([
    { type: 'post.published', data: { post_id: post.id, platform: post.platform } },
  ])
})

test('a post whose outcome is unknown is an event, and another one when a person confirms it', async () => {
  const post = await publish(10, 'never gets it')
  const data = { post_id: post.id, platform: post.platform }
  const failed = { type: 'post.failed', data: { ...data, failure_kind: 'unknown_outcome' } }
  expect(await events()).toEqual([failed])
  await confirmPublished(world.owner, { post_id: post.id, url: 'https://platform.example/1' })
  expect(await events()).toEqual([failed, { type: 'post.published', data }])
})
