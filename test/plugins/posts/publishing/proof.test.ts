import { afterEach, describe, expect, test } from 'bun:test'
import type { ShownPost } from 'renown/posts'
import { confirmTarget } from '../../../../plugins/posts/acts/channels'
import { confirmPublished } from '../../../../plugins/posts/acts/decide'
import { publishNow } from '../../../../plugins/posts/acts/schedule'
import { PostChannel } from '../../../../plugins/posts/records/PostChannel'
import { type Answer, type PostWorld, postWorld, standInTarget } from '../support/post-world'

let world: PostWorld
let standIn: ReturnType<typeof standInTarget>
async function open(more: Parameters<typeof standInTarget>[0] = {}, ...answers: Answer[]) {
  standIn = standInTarget(more)
  if (answers.length > 0) standIn.held.answers = answers
  world = await postWorld(standIn.target)
}
afterEach(() => world?.stop())

async function publish(minutes = 0, summary = 'News') {
  const { id } = await world.draft(summary)
  await publishNow(world.owner, { post_id: id })
  await world.tick()
  await world.pass(minutes)
  return world.post(id)
}
const doubts = async () =>
  (await world.owner.rows(PostChannel).list({ limit: 10 })).map(({ in_doubt }) => in_doubt?.why)

/** Answers with status 200 that show something else. Our post is there all the same. */
const others: Readonly<Record<string, Partial<ShownPost>>> = {
  "somebody else's post": { external_id: 'x-1', url: 'https://social.test/x-1', text: 'Other words' },
  'an older post with our words': {
    external_id: 'x-2',
    url: 'https://social.test/x-2',
    created_at: '2026-03-15T11:00:00.000Z',
  },
  'ours cut short': { text: 'Ne' },
  'ours cut with dots': { text: 'Ne…' },
  'a post by another account': { external_id: 'x-3', isOther: 'x-3 is by another account.' },
  'an empty text': { text: '' },
}
/** Answers that lack what would prove the post. */
const parts: Readonly<Record<string, Partial<ShownPost>>> = {
  'no text': { text: undefined },
  'no time': { created_at: undefined },
  'a time that cannot be read': { created_at: 'yesterday' },
  'no state': { state: undefined },
  'no id': { external_id: '' },
}

describe.each(Object.entries(others))('an answer with %s', (_, lie) => {
  test('is not believed, its address is never ours, and the target is in doubt until a look explains it', async () => {
    await open()
    standIn.held.answerLie = lie
    standIn.held.lag = 4
    const post = await publish()
    expect([post.status, post.external_post_id, post.external_url]).toEqual([
      'publishing',
      undefined,
      undefined,
    ])
    expect(await doubts()).toEqual([expect.stringContaining('something else')])
    await world.pass(10)
    expect(await world.post(post.id)).toMatchObject({
      status: 'published',
      external_post_id: 'at-0',
      external_url: 'https://social.test/at-0',
    })
    expect([standIn.held.creates, await doubts()]).toEqual([1, []])
  })

  test('is never called again, though a key is kept, and a person is asked', async () => {
    await open({ lifetimeMs: 3_000_000 })
    standIn.held.answerLie = lie
    standIn.held.lie = 'absent'
    const post = await publish(60)
    expect(post).toMatchObject({ status: 'failed', failure_kind: 'unknown_outcome' })
    expect([post.external_post_id, standIn.held.creates]).toEqual([undefined, 1])
  })
})

test.each(Object.entries(parts))(
  'an answer with %s proves nothing until a look shows the post',
  async (_, lie) => {
    await open()
    standIn.held.answerLie = lie
    standIn.held.lie = 'unreadable'
    const post = await publish()
    expect([post.status, post.external_post_id]).toEqual(['publishing', undefined])
    standIn.held.lie = null
    await world.pass(2)
    expect([(await world.post(post.id)).status, standIn.held.creates]).toEqual(['published', 1])
  },
)

