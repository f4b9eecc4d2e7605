import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import * as v from 'valibot'
import { EventEntry } from '../../../core/events/EventEntry'
import { eventDays, eventSweep } from '../../../core/events/event-sweep'
import { dayMs, defineEvent, definePlugin, everything } from '../../../core/kit'
import { dayIn, dayStart } from '../../../core/kit/periods'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { Workspace } from '../../../core/tenancy/Workspace'
import { type AskOptions, type Gate, startGate } from '../../support/harness'
import { sampleRow } from '../../support/sample-row'

const noted = defineEvent({
  name: 'note.made',
  summary: 'A note was made.',
  data: v.strictObject({ n: v.number() }),
  example: { n: 1 },
})
const lost = defineEvent({ ...noted, name: 'note.lost', summary: 'A note was lost.' })

let gate: Gate
beforeAll(async () => {
  gate = await startGate({
    plugins: [definePlugin({ name: 'noting', renown: '^1.0.0', events: [noted, lost] })],
  })
  for (const id of ['loc_0', 'loc_1'])
    await gate.putForeign('BusinessLocation', { ...sampleRow(BusinessLocation, 'x'), id })
})
afterAll(() => gate.stop())
beforeEach(() => gate.owner.rows(EventEntry).removeWhere(everything))

const publish = (n: number, type = noted, workspace_id = gate.tenant.workspaceId) =>
  gate.owner.publish(type, { workspace_id, location_id: `loc_${n % 2}`, data: { n } })

interface Answer {
  readonly status: number
  readonly events: readonly { readonly id: string; readonly type: string; readonly data: { n: number } }[]
  readonly next_after: string | null
  readonly has_more: boolean
  readonly code?: string
  readonly errors?: readonly Record<string, unknown>[]
}
const read = async (query = '', options: AskOptions = {}): Promise<Answer> => {
  const response = await gate.ask(`/api/events${query}`, options)
  return { ...((await response.json()) as Answer), status: response.status }
}
const numbers = ({ events }: Pick<Answer, 'events'>) => events.map(({ data }) => data.n)

test('a log without events answers with nothing and no cursor', async () => {
  expect(await read()).toEqual({ status: 200, events: [], next_after: null, has_more: false })
})

test('a reader that keeps its cursor gets each event once, in order', async () => {
  for (let n = 1; n <= 5; n++) await publish(n)
  const first = await read('?limit=2')
  expect([numbers(first), first.has_more]).toEqual([[1, 2], true])
  const second = await read(`?limit=3&after=${first.next_after}`)
  expect([numbers(second), second.has_more]).toEqual([[3, 4, 5], false])
  const third = await read(`?after=${second.next_after}`)
  expect([numbers(third), third.next_after]).toEqual([[], second.next_after])
  await publish(6)
  expect(numbers(await read(`?after=${third.next_after}`))).toEqual([6])
  const event = first.events[0]
  expect<unknown>(event).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'note.made',
    location_id: 'loc_1',
    data: { n: 1 },
    occurred_at: expect.any(String),
  })
})

test('an event names the record that it is about', async () => {
  const about = { entity: 'Note', entity_id: 'not_1' }
  await gate.owner.publish(noted, { workspace_id: gate.tenant.workspaceId, ...about, data: { n: 1 } })
  const [event] = (await read()).events
  expect(event).toMatchObject(about as object)
  expect(event).not.toHaveProperty('location_id')
})

test('a filter moves the cursor past the events that it leaves out', async () => {
  await publish(1)
  for (let n = 2; n <= 4; n++) await publish(n, lost)
  const answer = await read('?types=note.made')
  expect(numbers(answer)).toEqual([1])
  expect(numbers(await read(`?after=${answer.next_after}`))).toEqual([])
  expect(numbers(await read('?types=note.made,note.lost&location_id=loc_0'))).toEqual([2, 4])
})

const call = async (body: object) =>
  (await (await gate.call('listEvents', body)).json()) as Omit<Answer, 'status'>

test('GET /api/events and the operation give the same answer after an event', async () => {
  for (let n = 1; n <= 3; n++) await publish(n)
  const { status: _, ...asked } = await read('?limit=2&types=note.made')
  expect(await call({ limit: 2, types: ['note.made'], after: 'oldest' })).toEqual(asked)
  const { status: __, ...next } = await read(`?after=${asked.next_after}`)
  expect(await call({ after: asked.next_after })).toEqual(next)
})

