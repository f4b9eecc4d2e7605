import { afterEach, describe, expect, test } from 'bun:test'
import { everything } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { confirmPublished, publishAgain, retryPost } from '../../../../plugins/posts/acts/decide'
import { editPost } from '../../../../plugins/posts/acts/edit'
import { cancelPost, publishNow, schedulePost } from '../../../../plugins/posts/acts/schedule'
import { Post } from '../../../../plugins/posts/records/Post'
import { PostAttempt } from '../../../../plugins/posts/records/PostAttempt'
import { PostPlan } from '../../../../plugins/posts/records/PostPlan'
import { type Answer, type PostWorld, postWorld, standInTarget } from '../support/post-world'

let world: PostWorld
let standIn: ReturnType<typeof standInTarget>
async function open(more: Parameters<typeof standInTarget>[0] = {}, ...answers: Answer[]) {
  standIn = standInTarget(more)
  if (answers.length > 0) standIn.held.answers = answers
  world = await postWorld(standIn.target)
}
afterEach(() => world?.stop())

const keyed = { lifetimeMs: 3_000_000 }
/** Publishes a post now and lets the minutes pass. */
async function publish(minutes = 0, summary = 'News') {
  const { id } = await world.draft(summary)
  await publishNow(world.owner, { post_id: id })
  await world.tick()
  await world.pass(minutes)
  return world.post(id)
}
const shown = () => standIn.held.shown.map(({ text }) => text)

describe('a post that is published', () => {
  test('is published once, with its id and address, and leaves a settled attempt and no plan', async () => {
    await open()
    const post = await publish(30)
    expect(post).toMatchObject({
      status: 'published',
      external_post_id: 'at-0',
      external_url: 'https://social.test/at-0',
      scheduled_at: null,
      published_at: '2026-03-15T12:00:00.000Z',
    })
    expect(shown()).toEqual(['News'])
    const [attempt, ...others] = await world.attempts()
    expect(others).toEqual([])
    expect(attempt).toMatchObject({ outcome: 'published', external_id: 'at-0', is_open: false, calls: 1 })
    expect(await world.plans()).toEqual([])
  })

  test('is published at its local time and not before', async () => {
    await open()
    const { id } = await world.draft('News')
    const given = { post_id: id, wall_time: '2026-03-15T14:30', timezone: 'Europe/Berlin' }
    await schedulePost(world.owner, given)
    expect(await world.post(id)).toMatchObject({
      status: 'scheduled',
      scheduled_at: '2026-03-15T13:30:00.000Z',
    })
    await world.pass(89)
    expect(shown()).toEqual([])
    await world.pass(2)
    expect([(await world.post(id)).status, shown()]).toEqual(['published', ['News']])
  })

  test('is not published when it was cancelled, changed or moved just before', async () => {
    await open()
    const times = { wall_time: '2026-03-15T13:00', timezone: 'UTC' }
    const cancelled = await world.draft('One')
    const later = await world.draft('Two')
    for (const { id } of [cancelled, later]) await schedulePost(world.owner, { post_id: id, ...times })
    await cancelPost(world.owner, cancelled.id)
    await schedulePost(world.owner, { post_id: later.id, ...times, wall_time: '2026-03-15T14:00' })
    await world.pass(61)
    expect(shown()).toEqual([])
    await editPost(world.owner, { post_id: later.id, content: { summary: 'Three' } })
    await world.pass(61)
    expect(shown()).toEqual(['Three'])
  })
})

test('each version of a post that fails is told to people, and each one once', async () => {
  await open({}, 'refuses', 'refuses')
  const post = await publish(1)
  expect([post.status, await world.news()]).toEqual([
    'failed',
    ['A post of Acme was not published on Stand-in'],
  ])
  await editPost(world.owner, { post_id: post.id, content: { summary: 'Other news' } })
  await publishNow(world.owner, { post_id: post.id })
  await world.tick()
  await world.pass(1)
  expect((await world.post(post.id)).status).toBe('failed')
  expect(await world.news()).toHaveLength(2)
})

