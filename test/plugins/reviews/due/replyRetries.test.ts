import { describe, expect, test } from 'bun:test'
import { ServiceFault } from '../../../../core/contracts/service-fault'
import {
  afterFault,
  type FailedTries,
  gaveUpCode,
  passingMs,
  permissionWaitsMs,
} from '../../../../plugins/reviews/due/replyRetries'

const minute = 60_000
const hour = 60 * minute

/** Tries until the fault is final, and answers each wait. */
function tryFor(faultAt: (elapsedMs: number) => ServiceFault | Error) {
  const began = Date.parse('2026-03-15T12:00:00.000Z')
  const waits: number[] = []
  let failed: FailedTries | null = null
  let elapsed = 0
  for (let n = 0; n < 1_000; n++) {
    const now = new Date(began + elapsed)
    const next = afterFault(faultAt(elapsed), failed, { now, random: () => 0 })
    failed = next.failed
    if (next.fault.kind !== 'transient') return { waits, elapsed, end: next.fault }
    const waitMs = next.fault.retryAfterMs ?? 0
    waits.push(waitMs)
    elapsed += waitMs
  }
  throw new Error('never ends')
}

describe('A fault that may pass', () => {
  test.each([
    ['503', new ServiceFault('transient', 'Google refused: 503')],
    ['429', new ServiceFault('rate', 'Google refused: 429')],
    ['a used-up quota', new ServiceFault('quota', 'The calls are used up')],
    ['a dead credential', new ServiceFault('auth', 'Connect again')],
    ['a bug or a store that is away', new Error('no store')],
  ])('is tried again for 24 hours, and then ends: %s', (_, fault) => {
    const { waits, elapsed, end } = tryFor(() => fault)
    expect(elapsed).toBeGreaterThanOrEqual(passingMs)
    expect(elapsed).toBeLessThan(passingMs + hour)
    expect(waits.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, 60].map((minutes) => minutes * minute))
    expect(Math.max(...waits)).toBe(hour)
    expect([end.kind, end.code]).toEqual(['permanent', gaveUpCode])
    expect(end.message).toEndWith(`The last answer: ${fault.message}`)
  })

  test('waits as long as the platform asked, and longer where the tries are many', () => {
    const asked = (retryAfterMs: number) => new ServiceFault('rate', 'slow', { retryAfterMs })
    expect(tryFor(() => asked(3 * hour)).waits.every((waitMs) => waitMs === 3 * hour)).toBe(true)
    expect(tryFor(() => asked(1_000)).waits.slice(0, 3)).toEqual([minute, 2 * minute, 4 * minute])
  })

  test('does not end a reply that was hardly tried because the product was off', () => {
    const failed = { tries: 1, refusals: 0, since: '2026-03-01T00:00:00.000Z' }
    const { fault } = afterFault(new ServiceFault('transient', 'x'), failed, {
      now: new Date('2026-03-05T00:00:00.000Z'),
      random: () => 0,
    })
    expect(fault.kind).toBe('transient')
  })

  test('is no failure where only the turn at the rate limit is waited for', () => {
    const paced = new ServiceFault('rate', 'wait', { code: 'paced', retryAfterMs: 5_000 })
    const { failed, fault } = afterFault(paced, null, { now: new Date(), random: () => 0 })
    expect([failed.tries, fault.kind, fault.retryAfterMs]).toEqual([0, 'transient', 5_000])
  })
})

describe('A refusal for missing permissions', () => {
  const refusal = new ServiceFault('permission', 'Google refused: 403', { code: '403' })

  test('is tried again over hours and ends as what it is', () => {
    const { waits, elapsed, end } = tryFor(() => refusal)
    expect(waits).toEqual([...permissionWaitsMs])
    expect(elapsed).toBeGreaterThan(6 * hour)
    expect([end.kind, end.code]).toEqual(['permission', '403'])
  })

  test('counts apart from other faults', () => {
    let n = 0
    const mixed = () => (n++ % 2 === 0 ? refusal : new ServiceFault('transient', 'x'))
    expect(tryFor(mixed).waits).toHaveLength(permissionWaitsMs.length * 2)
  })
})

test.each(['permanent', 'unsupported'] as const)('A fault that is %s is final at once', (kind) => {
  const { waits, end } = tryFor(() => new ServiceFault(kind, 'no'))
  expect([waits, end.kind]).toEqual([[], kind])
})
