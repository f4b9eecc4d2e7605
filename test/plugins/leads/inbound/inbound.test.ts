import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Row } from 'renown'
import { webhookHeaders } from 'renown/sending'
import { runCommand } from '../../../../core/contexts/run-command'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import leads from '../../../../plugins/leads'
import { inboundCommands } from '../../../../plugins/leads/inbound/inbound-command'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { InboundAddress } from '../../../../plugins/leads/records/InboundAddress'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { type Gate, startGate } from '../../../support/harness'
import { oddAnswers, unstorableTexts } from '../../../support/odd-texts'

const item = {
  id: 'abc',
  url: 'https://www.reddit.com/r/plumbing/comments/1/x',
  title: 'Who repairs boilers?',
  content_html: '<p>Asking for a <b>friend</b></p>',
  username: 'sam',
  tags: ['boiler'],
  date_published: '2026-03-10T08:00:00Z',
}

describe('posts that other services send', () => {
  let gate: Gate
  let tracker: Row<typeof BrandTracker>
  beforeEach(async () => {
    gate = await startGate({ plugins: [leads] })
    tracker = await newTracker()
  })
  afterEach(() => gate.stop())

  async function newTracker(more: Partial<Row<typeof BrandTracker>> = {}) {
    const location = await gate.put(BusinessLocation, {
      business_name: 'Northgate Plumbing',
      is_active: true,
      is_prospect: false,
      country: 'GB',
      auto_response_enabled: false,
    })
    return gate.put(BrandTracker, {
      location_id: location.id,
      name: 'Northgate',
      keywords: ['northgate'],
      required_keywords: [],
      excluded_keywords: ['job'],
      sources: [],
      languages: [],
      countries: [],
      is_active: true,
      mentions_total: 0,
      ...more,
    })
  }
  const command = (
    action: 'create' | 'rotate' | 'remove' | 'show',
    signed = false,
    tracker_id = tracker.id,
  ) =>
    runCommand(
      { ...gate, commands: new Map(inboundCommands.map((one) => [one.name, one])) },
      `mention inbound ${action}`,
      {
        tracker_id,
        ...(action === 'create' || action === 'rotate' ? { signed } : {}),
      },
    ) as Promise<{
      readonly address: string
      readonly signing_secret?: string
    }>
  const send = async (address: string, body: unknown, headers = {}) => {
    const answer = await gate.ask(new URL(address).pathname, { key: null, method: 'POST', body, headers })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const mentions = () => gate.owner.rows(Mention).list({ limit: 1_000 })

  test('are mentions when the sender gets 202, also without a keyword', async () => {
    const { address } = await command('create')
    expect(await send(address, item)).toEqual({
      status: 202,
      body: { received: 1, accepted: 1, left_out: 0, unreadable: 0 },
    })
    expect(await mentions()).toMatchObject([
      {
        tracker_id: tracker.id,
        source: 'reddit',
        source_id: 'inbound abc',
        found_by: 'inbound',
        url: item.url,
        title: item.title,
        body: 'Asking for a friend',
        matched_keywords: [],
        author: { handle: 'sam' },
        posted_at: '2026-03-10T08:00:00.000Z',
        is_judged: false,
      },
    ])
  })

  test('arrive as one item, a list or a whole JSON Feed', async () => {
    const { address } = await command('create')
    const other = { ...item, id: 7, url: 'https://blog.example/7', title: 'Another question' }
    const feed = { version: 'https://jsonfeed.org/version/1.1', title: 'x', items: [item, other] }
    for (const body of [item, [item, other], feed]) expect((await send(address, body)).status).toBe(202)
    expect((await mentions()).map(({ source_id }) => source_id).sort()).toEqual(['inbound 7', 'inbound abc'])
  })

  test('are stored with an odd character in any of their texts, or are counted, and cost no other', async () => {
    const { address } = await command('create')
    const sound = { ...item, id: 'sound', url: 'https://blog.example/sound' }
    let stored = 1
    let turn = 0
    for (const odd of oddAnswers({ ...item, author: { name: 'Sam', url: 'https://sam.example' } })) {
      const id = `odd ${turn++}`
      const sent = { id, ...(odd.path[0] === 'id' ? {} : { id }) }
      const given = { ...(odd.body as object), ...(odd.path[0] === 'id' ? {} : sent) }
      const { status, body } = await send(address, [given, sound])
      expect([odd.name, status]).toEqual([odd.name, 202])
      stored += body.unreadable === 1 ? 0 : 1
      expect([odd.name, Number(body.unreadable) <= 1]).toEqual([odd.name, true])
    }
    const rows = await mentions()
    expect(rows.some(({ source_id }) => source_id === 'inbound sound')).toBe(true)
    expect(rows.length).toBeGreaterThan(stored / 2)
    expect(unstorableTexts(rows)).toEqual([])
  })

  test('are stored once although they arrive again, and follow an edit', async () => {
    const { address } = await command('create')
    await Promise.all([send(address, item), send(address, item)])
    await send(address, { ...item, title: 'Who repairs boilers today?' })
    expect(await mentions()).toMatchObject([{ title: 'Who repairs boilers today?', body_version: 2 }])
  })

  test('obey excluded keywords and channels of the tracker', async () => {
    const { address } = await command('create')
    const left = await send(address, { ...item, title: 'A job for a plumber' })
    expect(left.body).toMatchObject({ received: 1, accepted: 0, left_out: 1 })
    const only = await newTracker({ sources: ['hackernews'] })
    const own = await command('create', false, only.id)
    expect((await send(own.address, item)).body).toMatchObject({ accepted: 0, left_out: 1 })
    expect(await mentions()).toEqual([])
  })

  test('reach only the tracker of their address', async () => {
    const other = await newTracker({ keywords: ['boilers'] })
    const { address } = await command('create')
    await send(address, item)
    expect((await mentions()).map(({ tracker_id }) => tracker_id)).toEqual([tracker.id])
    expect(other.id).not.toBe(tracker.id)
  })

  test('cost only the item that cannot be read, and the answer names it', async () => {
    const { address } = await command('create')
    const bad = [
      { ...item, url: 'javascript:alert(1)' },
      { ...item, date_published: 'soon' },
      7,
      { url: item.url },
    ]
    const { status, body } = await send(address, [...bad, item])
    expect([status, body.accepted, body.unreadable]).toEqual([202, 1, 4])
    expect(body.problems).toEqual([
      'items[0] url',
      'items[1] date_published',
      'items[2] has an unknown form',
      'items[3] has an unknown form',
    ])
    expect(await command('show')).toMatchObject({
      posts: 1,
      unreadable: 4,
      unreadable_reason: 'items[0] url',
    })
  })

  test.each([
    ['no readable item', [{ id: 1 }], 422],
    ['a text', '"hello"', 422],
    ['items that are no list', { items: 7 }, 422],
    ['more than 100 items', Array.from({ length: 101 }, () => item), 413],
  ])('are refused with %s', async (_, body, status) => {
    const { address } = await command('create')
    expect((await send(address, body)).status).toBe(status)
    expect(await mentions()).toEqual([])
  })

  test('are taken up to 100 at a time', async () => {
    const { address } = await command('create')
    const items = Array.from({ length: 100 }, (_, n) => ({ ...item, id: n, url: `${item.url}/${n}` }))
    const { status, body } = await send(address, items)
    expect([status, body.accepted]).toEqual([202, 100])
  })

  test('are refused while the tracker is paused', async () => {
    const { address } = await command('create')
    await gate.owner.rows(BrandTracker).update(tracker.id, { is_active: false })
    expect((await send(address, item)).status).toBe(409)
    expect(await mentions()).toEqual([])
  })

  test('need a signature where the address was created with one', async () => {
    const { address, signing_secret = '' } = await command('create', true)
    const body = JSON.stringify(item)
    const timestamp = Math.floor(gate.clock.now().getTime() / 1_000)
    const headers = webhookHeaders({ id: 'msg_1', timestamp, body }, [signing_secret])
    expect((await send(address, body)).status).toBe(401)
    expect((await send(address, body, headers)).status).toBe(202)
    const [row] = await gate.owner.rows(InboundAddress).list()
    expect(JSON.stringify(row)).not.toContain(signing_secret)
    expect(JSON.stringify(row)).not.toContain(address.split('/').at(-1) as string)
  })

  test('have one address for each tracker, which can be replaced and removed', async () => {
    await expect(command('rotate')).rejects.toThrow('has no address')
    const first = await command('create', true)
    await expect(command('create')).rejects.toThrow('has an address')
    const second = await command('rotate')
    expect([second.address === first.address, second.signing_secret === first.signing_secret]).toEqual([
      false,
      false,
    ])
    expect(second.signing_secret).toStartWith('whsec_')
    expect((await send(first.address, item)).status).toBe(404)
    expect((await send(second.address, item)).status).toBe(401)
    expect(await command('show')).toMatchObject({ signed: true, posts: 0 })
    await command('remove')
    expect((await send(second.address, item)).status).toBe(404)
    expect(await gate.owner.rows(InboundAddress).list()).toEqual([])
  })
})
