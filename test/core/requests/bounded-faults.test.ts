import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { boundedFaults, boundedText } from '../../../core/requests/bounded-faults'
import { type Gate, startGate } from '../../support/harness'
import { notes, readers } from '../../support/notes-plugin'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes, readers] })
})
afterAll(() => gate.stop())

const fault = { code: 'invalid', message: 'x' }

describe('the faults of an answer', () => {
  test('are at most twenty', () => {
    expect(boundedFaults(Array(500).fill(fault))).toHaveLength(20)
  })

  test('are bounded in size, and one is always told', () => {
    const long = {
      ...fault,
      pointer: '/é'.repeat(40_000),
      message: 'y'.repeat(1e6),
      allowed: Array(5_000).fill('z'.repeat(90)),
    }
    const [only, ...more] = boundedFaults(Array(20).fill(long))
    expect(more).toEqual([])
    expect(JSON.stringify(only).length).toBeLessThan(24 * 1024)
    expect(boundedText('𝄞'.repeat(900), 301)).toBe(`${'𝄞'.repeat(150)}\ufffd…`)
  })

  test('stay small whatever a body holds, over every door', async () => {
    const wrong = {
      ids: Array.from({ length: 9_000 }, () => ({ a: 1 })),
      [`k${'\u0001'.repeat(50_000)}`]: 1,
    }
    const answers = [
      await gate.call('markNotes', { ids: wrong.ids }),
      await gate.call('markNotes', wrong),
      await gate.call('no'.repeat(9_000), {}),
      await gate.ask(
        `/api/entities/Note?q=${encodeURIComponent(JSON.stringify({ $or: Array(50).fill({ x: 1 }) }))}`,
      ),
      await gate.ask('/api/mcp', {
        method: 'POST',
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'markNotes', arguments: { ids: wrong.ids } },
        },
      }),
    ]
    for (const answer of answers) {
      const text = await answer.text()
      expect([answer.status, text.length < 40_000, text.length]).toEqual([answer.status, true, text.length])
    }
  })
})

test('the faults of an answer keep their members, each cut at its own length', () => {
  const long = 'é'.repeat(400)
  const allowed = Array.from({ length: 300 }, String)
  const whole = { parameter: 'q', header: 'X', pointer: '/a', code: 'c', message: 'm', did_you_mean: 'n' }
  expect(boundedFaults([whole])).toEqual([whole])
  const cut = `${'é'.repeat(300)}…`
  expect(boundedFaults([{ parameter: long, pointer: long, code: 'c', message: long, allowed }])).toEqual([
    { parameter: cut, pointer: cut, code: 'c', message: cut, allowed: allowed.slice(0, 200) },
  ])
  const exact = 'x'.repeat(300)
  expect(boundedFaults([{ code: 'c', message: exact }])).toEqual([{ code: 'c', message: exact }])
  expect(boundedText('x'.repeat(1_000))).toBe('x'.repeat(1_000))
  expect(boundedText('x'.repeat(1_001))).toBe(`${'x'.repeat(1_000)}…`)
})

test('the faults of an answer have 16 KiB together', () => {
  const sized = (length: number) => {
    const bare = { code: 'c', message: '', allowed: [''] }
    return { ...bare, allowed: ['x'.repeat(length - JSON.stringify(bare).length)] }
  }
  expect(boundedFaults([sized(8_192), sized(8_192)])).toHaveLength(2)
  expect(boundedFaults([sized(8_192), sized(8_193)])).toHaveLength(1)
  expect(boundedFaults([sized(8_192), sized(8_193), sized(100)])).toHaveLength(1)
  expect(boundedFaults([sized(20_000)])).toHaveLength(1)
})
