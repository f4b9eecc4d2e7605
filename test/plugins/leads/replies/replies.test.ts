import { afterEach, describe, expect, test } from 'bun:test'
import type { SourcePolicy } from 'renown/leads'
import { moveState } from '../../../../core/kit/states'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { mentionStatus } from '../../../../plugins/leads/records/mentionStatus'
import { replyChoice } from '../../../../plugins/leads/replies/replyWay'
import {
  cancelMentionReply,
  confirmMentionReply,
  markAnswered,
  requestReply,
  sendReplyAgain,
} from '../../../../plugins/leads/replies/requestReply'
import { sendMentionReply } from '../../../../plugins/leads/replies/sendMentionReply'
import { waitFor } from '../../../support/wait-for'
import { type Answer, type ReplyWorld, replyWorld, type StandInMore } from '../support/reply-world'

let world: ReplyWorld
afterEach(() => world?.stop())
async function open(
  { policy, ...more }: StandInMore & { readonly policy?: Partial<SourcePolicy> } = {},
  ...answers: Answer[]
) {
  world = await replyWorld(more, policy)
  if (answers.length > 0) world.held.answers = answers
}

const text = 'I work at Acme. We can come today.'
const keyed = { lifetimeMs: 3_000_000 }
/** A person sends a reply, and the minutes pass. */
async function send(minutes = 0) {
  const { id } = await world.mention()
  await requestReply(world.owner, { mention_id: id, text })
  await world.tick()
  await world.pass(minutes)
  return world.reread(id)
}
const shown = () => world.held.shown.map((one) => one.text)
const moveMention = (id: string, to: 'saved' | 'dismissed') =>
  world.owner.rows(Mention).update(id, moveState(mentionStatus, 'new', to, { now: world.bench.now }))
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'was accepted',
    (error: Error & { code?: string }) => error.message,
  )

describe('a reply that a person sends', () => {
  test('is sent once, and the mention says what was answered and where', async () => {
    await open()
    const mention = await send(90)
    expect(shown()).toEqual([text])
    expect(mention).toMatchObject({
      status: 'replied',
      reply_text: text,
      reply_url: 'https://social.test/at-0',
      replied_at: '2026-03-15T12:00:00.000Z',
    })
    expect(await world.reply()).toMatchObject({ state: 'sent', external_id: 'at-0' })
    expect(await world.attempts()).toMatchObject([{ outcome: 'published', is_open: false, calls: 1 }])
  })

  test('is the draft of the mention if the person gives no text', async () => {
    await open()
    const { id } = await world.mention({
      suggested_reply: text,
      suggested_reply_at: '2026-03-15T10:00:00.000Z',
    })
    await requestReply(world.owner, { mention_id: id, if_draft: '2026-03-15T10:00:00.000Z' })
    await world.tick()
    expect(shown()).toEqual([text])
  })

  test('answers the post for every tracker that found it', async () => {
    await open()
    const one = await world.mention()
    const two = await world.mention({ tracker_id: 'trk_2', source_id: one.source_id })
    await requestReply(world.owner, { mention_id: one.id, text })
    await world.tick()
    expect((await world.reread(two.id)).status).toBe('replied')
    const again = await refusal(requestReply(world.owner, { mention_id: two.id, text: `${text} Bye.` }))
    expect(again).toContain('answered already')
  })

  test('is stored once, however often the person clicks', async () => {
    await open()
    const { id } = await world.mention()
    await Promise.all([1, 2, 3].map(() => refusal(requestReply(world.owner, { mention_id: id, text }))))
    await world.pass(3)
    expect([world.held.sends, shown()]).toEqual([1, [text]])
    expect(await refusal(requestReply(world.owner, { mention_id: id, text }))).toContain('answered already')
  })

  test('can be cancelled before it is sent, and sent later', async () => {
    await open()
    const { id } = await world.mention()
    await requestReply(world.owner, { mention_id: id, text })
    await cancelMentionReply(world.owner, id)
    await world.pass(3)
    expect(shown()).toEqual([])
    await requestReply(world.owner, { mention_id: id, text })
    await world.tick()
    expect(shown()).toEqual([text])
    expect(await refusal(cancelMentionReply(world.owner, id))).toContain('The reply is sent.')
  })
})

