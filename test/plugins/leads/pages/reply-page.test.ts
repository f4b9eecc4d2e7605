import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { keepConnection } from '../../../../core/connections/keep-connection'
import { everything } from '../../../../core/contracts/where'
import { Connection } from '../../../../core/outbound/Connection'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { MentionReply, type ReplyRow } from '../../../../plugins/leads/records/MentionReply'
import { PostChannel } from '../../../../plugins/posts/records/PostChannel'
import type { Visitor } from '../../../support/visitor'
import { type MentionPages, mentionPages } from '../support/mention-pages'

const path = '/app/mentions'
const text = 'I work at Harbour Bakehouse. We have blue bottles.'
let world: MentionPages
let ada: Visitor
beforeAll(async () => {
  world = await mentionPages()
  ada = world.ada
})
afterAll(() => world.gate.stop())
beforeEach(async () => {
  for (const entity of [Mention, MentionReply, PostChannel, Connection])
    await world.gate.owner.rows(entity).removeWhere(everything)
  const unbound = { youtube_channel_id: undefined, reddit_account_id: undefined }
  await world.gate.owner.rows(BusinessLocation).update(world.location.id, unbound)
})

const row = (id: string) => world.gate.owner.rows(Mention).get(id)
const open = (id: string) => ada.open(`${path}?state=any&mention=${id}`)
const replies = () => world.gate.owner.rows(MentionReply).list({ limit: 10 })
const connect = () =>
  world.gate.put(PostChannel, {
    location_id: world.location.id,
    platform: 'bluesky',
    account: 'harbour.example',
    address: 'https://bsky.example',
    public_id: 'b'.repeat(32),
  })
const bluesky = (more: Parameters<MentionPages['mention']>[0] = {}) =>
  world.mention({
    source: 'bluesky',
    found_by: 'bluesky-search',
    url: 'https://bsky.app/profile/ann.example/post/3kabc',
    source_id: 'at://did:plc:abc/app.bsky.feed.post/3kabc',
    ...more,
  })
const put = (mention: { readonly id: string; readonly source_id: string }, more: Partial<ReplyRow> = {}) =>
  world.gate.put(MentionReply, {
    location_id: world.location.id,
    mention_id: mention.id,
    source: 'bluesky',
    source_id: mention.source_id,
    text,
    basis: 'b',
    account_id: 'a1',
    account_name: 'harbour.example',
    says_who: false,
    state: 'queued',
    revision: 1,
    requested_by: 'usr_1',
    requested_at: '2026-03-15T10:00:00.000Z',
    ...more,
  })
const unknown: Partial<ReplyRow> = {
  state: 'failed',
  failure_kind: 'unknown_outcome',
  error_message: 'Nobody can prove it',
}

const accounts = [
  {
    provider: 'youtube',
    account_id: 'UCacme',
    field: 'youtube_channel_id',
    url: 'https://www.youtube.com/watch?v=abcdefghijk',
    none: 'The channel UCacme is not connected.',
  },
  {
    provider: 'reddit',
    account_id: 't2_acme',
    field: 'reddit_account_id',
    url: 'https://www.reddit.com/r/x/comments/abc/title/',
    none: 'The account t2_acme is not connected.',
  },
] as const

/** Binds the location to an account, and returns a mention that the account can answer, and what connects the account. */
async function bound({ provider, account_id, field, url }: (typeof accounts)[number]) {
  const { gate, location } = world
  await gate.owner.rows(BusinessLocation).update(location.id, { [field]: account_id })
  const { id } = await world.mention({ source: provider, found_by: provider, url })
  const account = { provider, account_id, account_name: 'Harbour', tokens: { refresh: 'refresh' } }
  return { id, connectTo: (workspace_id: string) => keepConnection(gate.owner, { ...account, workspace_id }) }
}

describe('A reply through a connected account', () => {
  test.each(accounts)('of $provider is sent once the workspace has connected it', async (account) => {
    const { gate, location } = world
    const { id, connectTo } = await bound(account)
    await connectTo(gate.stranger.workspaceId)
    expect((await open(id)).text).toContain(account.none)
    await connectTo(location.workspace_id)
    expect((await open(id)).text).toContain('Reply as Harbour')
    await ada.submit(`${path}/write`, { text, do: 'send', sure: 'yes' })
    const { account_id } = account
    expect(await replies()).toMatchObject([{ mention_id: id, text, state: 'queued', account_id }])
  })

  test.each(accounts)('of $provider is sent by the command too', async (account) => {
    const { gate, location } = world
    const { id, connectTo } = await bound(account)
    const send = async () =>
      gate.registry.commands.get('mention reply')?.run(gate.owner, { mention_id: id, text })
    await expect(send()).rejects.toThrow(account.none)
    await connectTo(location.workspace_id)
    expect(await send()).toMatchObject({ mention_id: id, state: 'queued', account: 'Harbour' })
  })
})

