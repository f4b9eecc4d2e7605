import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { EventEntry } from '../../core/events/EventEntry'
import { hourMs } from '../../core/kit'
import { WebhookDelivery } from '../../plugins/webhooks/records/WebhookDelivery'
import { beginWebhook, openWebhooks, publishAndSend } from '../support/webhook-process'

const kills = Number(process.env.RENOWN_KILLS ?? (process.env.RENOWN_LONG === '1' ? 200 : 2))
/** Events that each process adds, if nobody kills it. */
const each = 12
const program = resolve(import.meta.dir, '../support/webhook-process.ts')
const folder = mkdtempSync(join(tmpdir(), 'renown-webhooks-'))
const path = join(folder, 'documents.sqlite')

/** The bodies that arrived, by `webhook-id`. */
const arrived = new Map<string, Set<string>>()
let messages = 0
/** Kills the running process at one of its next requests, before or after the receiver accepted it. */
let plan: { left: number; readonly isBefore: boolean; kill(): void } | null = null

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const body = await request.text()
    const { challenge } = JSON.parse(body) as { challenge?: string }
    if (challenge !== undefined) return Response.json({ challenge })
    const isTime = plan !== null && plan.left-- === 0
    if (isTime && plan?.isBefore) {
      plan.kill()
      return new Response('', { status: 500 })
    }
    const id = request.headers.get('webhook-id') ?? ''
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

test(`each event is recorded once and arrives with one id, though its process is killed ${kills} times`, async () => {
  const origin = server.url.origin
  const first = await openWebhooks(path, origin, 0)
  await beginWebhook(first)
  await first.stop()
  await first.documents.close()
  let killed = 0
  let events = 0
  let hour = 1
  for (; killed < kills; hour++) {
    events += each
    const running = Bun.spawn([process.execPath, program, path, origin, String(hour), String(events)], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
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
  await publishAndSend(last, events)
  const log = await last.owner
    .rows(EventEntry)
    .list({ sort: [{ field: 'seq', direction: 'asc' }], limit: 10_000 })
  const deliveries = await last.owner.rows(WebhookDelivery).list({ limit: 10_000 })
  await last.stop()
  await last.documents.close()

  const all = Array.from({ length: events }, (_, n) => n)
  expect(log.map(({ data }) => data.n)).toEqual(all)
  expect(log.map(({ seq }) => seq)).toEqual(all.map((n) => n + 1))
  expect(deliveries.map(({ state }) => state)).toEqual(all.map(() => 'delivered'))
  expect([...arrived.keys()].toSorted()).toEqual(log.map(({ id }) => id).toSorted())
  // A repeated message is the same to the byte.
  expect([...arrived.values()].filter((bodies) => bodies.size > 1)).toEqual([])
  // Only a killed process sends a message twice, at most one each time.
  expect(messages - events).toBeLessThanOrEqual(killed)
  if (process.env.RENOWN_KILLS) console.log({ events, killed, messages })
}, 3_600_000)
