import { afterEach, expect, test } from 'bun:test'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { MentionReply } from '../../../../plugins/leads/records/MentionReply'
import { requestReply } from '../../../../plugins/leads/replies/requestReply'
import { type Answer, type ReplyWorld, replyWorld } from '../support/reply-world'

let world: ReplyWorld
afterEach(() => world?.stop())

/** Two locations of one account answer the same post at the same moment. */
async function bothAnswer(...answers: Answer[]): Promise<void> {
  world = await replyWorld()
  world.held.answers = answers
  const { id: _, created_date: __, updated_date: ___, ...fields } = world.location
  const second = await world.owner.rows(BusinessLocation).insert({ ...fields, business_name: 'Acme East' })
  const one = await world.mention()
  const two = await world.mention({ location_id: second.id, source_id: one.source_id, tracker_id: 'trk_2' })
  for (const { id } of [one, two]) {
    await requestReply(world.owner, { mention_id: id, text: `I work at Acme. I work at Acme East. ${id}` })
  }
  // Both have looked at the thread before either calls.
  const opened = Promise.withResolvers<void>()
  let openings = 0
  world.held.onOpen = () => {
    if (++openings === 2) opened.resolve()
    return opened.promise
  }
  const queue = world.bench.registry.queues.get('send-mention-reply')
  const replies = await world.owner.rows(MentionReply).list({ limit: 10 })
  expect(replies.map(({ account_id }) => account_id)).toEqual(['acc-1', 'acc-1'])
  await Promise.all(replies.map(({ id }) => queue?.run(world.owner, { reply_id: id }, world.task)))
}

const states = async () =>
  (await world.owner.rows(MentionReply).list({ limit: 10 })).map((reply) => reply.state).toSorted()
const failure = async () =>
  (await world.owner.rows(MentionReply).list({ limit: 10 })).find(({ failure_kind }) => failure_kind)

test('two locations of one account answer a post once, also at the same moment', async () => {
  await bothAnswer('accepts')
  expect([world.held.sends, await states()]).toEqual([1, ['sending', 'sent']])
  await world.pass(3)
  expect([world.held.sends, await states()]).toEqual([1, ['failed', 'sent']])
  expect(await failure()).toMatchObject({
    failure_kind: 'not_allowed',
    error_message: 'Another location has answered the post through the same account.',
  })
})

test('as long as nobody knows whether the one arrived, the other is not sent', async () => {
  await bothAnswer('never gets it')
  await world.pass(90)
  expect(world.held.sends).toBe(1)
  const kinds = (await world.owner.rows(MentionReply).list({ limit: 10 })).map((reply) => reply.failure_kind)
  expect(kinds.toSorted()).toEqual(['not_allowed', 'unknown_outcome'])
})

test('when the one is refused, the other is sent', async () => {
  await bothAnswer('refuses', 'accepts')
  await world.pass(3)
  expect([world.held.sends, await states()]).toEqual([2, ['failed', 'sent']])
})