test('while a target is in doubt, other posts wait, and are published when a person confirms it', async () => {
  await open()
  standIn.held.answerLie = others["somebody else's post"] ?? null
  standIn.held.lie = 'absent'
  await publish()
  standIn.held.answerLie = null
  const { id } = await publish(20, 'More news')
  expect([(await world.post(id)).status, standIn.held.creates]).toEqual(['publishing', 1])
  await confirmTarget(world.owner, { location_id: world.location.id, platform: 'linkedin' })
  standIn.held.lie = null
  await world.pass(3)
  expect([(await world.post(id)).status, standIn.held.creates]).toEqual(['published', 2])
})

test('what waits for a target in doubt is not published late, and says why', async () => {
  await open()
  standIn.held.answerLie = others["somebody else's post"] ?? null
  standIn.held.lie = 'absent'
  await publish()
  const { id } = await publish(70, 'More news')
  const post = await world.post(id)
  expect([post.failure_kind, standIn.held.creates]).toEqual(['missed', 1])
  expect(post.error_message).toContain('in doubt')
})

test('a person who decides about the post also explains the doubt about it', async () => {
  await open()
  standIn.held.answerLie = others["somebody else's post"] ?? null
  standIn.held.lie = 'absent'
  const { id } = await publish(10)
  await confirmPublished(world.owner, { post_id: id, url: 'https://social.test/mine' })
  expect(await doubts()).toEqual([])
})

describe('a server that ignores the key that it promises', () => {
  test('publishes twice only if its list is later than three looks, and then people see both', async () => {
    await open({ lifetimeMs: 3_000_000, isKeeping: false }, 'loses the answer', 'accepts')
    standIn.held.lag = 12
    const { id } = await publish(50)
    expect(standIn.held.creates).toBe(2)
    const post = await world.post(id)
    expect([post.status, post.external_url, post.duplicate_urls]).toEqual([
      'published',
      'https://social.test/at-0',
      ['https://social.test/at-1'],
    ])
    const news = await world.news()
    expect(news).toContain('A post of Acme is on Stand-in twice')
    expect(news).toContain('Stand-in is in doubt for Acme')
    expect(await doubts()).toEqual([expect.stringContaining('https://social.test/at-1')])
    // Nothing more is published there until a person confirms the target.
    await publish(30, 'More news')
    expect(standIn.held.creates).toBe(2)
  })

  test('publishes once if its list is later than the first look only', async () => {
    await open({ lifetimeMs: 3_000_000, isKeeping: false }, 'loses the answer', 'accepts')
    standIn.held.lag = 6
    const post = await publish(30)
    expect([post.status, standIn.held.creates, standIn.held.shown.length]).toEqual(['published', 1, 1])
  })
})

test('a server that is not known to keep keys is never called again, however late its list is', async () => {
  for (const lag of [0, 3, 30, 300]) {
    await open({}, 'loses the answer', 'accepts')
    standIn.held.lag = lag
    await publish(60)
    expect([standIn.held.creates, standIn.held.shown.length]).toEqual([1, 1])
    await world.stop()
  }
})

test('the answer to a repeated call does not end the doubt: a list must show the post', async () => {
  await open({ lifetimeMs: 3_000_000 }, 'never gets it', 'accepts')
  standIn.held.lie = 'absent'
  const post = await publish(9)
  expect([post.status, standIn.held.creates, standIn.held.shown.length]).toEqual(['publishing', 2, 1])
  await world.pass(60)
  const asked = await world.post(post.id)
  expect([asked.failure_kind, standIn.held.creates]).toEqual(['unknown_outcome', 2])
  expect(asked.error_message).toContain('https://social.test/at-0')
})

test('a list that does not reach back proves nothing, so that nothing is called again', async () => {
  await open({ lifetimeMs: 3_000_000 }, 'never gets it', 'accepts')
  standIn.held.isWhole = false
  const post = await publish(60)
  expect([post.failure_kind, standIn.held.creates]).toEqual(['unknown_outcome', 1])
})

test('two posts with the same words in the list are both told, though nothing was repeated', async () => {
  await open({}, 'loses the answer')
  const { id } = await publish()
  const [first] = standIn.held.shown
  if (first) standIn.held.shown.push({ ...first, id: 'at-again' })
  await world.pass(1)
  const post = await world.post(id)
  expect([post.status, post.duplicate_urls]).toEqual(['published', ['https://social.test/at-again']])
})
