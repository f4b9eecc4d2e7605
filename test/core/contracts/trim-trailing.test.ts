import { expect, test } from 'bun:test'
import { trimTrailing } from '../../../core/contracts/trim-trailing'

test.each([
  ['https://a.example//', '/', 'https://a.example'],
  ['a/b', '/', 'a/b'],
  ['////', '/', ''],
  ['', '/', ''],
  ['Yes?!..', '.,;:!?', 'Yes'],
  ['[x]', '[', '[x]'],
])('%p without %p at its end is %p', (text, characters, wanted) => {
  expect(trimTrailing(text, characters)).toBe(wanted)
})