describe('an answer that is lost', () => {
  test('after acceptance: the post is found, and not sent again', async () => {
    await open({}, 'loses the answer')
    const post = await publish(1)
    expect([post.status, post.external_post_id]).toEqual(['published', 'at-0'])
    expect([standIn.held.creates, shown()]).toEqual([1, ['News']])
    expect((await world.attempts())[0]?.evidence).toBe('Found: listed')
  })

  test('before acceptance: after three looks in ten minutes a person decides', async () => {
    await open({}, 'never gets it')
    const post = await publish(10)
    expect(post).toMatchObject({ status: 'failed', failure_kind: 'unknown_outcome', scheduled_at: null })
    expect([standIn.held.creates, standIn.held.looks, shown()]).toEqual([1, 3, []])
    expect(await world.news()).toEqual(['Is this post of Acme on Stand-in?'])
    await world.pass(600, 10)
    expect([standIn.held.creates, standIn.held.looks]).toEqual([1, 3])
  })

  test('at a target that keeps keys: after three looks the same call is repeated, and creates one post', async () => {
    await open(keyed, 'never gets it', 'never gets it', 'accepts')
    const post = await publish(8)
    expect([post.status, standIn.held.creates, standIn.held.looks]).toEqual(['publishing', 1, 2])
    await world.pass(16)
    expect([(await world.post(post.id)).status, shown()]).toEqual(['published', ['News']])
    expect(standIn.held.creates).toBe(3)
    expect(new Set((await world.attempts()).map(({ key }) => key)).size).toBe(1)
  })

  test('where the key is part of the result: the call is repeated after the first look', async () => {
    await open({ ...keyed, isExact: true }, 'never gets it', 'accepts')
    const post = await publish(1)
    expect([post.status, shown(), standIn.held.creates]).toEqual(['published', ['News'], 2])
  })

  test('a refusal of a repeated call does not say that the first was not accepted', async () => {
    await open(keyed, 'loses the answer', 'refuses')
    standIn.held.lie = 'absent'
    const { id, status } = await publish(10)
    expect([status, (await world.attempts())[0]?.outcome]).toEqual(['publishing', 'unknown'])
    expect(standIn.held.creates).toBe(2)
    standIn.held.lie = null
    await world.pass(20)
    expect([(await world.post(id)).status, shown()]).toEqual(['published', ['News']])
  })

  test('a target that cannot be read proves nothing, so nothing is sent again even with a key', async () => {
    await open(keyed, 'loses the answer')
    standIn.held.lie = 'unreadable'
    const post = await publish(60)
    expect([post.status, post.failure_kind]).toEqual(['failed', 'unknown_outcome'])
    expect([standIn.held.creates, shown()]).toEqual([1, ['News']])
  })

  test('another post with the same text is not taken for it', async () => {
    await open()
    await publish()
    standIn.held.answers = ['never gets it']
    const { id } = await world.draft('News')
    await publishNow(world.owner, { post_id: id, allow_duplicate: true })
    await world.tick()
    await world.pass(10)
    expect((await world.post(id)).failure_kind).toBe('unknown_outcome')
  })
})

