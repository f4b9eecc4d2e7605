import { expect, test } from 'bun:test'
import { createPublish } from '../../../core/contexts/publish'

type Subscriber = (ctx: unknown, about: unknown) => Promise<void>

/** Publishes one event to the subscribers of two plugins, and notes what is logged. */
async function published(first: Subscriber, second: Subscriber, isWorkedOn = true) {
  const logged: unknown[][] = []
  const plugins = new Map([
    ['one', { name: 'one', subscribers: { 'note.sent': first, 'note.other': first } }],
    ['two', { name: 'two', subscribers: { '*': second } }],
  ])
  const publish = createPublish({
    registry: { entities: new Map(), eventTypes: new Map(), plugins },
    documents: { collection: () => ({}) },
    clock: { now: () => new Date(0) },
    log: { error: (...given: unknown[]) => void logged.push(given) },
    isWorkedOn: async () => isWorkedOn,
    context: () => 'the context',
  } as never)
  const type = { name: 'note.sent' }
  await publish(type as never, { workspace_id: 'wsp_1', data: { n: 1 } } as never)
  return logged
}

test('every subscriber of an event is called with it, also after one that failed, which is logged', async () => {
  const told: unknown[][] = []
  const hears: Subscriber = async (...given) => void told.push(given)
  const fails: Subscriber = async () => {
    throw new Error('no mail')
  }
  expect(await published(fails, hears)).toEqual([
    ['the subscriber of a plugin failed', { plugin: 'one', to: 'note.sent', error: 'Error: no mail' }],
  ])
  expect(told).toEqual([
    ['the context', expect.objectContaining({ type: 'note.sent', workspace_id: 'wsp_1' })],
  ])
  expect(await published(hears, fails)).toEqual([
    ['the subscriber of a plugin failed', { plugin: 'two', to: '*', error: 'Error: no mail' }],
  ])
  expect(told).toHaveLength(2)
})

test('no subscriber is called for an event of a workspace that is not worked on', async () => {
  let calls = 0
  const hears: Subscriber = async () => void calls++
  expect(await published(hears, hears, false)).toEqual([])
  expect(calls).toBe(0)
})