describe('A reply through the account of the location', () => {
  test('is sent after the person confirmed it, and can be cancelled', async () => {
    await connect()
    const { id } = await bluesky()
    const { text: shown } = await open(id)
    expect(shown).toContain('Reply as harbour.example')
    const unsure = await ada.submit(`${path}/write`, { text, do: 'send' })
    expect(unsure.text).toContain('Tick the box to send the reply.')
    expect(unsure.html).toContain(`${text}</textarea>`)
    expect(await replies()).toEqual([])
    await open(id)
    const sent = await ada.submit(`${path}/write`, { text, do: 'send', sure: 'yes' })
    expect(sent.text).toContain('Waiting to be sent as harbour.example')
    expect(await replies()).toMatchObject([{ mention_id: id, text, state: 'queued' }])
    const cancelled = await ada.submit(`${path}/reply-cancel`)
    expect(cancelled.text).toContain('You cancelled the reply before it was sent.')
    expect(await replies()).toMatchObject([{ state: 'cancelled' }])
  })

  test('is refused if the draft or the post changed since the person opened it', async () => {
    await connect()
    const { id } = await bluesky()
    for (const change of [{ suggested_reply: 'by an agent' }, { body: 'Never mind the blue bottle.' }]) {
      await open(id)
      await world.gate.owner.rows(Mention).update(id, change)
      const refused = await ada.submit(`${path}/write`, { text, do: 'send', sure: 'yes' })
      expect(refused.status).toBe(422)
      expect(refused.text).toContain('changed since you opened it')
      expect(refused.html).toContain(`${text}</textarea>`)
    }
    expect(await replies()).toEqual([])
  })

  test('says what the platform takes, and marks the field', async () => {
    await connect()
    const { id } = await bluesky()
    await open(id)
    const refused = await ada.submit(`${path}/write`, { text: 'x'.repeat(400), do: 'send', sure: 'yes' })
    expect(refused.html).toMatch(/id="text-error"[^>]*><span>[^<]*at most 300/)
  })

  test('is shown with its link when it was sent, and with the reason when it was refused', async () => {
    const sent = await bluesky({
      status: 'replied',
      replied_at: '2026-03-15T10:00:00.000Z',
      reply_text: text,
      reply_url: 'https://bsky.app/mine',
    })
    await put(sent, { state: 'sent', external_url: 'https://bsky.app/mine' })
    const { html, text: words } = await open(sent.id)
    expect(words).toContain('Sent as harbour.example')
    expect(html).toContain('href="https://bsky.app/mine"')
    expect(html).not.toContain(`${path}/answered"`)
    const failed = await bluesky({ source_id: 'at://2' })
    await put(failed, {
      state: 'failed',
      failure_kind: 'rejected',
      error_message: 'The text is not allowed <b>',
    })
    const shown = await open(failed.id)
    expect(shown.text).toContain('The text is not allowed <b>')
    expect(shown.html).not.toContain('<b>')
    expect(shown.html).toContain(`${text}</textarea>`)
  })

  test('of unknown outcome is decided by a person: it is there, or it is sent again', async () => {
    const mention = await bluesky()
    await put(mention, unknown)
    const { text: words, html } = await open(mention.id)
    expect(words).toContain('Nobody knows whether this reply was sent')
    expect(html).not.toContain(`${path}/write"`)
    const wrong = await ada.submit(`${path}/reply-confirm`, { url: 'javascript:alert(1)' })
    expect(wrong.text).toContain('must be the address of the reply.')
    await open(mention.id)
    await ada.submit(`${path}/reply-confirm`, { url: 'https://bsky.app/mine' })
    expect(await row(mention.id)).toMatchObject({ status: 'replied', reply_url: 'https://bsky.app/mine' })
    const other = await bluesky({ source_id: 'at://2' })
    await put(other, unknown)
    await open(other.id)
    await ada.submit(`${path}/reply-again`)
    expect((await replies()).find(({ mention_id }) => mention_id === other.id)).toMatchObject({
      state: 'queued',
      revision: 2,
    })
  })
})

