import { afterAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { EventEntry } from '../../core/events/EventEntry'
import { hourMs } from '../../core/kit'
import { EventSubscription } from '../../plugins/webhooks/records/EventSubscription'
import { publishAndCallBack, subscribeNotes, subscriptionSecret } from '../support/subscription-process'
import { openWebhooks } from '../support/webhook-process'

const kills = Number(process.env.RENOWN_KILLS ?? (process.env.RENOWN_LONG === '1' ? 200 : 2))
/** Events that each process adds, if nobody kills it. */
const each = 12
const program = resolve(import.meta.dir, '../support/subscription-process.ts')
const folder = mkdtempSync(join(tmpdir(), 'renown-subscriptions-'))
const path = join(folder, 'documents.sqlite')

/** The bodies that the callback accepted, by `webhook-id`, in the order in which each first arrived. */
const arrived = new Map<string, Set<string>>()
let messages = 0
let challenges = 0
let forged = 0
/** Kills the running process at one of its next requests, before or after the callback accepted it. */
let plan: { left: number; readonly isBefore: boolean; kill(): void } | null = null

const key = Buffer.from(subscriptionSecret.slice(6), 'base64')
const server = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  async fetch(request) {
    const { headers } = request
    const body = await request.text()
    const id = headers.get('webhook-id') ?? ''
    const signed = `${id}.${headers.get('webhook-timestamp')}.${body}`
    const right = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    if (headers.get('webhook-signature') !== right) forged += 1
    const { challenge } = JSON.parse(body) as { challenge?: string }
    if (challenge !== undefined) {
      challenges += 1
      return Response.json({ challenge })
    }
    const isTime = plan !== null && plan.left-- === 0
    if (isTime && plan?.isBefore) {
      plan.kill()
      return new Response('', { status: 500 })
    }
    arrived.set(id, (arrived.get(id) ?? new Set()).add(body))
    messages += 1
    if (isTime) plan?.kill()
    return new Response('')
  },
})
afterAll(async () => {
  await server.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

test(`each event arrives with one id and in order, though its process is killed ${kills} times`, async () => {
  const origin = server.url.origin
  const first = await openWebhooks(path, origin, 0)
  await subscribeNotes(first)
  await first.stop()
  await first.documents.close()
  let killed = 0
  let events = 0
  let hour = 1
  for (; killed < kills; hour++) {
    events += each
    const running = Bun.spawn([process.execPath, program, path, origin, String(hour), String(events)], {
      ...{ stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' },
    })
    plan = {
      left: Math.floor(Math.random() * each),
      isBefore: hour % 2 === 0,
      kill: () => running.kill('SIGKILL'),
    }
    const code = await running.exited
    expect([0, 137]).toContain(code)
    if (code === 137) killed += 1
    plan = null
  }
  const last = await openWebhooks(path, origin, hour * hourMs)
  await subscribeNotes(last)
  await publishAndCallBack(last, events)
  const log = await last.owner
    .rows(EventEntry)
    .list({ sort: [{ field: 'seq', direction: 'asc' }], limit: 10_000 })
  const subscriptions = await last.owner.rows(EventSubscription).list()
  await last.stop()
  await last.documents.close()

  expect(log.map(({ data }) => data.n)).toEqual(Array.from({ length: events }, (_, n) => n))
  // The order of the first arrivals is that of the log, and a repeated message is the same to the byte.
  expect([...arrived.keys()]).toEqual(log.map(({ id }) => id))
  expect([...arrived.values()].filter((bodies) => bodies.size > 1)).toEqual([])
  // Only a killed process sends a message twice, at most one each time.
  expect(messages - events).toBeLessThanOrEqual(killed)
  expect(subscriptions.map(({ state }) => state)).toEqual(['active'])
  expect([challenges, forged]).toEqual([1, 0])
  if (process.env.RENOWN_KILLS) console.log({ events, killed, messages })
}, 3_600_000)
