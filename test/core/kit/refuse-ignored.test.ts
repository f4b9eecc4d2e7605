import { expect, test } from 'bun:test'
import { refuseIgnored } from 'renown'

test('data of which no filter was ignored is returned as it is', () => {
  const data = { ignored: [], rows: [1] }
  expect(refuseIgnored(data)).toBe(data)
})

test('each ignored filter is named with what is accepted', () => {
  const ignored = [{ name: 'from', value: '2026-02-30', accepted: 'Use a day such as 2026-03-14.' }]
  expect(() => refuseIgnored({ ignored })).toThrow(
    expect.objectContaining({
      code: 'invalid_parameter',
      details: { errors: [{ parameter: 'from', code: 'invalid', message: 'Use a day such as 2026-03-14.' }] },
    }),
  )
})