describe('before it is stored, a reply is refused', () => {
  test.each([
    ['empty', { text: ' ' }, 'The reply is empty.'],
    ['too long', { text: `${text} ${'a'.repeat(200)}` }, 'at most 200 characters'],
    ['without a word about who writes it', { text: 'We can come today.' }, 'must say who writes it'],
    ['with a draft that changed', { text, if_draft: 'Another draft' }, 'The draft changed'],
    ['to a post that changed', { text, basis: 'another' }, 'The post changed'],
  ])('when it is %s', async (_, given, why) => {
    await open()
    const { id } = await world.mention({ suggested_reply: 'Draft' })
    expect(await refusal(requestReply(world.owner, { mention_id: id, ...given }))).toContain(why)
    expect(await world.reply()).toBeUndefined()
  })

  test('unless the person says that its own words tell who writes it', async () => {
    await open()
    const { id } = await world.mention()
    await requestReply(world.owner, {
      mention_id: id,
      text: 'My team at Acme can come today.',
      says_who: true,
    })
    await world.tick()
    expect(shown()).toHaveLength(1)
  })

  test('when the location has no account, and the person opens the thread instead', async () => {
    await open()
    const why = 'Connect an account.'
    Object.assign(world.held, { account: { why } })
    const mention = await world.mention()
    expect(await refusal(requestReply(world.owner, { mention_id: mention.id, text }))).toContain(why)
    expect(await replyChoice(world.owner, mention, world.location)).toMatchObject({
      way: 'open',
      url: mention.url,
      demands_disclosure: true,
      why,
    })
  })

  test('when the terms of the source forbid replies', async () => {
    await open({ policy: { may_reply: 'never' } })
    const mention = await world.mention()
    const why = 'The terms of the source do not allow replies.'
    expect(await refusal(requestReply(world.owner, { mention_id: mention.id, text }))).toContain(why)
    expect(await replyChoice(world.owner, mention, world.location)).toMatchObject({
      way: 'none',
      why,
    })
  })

  test('when nobody knows the terms of the source, and the person opens the thread instead', async () => {
    await open()
    const mention = await world.mention({ found_by: 'removed' })
    const why = 'Read its terms before you answer.'
    expect(await refusal(requestReply(world.owner, { mention_id: mention.id, text }))).toContain(why)
    expect((await replyChoice(world.owner, mention, world.location)).way).toBe('open')
  })

  test('when the mention is dismissed, removed or gone at its source', async () => {
    await open()
    const gone = { removed_at_source_at: '2026-03-15T10:00:00.000Z' }
    for (const given of [{ removal_rule: 'retention_days' as const }, gone]) {
      const { id } = await world.mention(given)
      expect(await refusal(requestReply(world.owner, { mention_id: id, text }))).toContain('cannot send')
    }
    const { id } = await world.mention()
    await moveMention(id, 'dismissed')
    expect(await refusal(requestReply(world.owner, { mention_id: id, text }))).toContain('is dismissed')
  })
})

