import { afterEach, beforeEach, expect, test } from 'bun:test'
import { connectionReady } from 'renown/records'
import { corePlugins } from '../../../../core/product/core-plugins'
import { builtin } from '../../../../plugins'
import { Webhook } from '../../../../plugins/webhooks/records/Webhook'
import { WebhookAttempt } from '../../../../plugins/webhooks/records/WebhookAttempt'
import { type Gate, startGate } from '../../../support/harness'
import { signedIn } from '../../../support/signed-in'
import { type WebhookReceivers, webhookReceivers } from '../../../support/stand-ins/webhook-receiver'
import { createVisitor, type Visitor } from '../../../support/visitor'

const path = '/app/settings/webhooks'
let gate: Gate
let receivers: WebhookReceivers
let ada: Visitor

const visitorOf = async (agency = gate.tenant) => {
  const { cookie } = await signedIn(gate, agency)
  const visitor = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = cookie.indexOf('=')
  visitor.cookies.set(cookie.slice(0, at), cookie.slice(at + 1))
  return visitor
}
beforeEach(async () => {
  receivers = await webhookReceivers()
  gate = await startGate({ plugins: [...corePlugins, ...builtin], safeFetch: receivers.safeFetch })
  ada = await visitorOf()
})
afterEach(async () => {
  await gate.stop()
  await receivers.stop()
})

/** Opens a page and sends a form on it. */
async function act(who: Visitor, at: string, action: string, fields: Readonly<Record<string, string>> = {}) {
  await who.open(at)
  return who.submit(`${path}/${action}`, fields)
}
const webhooks = () => gate.owner.rows(Webhook).list()
async function created(url = 'https://a.hooks.test/in') {
  const shown = await act(ada, path, 'create', { url, types: 'connection.ready' })
  const [webhook] = await webhooks()
  if (!webhook) throw new Error(`not created: ${shown.status}`)
  return { shown, webhook, at: `${path}?webhook=${webhook.id}` }
}
const send = async (webhook_id: string) => {
  const task = { hold: async () => {}, signal: new AbortController().signal }
  for (const name of ['send-webhooks', 'retry-webhooks'])
    await gate.registry.queues.get(name)?.run(gate.owner, { webhook_id }, task as never)
}
const publish = () =>
  gate.owner.publish(connectionReady, {
    workspace_id: gate.tenant.workspaceId,
    data: { provider: 'guild', account_id: '1' },
  })

test('an owner creates a webhook, sees its secret once, and verifies it', async () => {
  const empty = await ada.open(path)
  expect(empty.text).toContain('A review was found that is at most 30 days old.')
  const { shown, at } = await created()
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(shown.text)?.[0]
  expect(secret).toBeDefined()
  const one = await ada.open(at)
  expect(one.text).not.toContain('whsec_')
  expect(one.text).toContain('Not verified')
  const verified = await ada.submit(`${path}/verify`)
  expect(verified.text).toContain('The webhook is verified.')
  expect((await ada.open(path)).text).toContain('Active')
})

test('attempts show their status and the answer as text, and are sent again', async () => {
  const { webhook, at } = await created()
  await act(ada, at, 'verify')
  receivers.answer('a.hooks.test', () => ({ status: 500, body: '<script>alert(1)</script>\u202e' }))
  await publish()
  await send(webhook.id)
  const page = await ada.open(at)
  expect(page.text).toContain('Failed')
  expect(page.text).toContain('Status 500')
  expect(page.text).toContain('<script>alert(1)')
  expect(page.html).not.toContain('<script>alert(1)')
  expect(page.html).not.toContain('\u202e')
  receivers.answer('a.hooks.test', () => ({ status: 200 }))
  const again = await ada.submit(`${path}/replay`)
  expect(again.text).toContain('The event is sent again.')
  await send(webhook.id)
  expect(new Set(receivers.events().map((one) => one.id)).size).toBe(1)
  expect(receivers.events()).toHaveLength(2)
  const all = await act(ada, at, 'replay-since', { span: 'hour' })
  expect(all.text).toContain('The events are sent again.')
  await send(webhook.id)
  expect(receivers.events()).toHaveLength(3)
})

test('a webhook is paused, resumed, gets a new secret and is deleted', async () => {
  const { at } = await created()
  await act(ada, at, 'verify')
  expect((await act(ada, at, 'pause')).text).toContain('Paused')
  expect((await act(ada, at, 'resume')).text).toContain('active again')
  expect((await act(ada, at, 'rotate')).text).toContain('whsec_')
  expect((await act(ada, at, 'remove')).text).toContain('Webhook deleted.')
  expect(await webhooks()).toEqual([])
})

test('a host that is not verified says why', async () => {
  receivers.answer('a.hooks.test', () => ({ status: 200, body: 'ok' }))
  const { at } = await created()
  const refused = await act(ada, at, 'verify')
  expect(refused.text).toContain('its answer does not have the challenge')
  expect((await webhooks())[0]?.state).toBe('unverified')
})

test('a disabled webhook is in the inbox, and says why', async () => {
  const { webhook, at } = await created()
  await act(ada, at, 'verify')
  receivers.answer('a.hooks.test', () => ({ status: 410 }))
  await publish()
  await send(webhook.id)
  expect((await ada.open(at)).text).toContain('The receiver answered 410 Gone.')
  expect((await ada.open('/app/inbox')).text).toContain('A webhook was disabled: a.hooks.test')
  const [attempt] = await gate.owner.rows(WebhookAttempt).list()
  expect(attempt).toMatchObject({ status: 410, outcome: 'failed' })
})

test('nobody sees or changes a webhook of another agency', async () => {
  const { webhook, at } = await created()
  const eve = await visitorOf(gate.stranger)
  const page = await eve.open(at)
  expect(page.text).not.toContain('a.hooks.test')
  expect(page.text).toContain('You may not do this')
  const other = await act(eve, path, 'create', { url: 'https://b.hooks.test/in' })
  expect(other.text).toContain('whsec_')
  const mine = (await webhooks()).find(({ id }) => id !== webhook.id)
  for (const action of ['verify', 'rotate', 'remove']) {
    const answer = await act(eve, `${path}?webhook=${mine?.id}`, action, { webhook: webhook.id })
    expect(answer.text).toContain('There is no such webhook in this workspace.')
  }
  expect((await webhooks()).map(({ state }) => state)).toEqual(['unverified', 'unverified'])
})
