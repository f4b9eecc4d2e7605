import { expect, test } from 'bun:test'
import { ClaimsUnavailable } from '../../../ingest/flush/flush-claims'
import { isOfTheRows, pauseMs, reasonOf } from '../../../ingest/flush/flush-faults'

test('the codes of rows that are never accepted are these', () => {
  const ofRows = Array.from({ length: 1_100 }, (_, code) => String(code)).filter((code) =>
    isOfTheRows({ code }),
  )
  expect(ofRows).toEqual('6 26 27 33 38 41 53 69 70 72 117 130 131 321 349 376'.split(' '))
  for (const other of [{}, null, undefined, 'code', { code: '' }, { code: 'ECONNREFUSED' }])
    expect(isOfTheRows(other)).toBe(false)
  expect(isOfTheRows({ code: 27 })).toBe(true)
})

test.each([
  [{ type: 'TIMEOUT_EXCEEDED', code: '159', message: 'a row' }, 'TIMEOUT_EXCEEDED 159'],
  [{ code: 'ECONNREFUSED', name: 'Error' }, 'ECONNREFUSED'],
  [{ type: 'NO_SPACE' }, 'NO_SPACE'],
  [{ name: 'TimeoutError', message: 'a row' }, 'TimeoutError'],
  [{}, 'unknown error'],
  [null, 'unknown error'],
  [new ClaimsUnavailable('It is away'), 'It is away'],
])('the reason of %j is %s', (error, reason) => expect(reasonOf(error)).toBe(reason))

test('pauses double from 100 ms up to 15 s', () => {
  const pauses = [0, 1, 2, 3, 4, 7, 8, 9, 50].map((failures) => pauseMs(failures))
  expect(pauses).toEqual([100, 100, 200, 400, 800, 6_400, 12_800, 15_000, 15_000])
  expect([1, 3, 4].map((failures) => pauseMs(failures, 300))).toEqual([100, 300, 300])
})
