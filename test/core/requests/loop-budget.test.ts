import { afterEach, expect, test } from 'bun:test'
import { createLoopBudget } from '../../../core/requests/loop-budget'
import { paid } from '../../../core/work/loop-time'
import { type LoopTime, requestWork, runWork } from '../../../core/work/scope'
import { type Gate, startGate } from '../../support/harness'
import { notes } from '../../support/notes-plugin'

const settings = { REQUEST_CPU_MS_PER_SECOND: 10, REQUEST_CPU_BURST_MS: 100 }

function budgetAt(start = 0, given = settings) {
  let at = start
  const budget = createLoopBudget(given, () => at)
  const ask = (payer: string, ms: number, status = 200) => {
    const time: LoopTime = { ms: 0 }
    budget.enter(time, payer)
    time.ms += ms
    budget.settle(time, status)
    return time
  }
  return { ask, pass: (ms: number) => (at += ms) }
}

const refusalOf = (work: () => unknown): { details: { retryAfterSeconds: number } } | null => {
  try {
    work()
    return null
  } catch (error) {
    return error as { details: { retryAfterSeconds: number } }
  }
}

test('a sender that used up its budget waits until some of it is back, and others do not wait', () => {
  const { ask, pass } = budgetAt()
  ask('a', 121, 200)
  const refused = refusalOf(() => ask('a', 0))
  expect(refused?.details.retryAfterSeconds).toBe(2)
  expect(refusalOf(() => ask('b', 0))).toBeNull()
  pass(2_001)
  expect(refusalOf(() => ask('a', 0))).toBeNull()
})

test('an answered request pays what is above a millisecond, and a refused one pays everything', () => {
  const { ask } = budgetAt()
  for (let n = 0; n < 1_000; n++) ask('ordinary', 0.9)
  expect(refusalOf(() => ask('ordinary', 0))).toBeNull()
  for (let n = 0; n < 24; n++) ask('slow', 5)
  expect(refusalOf(() => ask('slow', 0))).toBeNull()
  ask('slow', 5)
  expect(refusalOf(() => ask('slow', 0))).not.toBeNull()
  for (let n = 0; n < 112; n++) ask('refused', 0.9, 400)
  expect(refusalOf(() => ask('refused', 0))).not.toBeNull()
})

test('a refused request costs something even if nothing was measured', () => {
  const { ask } = budgetAt()
  for (let n = 0; n < 1_001; n++) ask('a', 0, 404)
  expect(refusalOf(() => ask('a', 0))).not.toBeNull()
})

test('an answer that is our fault costs its sender what an ordinary request costs', () => {
  const { ask } = budgetAt()
  for (let n = 0; n < 2_000; n++) ask('a', 0.9, 503)
  expect(refusalOf(() => ask('a', 0))).toBeNull()
  for (let n = 0; n < 2; n++) ask('a', 60, 500)
  expect(refusalOf(() => ask('a', 0))).not.toBeNull()
})

test('what is measured after the answer is paid too', () => {
  const { ask } = budgetAt()
  ask('a', 0).pay?.(100)
  expect(refusalOf(() => ask('a', 0))).not.toBeNull()
})

test('a rate of 0 turns the budget off', () => {
  const { ask } = budgetAt(0, { ...settings, REQUEST_CPU_MS_PER_SECOND: 0 })
  ask('a', 10_000, 400)
  expect(refusalOf(() => ask('a', 0))).toBeNull()
})

test('many senders do not make a sender’s used budget be forgotten', () => {
  const { ask, pass } = budgetAt()
  ask('a', 100_000, 400)
  for (let n = 0; n < 10_000; n++) ask(`other ${n}`, 2)
  pass(1_000)
  ask('one more', 2)
  expect(refusalOf(() => ask('a', 0))).not.toBeNull()
})

test('a part of a request that throws is measured too', () => {
  const work = requestWork({ limitMs: 1_000, disconnected: () => undefined })
  const spin = () => {
    const began = performance.now()
    while (performance.now() - began < 3);
    throw new Error('spun')
  }
  expect(() => runWork(work, () => paid(undefined, spin))).toThrow('spun')
  expect(work.loopTime?.ms).toBeGreaterThanOrEqual(3)
})

let gate: Gate | undefined
afterEach(async () => {
  await gate?.stop()
  gate = undefined
})

const accept = { accept: 'application/json, text/event-stream' }
const small = { REQUEST_CPU_MS_PER_SECOND: '1', REQUEST_CPU_BURST_MS: '1' }
const deep = `{"title":${'['.repeat(2 ** 19)}`

/** Bodies that are refused, by door. */
const doors: Readonly<Record<string, string>> = {
  operation: '/api/functions/countNotes',
  mcp: '/api/mcp',
}
for (const [name, path] of Object.entries(doors)) {
  test(`refused bodies pay at the door ${name}, and then a body is not read`, async () => {
    gate = await startGate({ plugins: [notes], settings: small })
    const send = (body: unknown, key?: string) =>
      (gate as Gate).ask(path, {
        method: 'POST',
        body,
        headers: accept,
        ...(key === undefined ? {} : { key }),
      })
    const statuses: number[] = []
    for (let n = 0; n < 40 && statuses.at(-1) !== 429; n++) statuses.push((await send(deep)).status)
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.slice(0, -1).every((status) => status >= 400 && status < 500)).toBe(true)
    const answer = await send('not json')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await answer.json()).toMatchObject({ 'violated-policies': ['processor-time'] })
    expect((await send({}, gate.stranger.key)).status).not.toBe(429)
  })
}
