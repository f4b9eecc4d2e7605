import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { definePlugin, Refusal, where } from 'renown'
import { type ReceivingAddress, webhookHeaders } from 'renown/sending'
import { bodyBytesMax } from '../../../core/requests/body'
import { Agency } from '../../../core/tenancy/Agency'
import { type Gate, type GateOptions, startGate } from '../../support/harness'

const token = 'rnw_in_abcdefghijklmnopqrstuvwxyz'
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

describe('a receiver', () => {
  const received: unknown[] = []
  const looked: string[] = []
  let address: ReceivingAddress | null = null
  const plugin = definePlugin({
    name: 'mailbox',
    summary: 'A mailbox',
    renown: '^1.0.0',
    receivers: {
      letters: {
        summary: 'Letters',
        async find(_, hash) {
          looked.push(hash)
          const isOwn = hash === new Bun.CryptoHasher('sha256').update(token).digest('hex')
          return isOwn ? address : null
        },
        async receive(_, { id }, message) {
          if (message === 'no') throw new Refusal('conflict', 'Nobody is there.')
          received.push([id, message])
          return { received: 1 }
        },
      },
    },
  })
  let gate: Gate
  const open = async (options: GateOptions = {}) => {
    gate = await startGate({ ...options, plugins: [plugin] })
    address = { id: 'adr_1', workspace_id: gate.tenant.workspaceId, secrets: [] }
  }
  beforeEach(async () => {
    for (const list of [received, looked]) list.length = 0
    await open()
  })
  afterEach(() => gate.stop())

  const send = (body: unknown, { path = `/in/letters/${token}`, headers = {}, method = 'POST' } = {}) =>
    gate.ask(path, { key: null, method, body, headers })

  test('answers 202 with what the plugin returns', async () => {
    const answer = await send({ text: 'hello' })
    expect([answer.status, await answer.json()]).toEqual([202, { received: 1 }])
    expect(received).toEqual([['adr_1', { text: 'hello' }]])
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('answers the same to an unknown token, a malformed one and an unknown receiver', async () => {
    const paths = [`/in/letters/${token}x`, '/in/letters/short', `/in/parcels/${token}`]
    const answers = await Promise.all(
      paths.map(async (path) => {
        const answer = await send({}, { path })
        const { request_id: _, instance: __, ...problem } = (await answer.json()) as Record<string, unknown>
        return { status: answer.status, problem }
      }),
    )
    expect(answers[0]?.status).toBe(404)
    for (const answer of answers) expect<unknown>(answer).toEqual(answers[0])
    expect(received).toEqual([])
  })

  test('never repeats a token in an answer', async () => {
    const answer = await send({}, { path: `/in/letters/${token}x` })
    expect(await answer.text()).not.toContain(token)
  })

  test('takes only POST, and reads no parameters', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await send(undefined, { method })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST'])
    }
    expect((await send({}, { path: `/in/letters/${token}?a=1` })).status).toBe(400)
    expect(received).toEqual([])
  })

  test('limits the messages of each token before it looks anything up', async () => {
    await gate.stop()
    await open({ settings: { LIMIT_INBOUND_PER_MINUTE: '2' } })
    gate.clock.stop()
    const statuses = [await send({}), await send({}), await send('{not read')]
    expect(statuses.map(({ status }) => status)).toEqual([202, 202, 429])
    expect(Number(statuses[2]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(looked).toHaveLength(2)
  })

  test('limits unknown tokens of one address', async () => {
    await gate.stop()
    await open({ settings: { LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: '1' } })
    gate.clock.stop()
    const guess = (n: number) => send({}, { path: `/in/letters/${token}${n}` })
    expect([(await guess(1)).status, (await guess(2)).status]).toEqual([404, 429])
    expect((await send({})).status).toBe(202)
  })

  test.each([
    ['no JSON', '{', 400],
    ['too deep', `${'['.repeat(40)}${']'.repeat(40)}`, 413],
    ['too large', JSON.stringify('x'.repeat(bodyBytesMax)), 413],
    ['refused by the plugin', '"no"', 409],
  ])('refuses a body that is %s', async (_, body, status) => {
    expect((await send(body)).status).toBe(status)
    expect(received).toEqual([])
  })

  test('refuses messages for an inactive workspace', async () => {
    await gate.owner.rows(Agency).updateMany(where.and(), { is_active: false })
    const answer = await send({})
    expect([answer.status, received]).toEqual([409, []])
  })

  test('takes only messages with a valid and recent signature where the address has a secret', async () => {
    address = { id: 'adr_1', workspace_id: gate.tenant.workspaceId, secrets: [secret] }
    gate.clock.stop()
    const body = '{"text":"hello"}'
    const now = Math.floor(gate.clock.now().getTime() / 1_000)
    const signed = (timestamp: number, text = body, by = secret) =>
      webhookHeaders({ id: 'msg_1', timestamp, body: text }, [by])
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    const { 'webhook-id': _, ...withoutId } = signed(now)
    const refused = [
      {},
      signed(now - 301),
      signed(now + 302),
      signed(now, '{}'),
      signed(now, body, other),
      withoutId,
    ]
    for (const headers of refused) expect((await send(body, { headers })).status).toBe(401)
    expect(received).toEqual([])
    expect((await send(body, { headers: signed(now - 299) })).status).toBe(202)
  })

  test('has a name in kebab-case that no other plugin has', async () => {
    const named = (plugin: string, receiver: string) =>
      definePlugin({
        name: plugin,
        summary: plugin,
        renown: '^1.0.0',
        receivers: { [receiver]: { summary: 'x', find: async () => null, receive: async () => ({}) } },
      })
    await expect(startGate({ plugins: [named('a', 'Letters')] })).rejects.toThrow('receiver name "Letters"')
    await expect(startGate({ plugins: [named('a', 'x'), named('b', 'x')] })).rejects.toThrow(
      'both a and b declare the receiver x',
    )
  })
})