describe('right before the call, a reply is judged again and not sent', () => {
  const cases: Readonly<Record<string, readonly [(id: string) => Promise<unknown>, string]>> = {
    'when somebody answered by hand': [
      (id) => world.owner.rows(Mention).update(id, { replied_at: '2026-03-15T12:00:00.000Z' }),
      'Somebody answered the mention',
    ],
    'when the post changed': [
      (id) => world.owner.rows(Mention).update(id, { body: 'Never mind.' }),
      'The post changed',
    ],
    'when the text was removed': [
      (id) => world.owner.rows(Mention).update(id, { removal_rule: 'retention_days' }),
      'was removed',
    ],
    'when the location was paused': [
      () => world.owner.rows(BusinessLocation).update(world.location.id, { is_active: false }),
      'is paused',
    ],
    'when the location was bound to another account': [
      async () => {
        world.held.account = { id: 'acc-2', name: 'Other' }
      },
      'bound to another account',
    ],
  }
  test.each(Object.entries(cases))('%s', async (_, [change, why]) => {
    await open()
    const { id } = await world.mention()
    await requestReply(world.owner, { mention_id: id, text })
    // The change happens while the access is prepared.
    world.held.onOpen = async () => {
      await change(id)
    }
    await world.tick()
    await world.pass(3)
    expect([world.held.sends, shown()]).toEqual([0, []])
    const reply = await world.reply()
    expect(reply).toMatchObject({ state: 'failed', failure_kind: 'not_allowed' })
    expect(reply?.error_message).toContain(why)
    expect(await world.attempts()).toMatchObject([{ outcome: 'rejected', is_open: false }])
    expect(await world.news()).toEqual(['A reply of Acme was not sent on Stand-in'])
  })

  test('when the platform no longer has the post, or the account has answered it', async () => {
    await open()
    world.held.isGone = true
    await send()
    expect((await world.reply())?.error_message).toContain('no longer shows the post')
    world.held.isGone = false
    world.held.shown.push({ external_id: 'by-hand', text: 'Hello from Acme', key: '' })
    const { id } = await world.mention()
    await requestReply(world.owner, { mention_id: id, text })
    await world.tick()
    expect([world.held.sends, (await world.news()).length]).toEqual([0, 2])
  })

  test('when Renown could not send it for an hour', async () => {
    await open()
    const { id } = await world.mention()
    await requestReply(world.owner, { mention_id: id, text })
    await world.pass(61, 61)
    expect(await world.reply()).toMatchObject({ state: 'failed', failure_kind: 'missed' })
    expect(shown()).toEqual([])
  })
})

describe('an answer that is lost', () => {
  test('after acceptance: the reply is found, and not sent again', async () => {
    await open({}, 'loses the answer')
    const mention = await send(2)
    expect([mention.status, world.held.sends, shown()]).toEqual(['replied', 1, [text]])
    expect((await world.attempts())[0]?.evidence).toBe('Found: the replies of the account')
  })

  test('before acceptance: after three looks in ten minutes a person decides', async () => {
    await open({}, 'never gets it')
    const mention = await send(15)
    expect(mention.status).toBe('new')
    expect(await world.reply()).toMatchObject({ state: 'failed', failure_kind: 'unknown_outcome' })
    expect([world.held.sends, await world.news()]).toEqual([1, ['Is this reply of Acme on Stand-in?']])
    const again = await refusal(requestReply(world.owner, { mention_id: mention.id, text: `${text} Bye.` }))
    expect(again).toContain('outcome of the last reply is unknown')
    await world.pass(300, 10)
    expect(world.held.sends).toBe(1)
  })

  test('a platform that cannot be read proves nothing, so nothing is sent again even with a key', async () => {
    await open(keyed)
    const { id } = await world.mention()
    await requestReply(world.owner, { mention_id: id, text })
    world.held.answers = ['loses the answer']
    world.held.onSend = async () => {
      world.held.lie = 'unreadable'
    }
    await world.pass(60)
    expect(await world.reply()).toMatchObject({ state: 'failed', failure_kind: 'unknown_outcome' })
    expect([world.held.sends, shown()]).toEqual([1, [text]])
  })

  test('a platform that keeps keys gets the same call again after three looks, and shows one reply', async () => {
    await open(keyed, 'never gets it', 'never gets it', 'accepts')
    const mention = await send(30)
    expect([mention.status, world.held.sends, shown()]).toEqual(['replied', 3, [text]])
    expect(new Set((await world.attempts()).map(({ key }) => key)).size).toBe(1)
  })

  test('the person says that the reply is there', async () => {
    await open({}, 'never gets it')
    const { id } = await send(15)
    const url = 'https://social.test/by-hand'
    await confirmMentionReply(world.owner, { mention_id: id, url })
    expect(await world.reread(id)).toMatchObject({ status: 'replied', reply_text: text, reply_url: url })
    expect(await world.reply()).toMatchObject({ state: 'sent', external_url: url })
  })

  test('the person sends it again after a look, once, and never by two clicks', async () => {
    await open({}, 'never gets it', 'accepts')
    const { id } = await send(15)
    const clicks = await Promise.all([1, 2].map(() => refusal(sendReplyAgain(world.owner, id))))
    expect(clicks.filter((said) => said === 'was accepted')).toHaveLength(1)
    await world.pass(3)
    expect([world.held.sends, shown(), (await world.reread(id)).status]).toEqual([2, [text], 'replied'])
  })
})

