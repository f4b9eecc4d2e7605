import { afterEach, describe, expect, test } from 'bun:test'
import { confirmPublished, publishAgain, retryPost } from '../../../../plugins/posts/acts/decide'
import { editPost } from '../../../../plugins/posts/acts/edit'
import { publishNow } from '../../../../plugins/posts/acts/schedule'
import { type PostWorld, postWorld, standInTarget } from '../support/post-world'

let world: PostWorld
let standIn: ReturnType<typeof standInTarget>
async function open(state: string) {
  standIn = standInTarget()
  standIn.held.state = state
  world = await postWorld(standIn.target)
}
afterEach(() => world?.stop())

async function publish() {
  const { id } = await world.draft('News')
  await publishNow(world.owner, { post_id: id })
  await world.tick()
  return world.post(id)
}
const there = () => {
  const [post] = standIn.held.shown
  if (!post) throw new Error('nothing was sent')
  return post
}
const days = (count: number) => world.pass(count * 1440, 60)

describe.each(['pending', 'future', 'private', 'a state that nobody knows'])(
  'a post that is %s at its platform',
  (state) => {
    test('stays publishing with that state, people are told once, and nothing is sent again', async () => {
      await open(state)
      const post = await publish()
      expect(post).toMatchObject({
        status: 'publishing',
        platform_state: state,
        external_url: 'https://social.test/at-0',
      })
      expect(post.published_at).toBeUndefined()
      await days(3)
      expect(await world.post(post.id)).toMatchObject({ status: 'publishing', platform_state: state })
      expect([standIn.held.creates, await world.news()]).toEqual([1, ['Stand-in holds back a post of Acme']])
      expect((await world.attempts())[0]).toMatchObject({ outcome: 'held', is_open: true })
    })

    test('is published with its address and time when everybody can see it', async () => {
      await open(state)
      const post = await publish()
      await days(2)
      there().state = 'live'
      await days(1)
      const shown = await world.post(post.id)
      expect(shown).toMatchObject({ status: 'published', external_post_id: 'at-0', platform_state: 'live' })
      // It was not there at the last look, so the time of its draft is not that of its publication.
      expect(shown.published_at?.slice(0, 10)).toBe('2026-03-17')
      expect(standIn.held.creates).toBe(1)
    })
  },
)

test('a post that the platform processes is published when it is shown, and nobody is notified of the minute between', async () => {
  await open('processing')
  const { id } = await publish()
  expect(await world.post(id)).toMatchObject({ status: 'publishing', platform_state: 'processing' })
  expect((await world.post(id)).held_since).toBeUndefined()
  there().state = 'live'
  await world.pass(2)
  expect([(await world.post(id)).status, await world.news()]).toEqual(['published', []])
})

test('a post that the platform processes for hours counts as held', async () => {
  await open('processing')
  const { id } = await publish()
  await world.pass(180, 5)
  expect(await world.post(id)).toMatchObject({ status: 'publishing', held_since: '2026-03-15T12:00:00.000Z' })
  expect(await world.news()).toEqual(['Stand-in holds back a post of Acme'])
})

test('a post that is held back twice: people get both addresses', async () => {
  await open('pending')
  standIn.held.answers = ['loses the answer']
  const { id } = await publish()
  standIn.held.shown.push({ ...there(), id: 'at-again' })
  await world.pass(2)
  expect(await world.post(id)).toMatchObject({
    status: 'publishing',
    platform_state: 'pending',
    duplicate_urls: ['https://social.test/at-again'],
  })
  expect(await world.news()).toContain('A post of Acme is on Stand-in twice')
})

test('another post with the same words that is held back is not taken for it', async () => {
  await open('pending')
  await publish()
  standIn.held.answers = ['never gets it']
  const { id } = await world.draft('News')
  await publishNow(world.owner, { post_id: id, allow_duplicate: true })
  await world.pass(12)
  expect(await world.post(id)).toMatchObject({ status: 'failed', failure_kind: 'unknown_outcome' })
})

