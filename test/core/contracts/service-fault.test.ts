import { describe, expect, test } from 'bun:test'
import {
  blameOf,
  isLastAttempt,
  ServiceFault,
  usesAttempt,
  waitOfAttempt,
} from '../../../core/contracts/service-fault'
import { UnavailableError } from '../../../core/stores/documents/port'

const errors = {
  own_store: new Error('a query failed', { cause: new UnavailableError('MongoDB cannot be reached') }),
  limit: new ServiceFault('rate', 'Slow down'),
  service: new ServiceFault('transient', 'no answer'),
  input: new ServiceFault('permanent', 'not allowed'),
} as const

describe('An attempt', () => {
  test.each([
    ['own_store', false],
    ['limit', false],
    ['service', true],
    ['input', true],
  ] as const)('that %s ended is used up: %p', (blame, isUsed) => {
    expect(blameOf(errors[blame])).toBe(blame)
    expect(usesAttempt(errors[blame])).toBe(isUsed)
  })

  test.each([
    ['own_store', 3, false],
    ['own_store', 4, false],
    ['service', 3, false],
    ['service', 4, true],
    ['limit', 4, true],
  ] as const)('that %s ended as number %i of 4 is the last: %p', (blame, attempt, isLast) => {
    expect(isLastAttempt(errors[blame], { attempt }, 4)).toBe(isLast)
  })
})

test('each attempt waits as long as the list says, and behind its end as long as the last', () => {
  const waits = [1, 2, 3, 4, 9].map((attempt) => waitOfAttempt({ attempt }, [10, 20, 30]))
  expect(waits).toEqual([10, 20, 30, 30, 30])
  expect(waitOfAttempt({ attempt: 1 }, [])).toBe(0)
})
