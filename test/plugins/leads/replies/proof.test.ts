import { afterEach, describe, expect, test } from 'bun:test'
import type { ShownReply } from 'renown/leads'
import { requestReply } from '../../../../plugins/leads/replies/requestReply'
import { part } from '../../../support/part'
import { type ReplyWorld, replyWorld, type StandInMore } from '../support/reply-world'

let world: ReplyWorld
let doubts: string[] = []
afterEach(() => world?.stop())
async function open(more: StandInMore = {}) {
  doubts = []
  world = await replyWorld({
    raiseDoubt: async (_, __, { why }) => {
      doubts.push(why)
      const { account } = world.held
      if ('id' in account) world.held.account = part({ ...account, in_doubt: why })
    },
    explainDoubt: async () => {
      doubts = []
      const { account } = world.held
      if ('id' in account) world.held.account = { id: account.id, name: account.name }
    },
    ...more,
  })
}

const text = 'I work at Acme. We can come today.'
async function send(minutes = 0) {
  const { id } = await world.mention()
  await requestReply(world.owner, { mention_id: id, text })
  await world.tick()
  await world.pass(minutes)
  return world.reread(id)
}

const others: Readonly<Record<string, Partial<ShownReply>>> = {
  "somebody else's reply": { external_id: 'x-1', url: 'https://social.test/x-1', text: 'Other words' },
  'an older reply with our words': { external_id: 'x-2', created_at: '2026-03-15T11:00:00.000Z' },
  'ours cut short': { text: 'I work at Acme.' },
}

describe.each(Object.entries(others))('an answer with %s', (_, lie) => {
  test('is not the reply: a look finds ours, and its address is the one that counts', async () => {
    await open()
    world.held.answerLie = lie
    const before = await send()
    expect([before.status, before.reply_url, doubts.length]).toEqual(['new', undefined, 1])
    await world.pass(2)
    expect(await world.reply()).toMatchObject({ state: 'sent', external_id: 'at-0' })
    expect([world.held.sends, world.held.shown.length, doubts]).toEqual([1, 1, []])
  })

  test('is never sent again, and a person is asked', async () => {
    await open({ lifetimeMs: 3_000_000 })
    world.held.answerLie = lie
    world.held.lie = 'absent'
    await send(60)
    expect(await world.reply()).toMatchObject({ state: 'failed', failure_kind: 'unknown_outcome' })
    expect(world.held.sends).toBe(1)
  })
})

test('while its account is in doubt, a reply waits, and people answer by hand', async () => {
  await open()
  const { id } = await world.mention()
  await requestReply(world.owner, { mention_id: id, text })
  const account = { id: 'acc-1', name: 'Acme', in_doubt: 'It showed something else.' }
  world.held.account = account
  await world.pass(10)
  expect([world.held.sends, (await world.reply())?.state]).toEqual([0, 'sending'])
  const other = await world.mention()
  const refused = await requestReply(world.owner, { mention_id: other.id, text }).catch(
    (error: Error) => error,
  )
  expect(String(refused)).toContain('It showed something else.')
  world.held.account = { id: 'acc-1', name: 'Acme' }
  await world.pass(3)
  expect([world.held.sends, (await world.reread(id)).status]).toEqual([1, 'replied'])
})

test('a reply that the platform holds back stays as it is, and counts when everybody sees it', async () => {
  await open()
  world.held.state = 'pending'
  const mention = await send(60)
  expect([mention.status, await world.reply()]).toMatchObject([
    'new',
    { state: 'sending', platform_state: 'pending' },
  ])
  expect(await world.news()).toEqual(['Stand-in holds back a reply of Acme'])
  const [shown] = world.held.shown
  if (shown) Object.assign(shown, { state: 'live' })
  await world.pass(120, 10)
  expect([(await world.reread(mention.id)).status, world.held.sends]).toEqual(['replied', 1])
})

test('a reply that the platform holds back for seven days waits for a person', async () => {
  await open()
  world.held.state = 'pending'
  await send()
  await world.pass(8 * 1440, 60)
  expect(await world.reply()).toMatchObject({ state: 'failed', failure_kind: 'held_by_platform' })
  expect(world.held.sends).toBe(1)
})

test('two replies with the same words are told, with both addresses', async () => {
  await open()
  world.held.answers = ['loses the answer']
  const { id } = await world.mention()
  await requestReply(world.owner, { mention_id: id, text })
  await world.tick()
  const [first] = world.held.shown
  if (first) world.held.shown.push({ ...first, external_id: 'at-2', url: 'https://social.test/at-2' })
  await world.pass(1)
  expect(await world.reply()).toMatchObject({ state: 'sent', duplicate_urls: ['https://social.test/at-2'] })
  expect(await world.news()).toContain('A reply of Acme is on Stand-in twice')
})
