import { afterEach, describe, expect, test } from 'bun:test'
import type { DeadLetter } from '../../../../core/contracts/queue'
import { settleAccepted } from '../../../../core/kit/attempts/attempt'
import { publishNow, schedulePost } from '../../../../plugins/posts/acts/schedule'
import { targetAttempt } from '../../../../plugins/posts/publishing/attempts'
import { publishPost } from '../../../../plugins/posts/publishing/publishPost'
import { Post } from '../../../../plugins/posts/records/Post'
import { attemptOutcome, PostAttempt } from '../../../../plugins/posts/records/PostAttempt'
import { waitFor } from '../../../support/wait-for'
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
const shown = () => standIn.held.shown.map(({ text }) => text)
const step = (post_id: string) => publishPost.run(world.owner, { post_id }, world.task)
const minutes = (count: number) => {
  world.bench.now = new Date(world.bench.now.getTime() + count * 60_000)
}
async function wanted(summary = 'News') {
  const { id } = await world.draft(summary)
  await publishNow(world.owner, { post_id: id })
  return id
}
/** An attempt as another process wrote it. */
async function attempt(post_id: string, more: object = {}) {
  const { revision = 1 } = await world.post(post_id)
  const now = world.bench.now.toISOString()
  return world.owner.rows(PostAttempt).insert({
    workspace_id: world.workspace_id,
    post_id,
    location_id: world.location.id,
    platform: 'linkedin',
    revision,
    key: 'k',
    request_hash: 'h',
    started_at: now,
    called_at: now,
    calls: 1,
    looks: 0,
    outcome: 'calling',
    is_open: true,
    ...more,
  })
}
/** Waits until the target was called so often. */
const calls = (count: number) =>
  waitFor(() => standIn.held.creates >= count, { what: 'a call of the target', everyMs: 1 })
/** A promise that a test resolves. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, resolve }
}

describe('a clock that goes back', () => {
  test('does not hide the attempt that published the post', async () => {
    await open({}, 'is busy', 'accepts')
    const id = await wanted()
    await world.tick()
    // The clock goes back. The second attempt publishes the post, and its process ends before the post says so.
    minutes(-10)
    const row = await attempt(id)
    const store = { rows: world.owner.rows(PostAttempt), states: attemptOutcome, now: world.bench.now }
    await settleAccepted(store, row, { shown: { external_id: 'at-9', evidence: '201' } })
    await step(id)
    expect(await world.post(id)).toMatchObject({ status: 'published', external_post_id: 'at-9' })
    expect([standIn.held.creates, shown()]).toEqual([1, []])
  })

  test('does not let a key count as fresh that the target may have forgotten', async () => {
    await open(keyed, 'loses the answer')
    standIn.held.lie = 'absent'
    const id = await wanted()
    await world.tick()
    minutes(-300)
    await step(id)
    expect(standIn.held.creates).toBe(1)
  })
})

describe('two processes at once', () => {
  test('publish a post once', async () => {
    await open()
    const id = await wanted()
    await Promise.all([step(id), step(id), step(id)])
    await world.pass(30)
    expect(shown()).toEqual(['News'])
    expect((await world.post(id)).status).toBe('published')
  })

  test('a refusal of the first says nothing about the repeated call of the second', async () => {
    await open({ ...keyed, isExact: true }, 'refuses', 'accepts')
    standIn.held.lie = 'absent'
    const first = gate()
    const second = gate()
    const held = [first, second]
    standIn.held.onCreate = () => held.shift()?.promise ?? Promise.resolve()
    const id = await wanted()
    const slow = step(id)
    await calls(1)
    minutes(1)
    await step(id)
    minutes(1)
    const repeated = step(id)
    await calls(2)
    first.resolve()
    await slow
    expect((await world.post(id)).status).toBe('publishing')
    standIn.held.lie = null
    second.resolve()
    await repeated
    expect([(await world.post(id)).status, shown()]).toEqual(['published', ['News']])
  })

  test('an answer that comes after the search was given up still proves the publication', async () => {
    await open()
    standIn.held.lie = 'absent'
    const call = gate()
    standIn.held.onCreate = () => call.promise
    const id = await wanted()
    const slow = step(id)
    await calls(1)
    await world.pass(12)
    expect((await world.post(id)).failure_kind).toBe('unknown_outcome')
    call.resolve()
    await slow
    const post = await world.post(id)
    expect([post.status, post.external_post_id, post.failure_kind]).toEqual(['published', 'at-0', undefined])
    expect(await world.attempts()).toMatchObject([{ outcome: 'published', is_open: false }])
  })

  test('the second waits while the first has an open attempt', async () => {
    await open()
    const id = await wanted()
    let once = 0
    standIn.held.onOpen = async () => {
      if (++once === 1) await attempt(id)
    }
    await step(id)
    expect(standIn.held.creates).toBe(0)
    const [plan] = await world.plans()
    expect(Date.parse(plan?.due_at ?? '')).toBeGreaterThan(world.bench.now.getTime())
  })
})

test('a process that dies again and again does not end the search for the post, but two hours do', async () => {
  await open({}, 'loses the answer', 'never gets it')
  const dead = { kind: 'transient', code: 'worker_lost', message: 'Its process died each time' } as const
  const task = { workspace_id: world.workspace_id } as DeadLetter
  const give = (post_id: string) => publishPost.onDeadLetter?.(world.owner, { post_id }, dead, task)
  const found = await wanted()
  const lost = await wanted('Lost')
  for (const id of [found, lost]) await step(id)
  for (const id of [found, lost]) await give(id)
  await world.pass(2)
  expect(await world.post(found)).toMatchObject({ status: 'published', external_post_id: 'at-0' })
  minutes(200)
  await give(lost)
  expect(await world.post(lost)).toMatchObject({ status: 'failed', failure_kind: 'unknown_outcome' })
})

test('an open attempt of an earlier version does not stop a version that a person started', async () => {
  await open()
  const id = await wanted()
  await attempt(id, { revision: 1 })
  await world.pass(3)
  expect([(await world.post(id)).status, shown()]).toEqual(['published', ['News']])
})

test('a look knows the posts of settled attempts, though their posts do not say so yet', async () => {
  await open()
  const id = await wanted()
  await world.tick()
  await world.owner.rows(Post).update(id, { external_post_id: 'not known yet' })
  const other = await attempt(await wanted('Other'))
  expect((await targetAttempt(world.owner, other)).others).toContain('at-0')
})

test('a post that is moved while it is claimed is published once, at one of both times', async () => {
  await open()
  const { id } = await world.draft('News')
  const time = { post_id: id, timezone: 'UTC' }
  await schedulePost(world.owner, { ...time, wall_time: '2026-03-15T13:00' })
  minutes(60)
  const moved = schedulePost(world.owner, { ...time, wall_time: '2026-03-15T18:00' }).catch(() => null)
  await Promise.all([moved, step(id)])
  await world.pass(400, 5)
  expect([(await world.post(id)).status, shown()]).toEqual(['published', ['News']])
})