test('the operation begins with the newest event, and its cursor then has only what is new', async () => {
  expect(await call({})).toEqual({ events: [], next_after: null, has_more: false })
  for (let n = 1; n <= 5; n++) await publish(n)
  const first = await call({ limit: 2 })
  expect([numbers(first), first.has_more]).toEqual([[5, 4], true])
  const older = await call({ limit: 3, skip: 2 })
  expect([numbers(older), older.has_more]).toEqual([[3, 2, 1], false])
  expect(numbers(await call({ after: first.next_after }))).toEqual([])
  await publish(6)
  expect(numbers(await call({ after: first.next_after }))).toEqual([6])
  expect(await call({ after: first.next_after, skip: 1 })).toMatchObject({
    status: 422,
    errors: [{ pointer: '/skip', code: 'exclusive', message: 'send either skip or after' }],
  })
  expect(await call({ after: first.next_after, skip: 0 })).toMatchObject({ errors: [{ code: 'exclusive' }] })
})

test('a period selects events by their day, and what is wrong with it is refused', async () => {
  await publish(1)
  gate.clock.advance(2 * dayMs)
  await publish(2)
  const today = gate.clock.now().toISOString().slice(0, 10)
  const earlier = new Date(gate.clock.now().getTime() - 2 * dayMs).toISOString().slice(0, 10)
  expect(numbers(await call({ period: 'today' }))).toEqual([2])
  expect(numbers(await call({ date_from: earlier, date_to: earlier }))).toEqual([1])
  expect(numbers(await call({ period: `${earlier}/${today}`, after: 'oldest' }))).toEqual([1, 2])
  expect(await call({ period: 'today', days: 2 })).toMatchObject({ errors: [{ pointer: '/period' }] })
})

test.each(['Pacific/Kiritimati', 'Etc/GMT+12'])('a day is one of the workspace, in %s', async (timezone) => {
  const { workspaceId } = gate.tenant
  await gate.owner.rows(Workspace).update(workspaceId, { timezone })
  try {
    const now = gate.clock.now()
    const start = Date.parse(dayStart(timezone, dayIn(timezone, now)))
    gate.clock.advance(start + dayMs - now.getTime() - 60_000)
    await publish(1)
    gate.clock.advance(120_000)
    await publish(2)
    expect(numbers(await call({ period: 'today' }))).toEqual([2])
    expect(numbers(await call({ period: 'yesterday' }))).toEqual([1])
    expect(numbers(await call({ days: 2, after: 'oldest' }))).toEqual([1, 2])
  } finally {
    await gate.owner.rows(Workspace).update(workspaceId, { timezone: 'UTC' })
  }
})

test('an event of another workspace is not found, neither as a row nor as a cursor', async () => {
  await publish(1, noted, gate.stranger.workspaceId)
  expect(numbers(await read())).toEqual([])
  const theirs = await gate.ask('/api/events', { key: gate.stranger.key })
  const { next_after } = (await theirs.json()) as Answer
  expect(next_after).toMatch(/^evt_/)
  expect(await read(`?after=${next_after}`)).toMatchObject({ status: 422, code: 'invalid_field' })
})

test('unknown parameters, types and limits are refused by name', async () => {
  expect(await read('?since=1')).toMatchObject({ status: 400, code: 'unknown_parameter' })
  expect(await read('?types=note.mad')).toMatchObject({
    status: 422,
    errors: [{ pointer: '/types/0', did_you_mean: 'note.made' }],
  })
  for (const limit of ['0', '501', 'all', '']) {
    expect(await read(`?limit=${limit}`)).toMatchObject({ status: 422, errors: [{ pointer: '/limit' }] })
  }
})

test('old events are removed, except the last, and a cursor before them says that events were missed', async () => {
  const before = new Date(gate.clock.now().getTime() - (eventDays + 1) * dayMs).toISOString()
  await gate.owner.rows(EventEntry).insertMany(
    [1, 2, 3].map((seq) => ({
      workspace_id: gate.tenant.workspaceId,
      seq,
      type: 'note.made',
      key: `k${seq}`,
      data: { n: seq },
      created_date: before,
    })),
  )
  const { events, next_after } = await read()
  await eventSweep.run(gate.owner, new AbortController().signal)
  expect(numbers(await read())).toEqual([3])
  expect(await read(`?after=${events[0]?.id}`)).toMatchObject({ status: 422, code: 'invalid_field' })
  await publish(4)
  expect(numbers(await read(`?after=${next_after}`))).toEqual([4])
  const [last] = await gate.owner.rows(EventEntry).list({ sort: [{ field: 'seq', direction: 'desc' }] })
  expect(last?.seq).toBe(4)
})