describe('a fault that proves that nothing was sent', () => {
  test.each(['is busy', 'cannot be reached'] as const)(
    'passes: when it %s, it is tried again',
    async (how) => {
      await open({}, how, how, 'accepts')
      const mention = await send(10)
      expect([mention.status, shown()]).toEqual(['replied', [text]])
      const outcomes = (await world.attempts()).map(({ outcome }) => outcome).toSorted()
      expect(outcomes).toEqual(['published', 'rejected', 'rejected'])
    },
  )

  test('that lasts for an hour ends the reply', async () => {
    await open({}, 'cannot be reached')
    await send(90)
    const reply = await world.reply()
    expect([reply?.state, reply?.failure_kind, shown()]).toEqual(['failed', 'rejected', []])
    expect(reply?.error_message).toContain('It did not work for an hour')
  })

  test('is final: the reply fails with the reason, and another text can be sent', async () => {
    await open({}, 'refuses')
    const { id } = await send(30)
    expect(await world.reply()).toMatchObject({ state: 'failed', error_message: 'The text is not allowed' })
    expect(world.held.sends).toBe(1)
    world.held.answers = ['accepts']
    await requestReply(world.owner, { mention_id: id, text: `${text} Call us.` })
    await world.tick()
    expect([shown(), (await world.reread(id)).status]).toEqual([[`${text} Call us.`], 'replied'])
  })
})

test('two processes at once send a reply once', async () => {
  await open()
  const { id } = await world.mention()
  const reply = await requestReply(world.owner, { mention_id: id, text })
  const gate = Promise.withResolvers<void>()
  world.held.onSend = () => gate.promise
  const step = () => sendMentionReply.run(world.owner, { reply_id: reply.id }, world.task)
  const first = step()
  await waitFor(() => world.held.sends === 1, { what: 'a call of the platform', everyMs: 1 })
  await step()
  gate.resolve()
  await first
  await world.pass(30)
  expect([world.held.sends, shown(), (await world.reread(id)).status]).toEqual([1, [text], 'replied'])
})

describe('a mention that a person answered by hand', () => {
  test('is marked with the text and the address, and Renown sends nothing', async () => {
    await open()
    const { id } = await world.mention()
    await requestReply(world.owner, { mention_id: id, text })
    const url = 'https://forum.example/mine'
    const marked = await markAnswered(world.owner, { mention_id: id, text: 'My own words', url })
    expect(marked).toMatchObject({ status: 'replied', reply_text: 'My own words', reply_url: url })
    await world.pass(5)
    expect([shown(), (await world.reply())?.state]).toEqual([[], 'cancelled'])
  })

  test('needs a web address', async () => {
    await open()
    const { id } = await world.mention()
    const said = await refusal(markAnswered(world.owner, { mention_id: id, url: 'javascript:alert(1)' }))
    expect(said).toContain('url must be the address')
  })

  test('can be a saved one', async () => {
    await open()
    const { id } = await world.mention()
    await moveMention(id, 'saved')
    await world.bench.command('mention reply record', { mention_id: id, url: 'https://forum.example/mine' })
    expect((await world.reread(id)).status).toBe('replied')
  })
})
