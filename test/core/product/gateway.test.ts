import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Gate, startGate } from '../../support/harness'
import { askMcp, type Revision } from '../../support/mcp'

let gate: Gate
beforeAll(async () => {
  gate = await startGate()
})
afterAll(() => gate.stop())

const stepsMax = 500
const nextTask = () => new Promise((resolve) => setImmediate(resolve))

/**
 * How many steps of the queue of promises a request takes. It is in a new task of the event loop, as a request of a socket is, and waits
 * for nothing outside.
 */
async function stepsOf(ask: () => Promise<Response>): Promise<number> {
  await nextTask()
  let status = 0
  ask().then((answer) => {
    status = answer.status
  })
  let steps = 0
  while (status === 0 && steps < stepsMax) {
    await null
    steps++
  }
  expect(status).toBe(200)
  return steps
}

/** Asks a few times first: the first answers are looked up, compiled, or given by an SDK. */
async function stepsOfRepeated(ask: () => Promise<Response>): Promise<number> {
  for (let time = 0; time < 4; time++) await ask()
  return stepsOf(ask)
}

test('a list that is read again takes at most 19 steps', async () => {
  expect(await stepsOfRepeated(() => gate.ask('/api/entities/Workspace?limit=5'))).toBeLessThanOrEqual(19)
})

test('a call takes at most 28 steps', async () => {
  expect(await stepsOfRepeated(() => gate.call('whoami'))).toBeLessThanOrEqual(28)
})

test.each(['2025-11-25', '2026-07-28'] as const)(
  'a tool call of %s takes at most 36 steps',
  async (revision: Revision) => {
    const call = () => askMcp(gate, revision, 'tools/call', { name: 'whoami', arguments: {} })
    expect(await stepsOfRepeated(call)).toBeLessThanOrEqual(36)
  },
)
