import { expect, test } from 'bun:test'
import { echoed } from '../../../core/contracts/echoed'

test('an error repeats at most 80 characters of a name', () => {
  expect(echoed('name')).toBe('name')
  expect(echoed('n'.repeat(80))).toBe('n'.repeat(80))
  expect(echoed(`${'n'.repeat(80)}x`)).toBe('n'.repeat(80))
})