describe('A reply by hand', () => {
  test('opens the thread, says what to connect first, and is marked as answered', async () => {
    const { id } = await bluesky()
    const { html, text: words } = await open(id)
    expect(words).toContain('The location is not connected to Bluesky.')
    expect(html).toContain(`href="/app/posts/targets?location=${world.location.id}"`)
    expect(html).toMatch(/<a [^>]*href="https:\/\/bsky\.app\/profile[^>]*data-copies="text"/)
    expect(html).not.toContain('value="send"')
    await ada.submit(`${path}/answered`, { url: 'https://bsky.app/mine' })
    expect(await row(id)).toMatchObject({ status: 'replied', reply_url: 'https://bsky.app/mine' })
  })

  test.each([
    ['youtube', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', { youtube_channel_id: 'UC123' }],
    ['reddit', 'https://www.reddit.com/r/leeds/comments/1abc/bottle/', { reddit_account_id: 't2_abc' }],
  ] as const)('on %s links to Connections while its account is not connected', async (source, url, bound) => {
    const { id } = await world.mention({ source, url, found_by: source })
    expect((await open(id)).html).toContain('/app/locations/one?location=')
    await world.gate.owner.rows(BusinessLocation).update(world.location.id, bound)
    expect((await open(id)).html).toContain('href="/app/settings/connections"')
  })

  test('has no form where the terms of the source forbid replies, and no draft is written', async () => {
    const fine = await bluesky()
    const { id } = await world.mention({ found_by: 'gdelt', source: 'news' })
    const { html } = await open(id)
    for (const name of ['write', 'generate', 'answered']) expect(html).not.toContain(`${path}/${name}"`)
    await open(fine.id)
    for (const [name, fields] of [
      ['generate', { tone: 'friendly', length: 'short' }],
      ['write', { text: 'Hello' }],
    ] as const) {
      await open(fine.id)
      const refused = await ada.submit(`${path}/${name}`, { ...fields, mention: id })
      expect(refused.text).toContain('The terms of the source do not allow replies')
    }
    const answer = await world.gate.call('generateMentionReply', { mention_id: id })
    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining('The terms of the source do not allow replies'),
    ])
    expect((await row(id))?.suggested_reply).toBeUndefined()
  })
})

test('No form of a reply changes a mention of another workspace', async () => {
  await connect()
  const foreign = await world.mention(
    {
      source: 'bluesky',
      suggested_reply: 'b',
      previous_reply: { text: 'a' },
      status: 'dismissed',
    },
    world.gate.stranger.workspaceId,
  )
  const forms = [
    ['write', null, { text, do: 'send', sure: 'yes' }],
    ['answered', null, { url: 'https://forum.example/mine' }],
    ['reply-cancel', { state: 'queued' }, {}],
    ['reply-confirm', unknown, { url: 'https://forum.example/mine' }],
    ['reply-again', unknown, {}],
    ['restore', null, { seen: 'dismissed' }],
    ['take-back', null, { if_draft: 'b' }],
  ] as const
  for (const [name, reply, fields] of forms) {
    await world.gate.owner.rows(MentionReply).removeWhere(everything)
    const own = await bluesky({
      source_id: `at://${name}`,
      status: name === 'restore' ? 'saved' : 'new',
      ...(name === 'take-back' ? { suggested_reply: 'b', previous_reply: { text: 'a' } } : {}),
    })
    if (reply) await put(own, reply)
    await open(own.id)
    const refused = await ada.submit(`${path}/${name}`, { ...fields, mention: foreign.id })
    expect([name, refused.status, refused.text.includes('There is no such mention')]).toEqual([
      name,
      422,
      true,
    ])
  }
  expect(await row(foreign.id)).toMatchObject({ status: 'dismissed', suggested_reply: 'b' })
})

describe('The inbox', () => {
  test('shows replies that failed or are unknown until a person answered', async () => {
    const mention = await bluesky()
    const reply = await put(mention, { ...unknown, text: '<img src=x>\u202e' })
    const inbox = () => ada.open('/app/inbox?kind=mention-replies')
    const { text: words, html } = await inbox()
    expect(words).toContain('Is this reply on Bluesky?')
    expect(html).not.toContain('<img src=x>')
    expect(html).not.toContain('\u202e')
    await world.gate.owner.rows(MentionReply).update(reply.id, { failure_kind: 'rejected' })
    expect((await inbox()).text).toContain('A reply was not sent on Bluesky')
    await world.gate.owner.rows(Mention).update(mention.id, { replied_at: '2026-03-15T10:00:00.000Z' })
    expect((await inbox()).text).not.toContain('A reply was not sent on Bluesky')
  })
})
