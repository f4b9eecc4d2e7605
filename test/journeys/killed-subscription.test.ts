import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { EventEntry } from '../../core/events/EventEntry'
import { hourMs } from '../../core/kit'
import { EventSubscription } from '../../plugins/webhooks/records/EventSubscription'
import { type LyingReceiver, lies, lyingReceiver } from '../support/stand-ins/lying-receiver'
import {
  callbackLimitMs,
  openSubscriptions,
  publishAndCallBack,
  subscribeNotes,
  subscriptionSecret,
} from '../support/subscription-process'

const kills = Number(process.env.RENOWN_KILLS ?? (process.env.RENOWN_LONG === '1' ? 100 : 2))
/** Events that each process adds, if nobody kills it. */
const each = 12
const program = resolve(import.meta.dir, '../support/subscription-process.ts')
const folder = mkdtempSync(join(tmpdir(), 'renown-subscriptions-'))
const path = join(folder, 'documents.sqlite')

/** The bodies of each `webhook-id`, in the order in which each first arrived, and how often it arrived. */
const arrived = new Map<string, { readonly bodies: Set<string>; times: number }>()
/** The events that the callback accepted, in the order in which it first did. */
const accepted = new Set<string>()
let messages = 0
let challenges = 0
let forged = 0
let lied = 0
/** Kills the running process at one of its next requests, before or after the callback accepted it. */
let plan: { left: number; readonly isBefore: boolean; kill(): void } | null = null

const key = Buffer.from(subscriptionSecret.slice(6), 'base64')
const isForged = (id: string, timestamp: unknown, body: string, signature: unknown) =>
  signature !== `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
const ok = { status: 200, body: '' }

let receiver: LyingReceiver
beforeAll(async () => {
  receiver = await lyingReceiver(callbackLimitMs, ({ headers }, body) => {
    const id = String(headers['webhook-id'])
    if (isForged(id, headers['webhook-timestamp'], body, headers['webhook-signature'])) forged += 1
    const { challenge } = JSON.parse(body) as { challenge?: string }
    if (challenge !== undefined) {
      challenges += 1
      return { status: 200, body: JSON.stringify({ challenge }) }
    }
    messages += 1
    const known = arrived.get(id) ?? { bodies: new Set(), times: 0 }
    arrived.set(id, known)
    known.bodies.add(body)
    known.times += 1
    const isTime = plan !== null && plan.left-- === 0
    if (isTime) plan?.kill()
    if (isTime && plan?.isBefore) return 'resets the connection'
    // Every other event is lied about at first, and some of them twice. Each lie has its turn.
    const turn = arrived.size % 2 === 0 && known.times <= 1 + (arrived.size % 3 === 0 ? 1 : 0)
    if (turn && !isTime) {
      lied += 1
      return lies[lied % lies.length] ?? 'never answers'
    }
    accepted.add(id)
    return ok
  })
})
afterAll(async () => {
  await receiver.stop()
  rmSync(folder, { recursive: true, force: true })
})

test(`each event arrives with one id and in order, though its callback lies and its process is killed ${kills} times`, async () => {
  const { origin } = receiver
  const { gate: first } = await openSubscriptions(path, origin, 0)
  await subscribeNotes(first)
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
  const opened = await openSubscriptions(path, origin, hour * hourMs)
  const last = opened.gate
  await subscribeNotes(last)
  await publishAndCallBack(opened, events)
  const log = await last.owner
    .rows(EventEntry)
    .list({ sort: [{ field: 'seq', direction: 'asc' }], limit: 10_000 })
  const subscriptions = await last.owner.rows(EventSubscription).list()
  await last.stop()
  await last.documents.close()

  expect(log.map(({ data }) => data.n)).toEqual(Array.from({ length: events }, (_, n) => n))
  // The order of the first arrivals is that of the log, and a repeated message is the same to the byte.
  const ids = log.map(({ id }) => id)
  expect([...arrived.keys()]).toEqual(ids)
  expect([...accepted]).toEqual(ids)
  expect([...arrived.values()].filter(({ bodies }) => bodies.size > 1)).toEqual([])
  // Only a lie and a killed process repeat a message, at most once each. A busy machine may miss an answer.
  expect(messages - events).toBeLessThanOrEqual(killed + lied + Math.ceil(events / 50))
  expect(subscriptions.map(({ state, delivered }) => [state, delivered])).toEqual([['active', events]])
  expect([challenges, forged]).toEqual([1, 0])
  if (process.env.RENOWN_KILLS) console.log({ events, killed, messages, lied })
}, 3_600_000)
