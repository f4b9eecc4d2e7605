import { expect, test } from 'bun:test'
import { visible } from '../../../core/kit/visible-text'

test.each([
  ['Persian', 'می\u200cخواهم'],
  ['Hindi', 'क्\u200dष'],
  ['Sinhala', 'ශ්\u200dරී'],
  ['a family', '👨\u200d👩\u200d👧'],
  ['a heart on fire', '❤\ufe0f\u200d🔥'],
  ['a person with a skin tone', '👩🏽\u200d💻'],
  ['a key', '1\ufe0f\u20e3'],
])('a joiner stays where it shapes what is seen: %s', (_, text) => {
  expect(visible(text)).toBe(text)
})

test.each([
  ['between Latin letters', 'a\u200db\u200cc', 'abc'],
  ['several in a row', 'می\u200c\u200d\u200cخ', 'میخ'],
  ['at the end of a word', 'می\u200c ok', 'می ok'],
  ['a picture sign after a letter', 'a\ufe0fb', 'ab'],
  ['between pictures that join by themselves', '😀\u200c😀', '😀😀'],
  ['orders of bytes and of writing', '\ufeffa\u202eb\u2067c\u2069', 'abc'],
  ['tags', 'a\u{e0041}\u{e007f}b', 'ab'],
])('what cannot be seen and shapes nothing goes: %s', (_, text, seen) => {
  expect(visible(text)).toBe(seen)
})
