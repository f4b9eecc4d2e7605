import { expect, test } from 'bun:test'
import { formatShare } from '../../../../core/web/client/format'

test('a share says what it was counted from and its interval, and is nothing without trials', () => {
  expect(formatShare(15, 148)).toEqual({ percent: '10 %', words: '15 of 148, 95 % interval 6 % to 16 %' })
  expect(formatShare(1200, 1200)).toEqual({
    percent: '100 %',
    words: '1,200 of 1,200, 95 % interval 100 % to 100 %',
  })
  expect(formatShare(0, 0)).toBeNull()
})