test('a post that a moderator rejects fails with the reason, and is not sent again by itself', async () => {
  await open('pending')
  const { id } = await publish()
  there().state = 'trash'
  await days(1)
  expect(await world.post(id)).toMatchObject({ status: 'failed', failure_kind: 'rejected' })
  expect((await world.post(id)).error_message).toContain('“trash”')
  await days(2)
  expect(standIn.held.creates).toBe(1)
  standIn.held.state = 'live'
  await retryPost(world.owner, id)
  await world.tick()
  expect((await world.post(id)).status).toBe('published')
})

test('one answer that it is gone is not believed, two an hour apart are', async () => {
  await open('pending')
  const { id } = await publish()
  const [kept] = standIn.held.shown.splice(0)
  await world.pass(20)
  expect((await world.post(id)).status).toBe('publishing')
  if (kept) standIn.held.shown.push(kept)
  await world.pass(60)
  expect(await world.post(id)).toMatchObject({ status: 'publishing', platform_state: 'pending' })
  standIn.held.shown.splice(0)
  await world.pass(300, 10)
  expect(await world.post(id)).toMatchObject({ status: 'failed', failure_kind: 'rejected' })
  expect((await world.post(id)).error_message).toContain('deleted')
})

test('after seven days it fails as held, and only a person ends that', async () => {
  await open('pending')
  const { id } = await publish()
  await days(6)
  expect((await world.post(id)).status).toBe('publishing')
  await days(2)
  const post = await world.post(id)
  expect(post).toMatchObject({
    status: 'failed',
    failure_kind: 'held_by_platform',
    platform_state: 'pending',
  })
  expect(post.error_message).toContain('https://social.test/at-0')
  expect(await world.news()).toContain('Stand-in still holds back a post of Acme')
  const refused = (work: Promise<unknown>) =>
    work.then(
      () => 'accepted',
      (error: Error) => error.message,
    )
  expect(await refused(retryPost(world.owner, id))).toContain('holds this post back')
  expect(await refused(editPost(world.owner, { post_id: id, content: { summary: 'Other' } }))).toContain(
    'holds this post back',
  )
  const looks = standIn.held.looks
  await days(3)
  expect([standIn.held.creates, standIn.held.looks]).toEqual([1, looks])
  await confirmPublished(world.owner, { post_id: id, url: 'https://social.test/at-0' })
  expect(await world.post(id)).toMatchObject({
    status: 'published',
    external_url: 'https://social.test/at-0',
  })
})

test('a person who deleted a held post there can publish it again', async () => {
  await open('pending')
  const { id } = await publish()
  await days(8)
  standIn.held.shown.splice(0)
  standIn.held.state = 'live'
  await publishAgain(world.owner, id)
  await world.tick()
  expect([(await world.post(id)).status, standIn.held.shown.length]).toEqual(['published', 1])
})

test('it is looked at often at first and rarely later, also beside the hourly search for lost posts', async () => {
  await open('pending')
  await publish()
  const looks: number[] = []
  for (let day = 0; day < 7; day++) {
    const before = standIn.held.looks
    for (let hour = 0; hour < 24; hour++) {
      await world.pass(60, 10)
      await world.bench.registry.jobs.get('findPosts')?.run(world.owner, world.task.signal)
    }
    looks.push(standIn.held.looks - before)
  }
  expect(looks[0]).toBeGreaterThan(8)
  expect(looks[0]).toBeLessThan(30)
  expect(Math.max(...looks.slice(3))).toBeLessThanOrEqual(4)
  expect(Math.min(...looks.slice(3, 6))).toBeGreaterThanOrEqual(3)
})

test('a platform that cannot be read for days ends nothing, and a post that appears then is found', async () => {
  await open('pending')
  const { id } = await publish()
  standIn.held.lie = 'unreadable'
  await days(3)
  expect(await world.post(id)).toMatchObject({ status: 'publishing', platform_state: 'pending' })
  standIn.held.lie = null
  there().state = 'live'
  await days(1)
  expect((await world.post(id)).status).toBe('published')
})

test('a post that an editor changed and then published is asked of a person, with its address', async () => {
  await open('pending')
  const { id } = await publish()
  there().text = 'News, corrected'
  await days(1)
  expect((await world.post(id)).status).toBe('publishing')
  there().state = 'live'
  await days(1)
  const post = await world.post(id)
  expect(post).toMatchObject({ status: 'failed', failure_kind: 'unknown_outcome' })
  expect(post.error_message).toContain('https://social.test/at-0')
})
