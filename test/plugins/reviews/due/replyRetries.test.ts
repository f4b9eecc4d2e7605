import { describe, expect, test } from 'bun:test'
import { ServiceFault, unreadableCode } from '../../../../core/contracts/service-fault'
import { unconfirmedCode } from '../../../../plugins/reviews/contract'
import {
  afterFault,
  type FailedTries,
  gaveUpCode,
  passingMs,
  permissionWaitsMs,
  savedTries,
} from '../../../../plugins/reviews/due/replyRetries'
import { inDoubtCode } from '../../../../plugins/reviews/evidence/whyUnproven'

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

describe('How long a reply is tried', () => {
  const at = (elapsedMs: number) => new Date(Date.parse('2026-03-15T12:00:00.000Z') + elapsedMs)
  const since = at(0).toISOString()
  /** What follows a fault after that many tries and that much time. */
  const after = (fault: ServiceFault, elapsedMs: number, tries = 7, refusals = 0) => {
    const next = afterFault(fault, { tries, refusals, since }, { now: at(elapsedMs), random: () => 0 })
    return [next.fault.kind, next.fault.retryAfterMs ?? null] as const
  }
  const passing = new ServiceFault('transient', 'x')
  const unreadable = new ServiceFault('transient', 'x', { code: unreadableCode })
  const doubted = new ServiceFault('transient', 'x', { code: inDoubtCode, retryAfterMs: 5_000 })
  const gone = new ServiceFault('permission', 'x', { code: unconfirmedCode })

  test('is a day for what passes and three days for answers that cannot be read, with eight tries at least', () => {
    expect(after(passing, 24 * hour - 1)).toEqual(['transient', hour])
    expect(after(passing, 24 * hour)).toEqual(['permanent', null])
    expect(after(unreadable, 72 * hour - 1)).toEqual(['transient', hour])
    expect(after(unreadable, 72 * hour)).toEqual(['permanent', null])
    for (const fault of [passing, unreadable])
      expect([6, 7].map((tries) => after(fault, 720 * hour, tries)[0])).toEqual(['transient', 'permanent'])
    const end = afterFault(
      unreadable,
      { tries: 9, refusals: 0, since },
      { now: at(80 * hour), random: () => 0 },
    )
    expect(end.fault.message).toBe('It did not work for 72 hours. The last answer: x')
  })

  test('is 10, 30, 60, 120 and 240 minutes after a refusal, and 4 hours for three days while it may be back', () => {
    const refusal = new ServiceFault('permission', 'x')
    const waits = [0, 1, 2, 3, 4, 5].map((refusals) => after(refusal, 0, 0, refusals))
    expect(waits.map(([, ms]) => ms && ms / minute)).toEqual([10, 30, 60, 120, 240, null])
    expect(waits[5]?.[0]).toBe('permission')
    expect(after(gone, 0, 0, 4)).toEqual(['transient', 4 * hour])
    expect(after(gone, 72 * hour - 1, 0, 5)).toEqual(['transient', 4 * hour])
    expect(after(gone, 72 * hour, 0, 5)).toEqual(['permission', null])
  })

  test('begins with the first failure after a doubt, which counts as none', () => {
    const next = (tries: number) =>
      afterFault(doubted, { tries, refusals: 2, since }, { now: at(hour), random: () => 0 })
    expect(next(0)).toMatchObject({
      failed: { tries: 0, refusals: 2, since: at(hour).toISOString() },
      fault: { kind: 'transient', code: 'in_doubt', retryAfterMs: 5_000 },
    })
    expect(next(1).failed).toEqual({ tries: 1, refusals: 2, since })
    expect(after(doubted, 720 * hour, 99)).toEqual(['transient', 5_000])
  })

  test('waits up to a tenth longer, so that replies do not come together', () => {
    const waitOf = (random: number) =>
      afterFault(passing, null, { now: at(0), random: () => random }).fault.retryAfterMs
    expect([0, 0.5, 1].map(waitOf)).toEqual([60_000, 63_000, 66_000])
  })

  test('is known again from what was saved, and from nothing else', () => {
    const saved = { tries: 1, refusals: 2, since }
    expect(savedTries({ ...saved, other: 1 })).toEqual(saved)
    for (const other of [null, undefined, {}, { ...saved, since: 5 }, { ...saved, tries: '1' }, 'x'])
      expect(savedTries(other)).toBeNull()
  })
})