describe('a fault that proves that nothing was published', () => {
  test.each(['is busy', 'cannot be reached'] as const)(
    'passes: when it %s, it is tried again',
    async (how) => {
      await open({}, how, how, 'accepts')
      const post = await publish(10)
      expect([post.status, shown(), post.error_message]).toEqual(['published', ['News'], undefined])
      const outcomes = (await world.attempts()).map(({ outcome }) => outcome).toSorted()
      expect(outcomes).toEqual(['published', 'rejected', 'rejected'])
    },
  )

  test.each([
    ['is busy', 0],
    ['cannot be reached', 1],
  ] as const)('when it %s, it counts as %i failed attempts', async (how, failed) => {
    await open({}, how)
    expect((await publish()).error_count ?? 0).toBe(failed)
  })

  test('is final: the post fails with the reason, and people are told once', async () => {
    await open({}, 'refuses')
    const post = await publish(120)
    expect(post).toMatchObject({
      status: 'failed',
      failure_kind: 'rejected',
      error_message: 'The text is not allowed',
    })
    expect([standIn.held.creates, await world.news()]).toEqual([
      1,
      ['A post of Acme was not published on Stand-in'],
    ])
    standIn.held.answers = ['accepts']
    await retryPost(world.owner, post.id)
    await world.tick()
    expect([(await world.post(post.id)).status, shown()]).toEqual(['published', ['News']])
  })

  test('that lasts for an hour ends the post', async () => {
    await open({}, 'cannot be reached')
    const post = await publish(90)
    expect([post.status, post.failure_kind, shown()]).toEqual(['failed', 'rejected', []])
    expect(post.error_message).toContain('It did not work for an hour')
  })
})

describe('a post that must not be published', () => {
  test.each([
    ['is paused', { is_active: false }, 'The location is paused.'],
    ['became a prospect', { is_active: false, is_prospect: true }, 'The location is a prospect.'],
  ])('fails when its location %s', async (_, change, why) => {
    await open()
    const { id } = await world.draft('News')
    await publishNow(world.owner, { post_id: id })
    await world.owner.rows(BusinessLocation).update(world.location.id, change)
    await world.tick()
    expect(await world.post(id)).toMatchObject({
      status: 'failed',
      failure_kind: 'not_allowed',
      error_message: why,
    })
    expect(standIn.held.creates).toBe(0)
  })

  test('fails when its location is paused while the access is opened', async () => {
    await open()
    standIn.held.onOpen = async () => {
      await world.owner.rows(BusinessLocation).update(world.location.id, { is_active: false })
    }
    const post = await publish()
    expect([post.failure_kind, standIn.held.creates]).toEqual(['not_allowed', 0])
    expect(await world.attempts()).toMatchObject([{ outcome: 'rejected', is_open: false }])
  })

  test('is missed when Renown was off for more than an hour, and never published late', async () => {
    await open()
    const { id } = await world.draft('News')
    await schedulePost(world.owner, { post_id: id, wall_time: '2026-03-15T13:00', timezone: 'UTC' })
    await world.pass(121, 121)
    await world.pass(60)
    expect(await world.post(id)).toMatchObject({ status: 'failed', failure_kind: 'missed' })
    expect(standIn.held.creates).toBe(0)
  })

  test('stays a sample in a demo', async () => {
    await open()
    const demo = await world.place({ is_demo: true })
    const { id } = await world.draft('News')
    await publishNow(world.owner, { post_id: id })
    await world.owner.rows(Post).update(id, { business_location_id: demo.id })
    await world.tick()
    expect([(await world.post(id)).status, await world.plans()]).toEqual(['scheduled', []])
    await world.bench.registry.jobs.get('findPosts')?.run(world.owner, world.task.signal)
    expect(await world.plans()).toEqual([])
    expect(standIn.held.creates).toBe(0)
  })
})

