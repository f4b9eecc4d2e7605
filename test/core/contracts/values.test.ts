import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { normaliseInstant } from '../../../core/contracts/values'

describe('an instant', () => {
  test('that is written as it is stored comes out as it came in', () => {
    const year = { min: new Date('0000-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z') }
    fc.assert(
      fc.property(fc.date({ ...year, noInvalidDate: true }), (date) => {
        expect(normaliseInstant(date.toISOString())).toBe(date.toISOString())
      }),
    )
  })

  test.each([
    ['2026-11-20T18:00:00.5+02:00', '2026-11-20T16:00:00.500Z'],
    ['2026-11-20t18:00:00z', '2026-11-20T18:00:00.000Z'],
    ['2024-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
    ['2026-02-29T00:00:00.000Z', null],
    ['2026-00-01T00:00:00.000Z', null],
    ['2026-04-31T00:00:00.000Z', null],
    ['2026-04-30T24:00:00.000Z', null],
    ['2026-04-30T23:60:00.000Z', null],
    ['2026-04-30T23:00:60.000Z', null],
    ['2026-04-28T23:00:00.000', null],
  ])('%s is %p', (given, stored) => {
    expect(normaliseInstant(given)).toBe(stored)
  })
})