describe('a process that is lost', () => {
  const stopped = new Error('the process ended')
  test('in the call: the post is looked up, never sent again', async () => {
    await open()
    standIn.held.onCreate = () => Promise.reject(stopped)
    const { id } = await world.draft('News')
    await publishNow(world.owner, { post_id: id })
    const attempts = world.owner.rows(PostAttempt)
    await world.tick()
    // As a killed process leaves it: the call was not settled.
    const [row] = await attempts.list({ limit: 1 })
    expect(row).toMatchObject({ outcome: 'unknown', is_open: true })
    standIn.held.onCreate = async () => {}
    standIn.held.shown.push({
      id: 'at-9',
      text: 'News',
      key: row?.key ?? '',
      at: world.bench.now.toISOString(),
      state: 'live',
    })
    await world.pass(1)
    expect(await world.post(id)).toMatchObject({ status: 'published', external_post_id: 'at-9' })
    expect(standIn.held.creates).toBe(1)
  })

  test('before the attempt was written: the post is published', async () => {
    await open()
    standIn.held.onOpen = () => Promise.reject(stopped)
    const { id } = await world.draft('News')
    await publishNow(world.owner, { post_id: id })
    await world.tick()
    expect((await world.post(id)).status).toBe('publishing')
    standIn.held.onOpen = async () => {}
    await world.pass(2)
    expect([(await world.post(id)).status, shown()]).toEqual(['published', ['News']])
  })

  test('a scheduled post without a plan is found again', async () => {
    await open()
    const { id } = await world.draft('News')
    await schedulePost(world.owner, { post_id: id, wall_time: '2026-03-15T13:00', timezone: 'UTC' })
    await world.owner.rows(PostPlan).removeWhere({ op: 'eq', field: 'post_id', value: id })
    await world.bench.registry.jobs.get('findPosts')?.run(world.owner, world.task.signal)
    await world.pass(61)
    expect(shown()).toEqual(['News'])
  })
})

describe('a person decides about an unknown outcome', () => {
  test('it is there: the post is published, with the address', async () => {
    await open({}, 'never gets it')
    const { id } = await publish(10)
    const wrong = confirmPublished(world.owner, { post_id: id, url: 'javascript:alert(1)' })
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_field' })
    const post = await confirmPublished(world.owner, { post_id: id, url: 'https://social.test/7' })
    expect(post).toMatchObject({ status: 'published', external_url: 'https://social.test/7' })
    expect([post.error_message, post.failure_kind]).toEqual([undefined, undefined])
  })

  test('publish again: it is sent with a new key', async () => {
    await open({}, 'never gets it')
    const { id } = await publish(10)
    await expect(retryPost(world.owner, id)).rejects.toMatchObject({ code: 'conflict' })
    await expect(editPost(world.owner, { post_id: id })).rejects.toMatchObject({ code: 'conflict' })
    standIn.held.answers = ['accepts']
    await publishAgain(world.owner, id)
    await world.tick()
    expect([(await world.post(id)).status, shown()]).toEqual(['published', ['News']])
    expect(new Set((await world.attempts()).map(({ key }) => key)).size).toBe(2)
  })

  test('only where there is something to decide', async () => {
    await open()
    const { id } = await publish()
    const refused = { code: 'conflict' }
    await expect(publishAgain(world.owner, id)).rejects.toMatchObject(refused)
    await expect(
      confirmPublished(world.owner, { post_id: id, url: 'https://x.test/' }),
    ).rejects.toMatchObject(refused)
  })
})

test('the hourly limit of a target holds, and a post that waits for too long is missed', async () => {
  await open({ perHour: 3 })
  for (let n = 0; n < 5; n++) await publishNow(world.owner, { post_id: (await world.draft(`News ${n}`)).id })
  await world.pass(5)
  expect(shown()).toHaveLength(3)
  await world.pass(65)
  const statuses = (await world.owner.rows(Post).list({ limit: 10 })).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual(['failed', 'failed', 'published', 'published', 'published'])
  expect(shown()).toHaveLength(3)
})

test('a run queues at most 50 posts of a workspace, so that they do not delay those of others', async () => {
  await open()
  const due_at = world.bench.now.toISOString()
  const plans = world.owner.rows(PostPlan)
  for (let n = 0; n < 60; n++) await plans.insert({ workspace_id: 'wsp_big', post_id: `big${n}`, due_at })
  await plans.insert({ workspace_id: 'wsp_small', post_id: 'small', due_at })
  await world.bench.registry.jobs.get('duePosts')?.run(world.owner, world.task.signal)
  const jobs = (await world.bench.collection(Job).find({ where: everything, limit: 100 })) as readonly {
    readonly workspace_id: string
  }[]
  const of = (id: string) => jobs.filter(({ workspace_id }) => workspace_id === id).length
  expect([of('wsp_big'), of('wsp_small')]).toEqual([50, 1])
})
