import { expect, test } from 'bun:test'
import {
  repairEscapes,
  unescapeC,
  unescapeHash,
  unescapePercent,
} from '../../../../../ingest/parse/formats/text/escapes'

test.each([
  ['plain', 'plain'],
  ['\\xe2\\x82\\xAC', '€'],
  ['\\x41b\\x42', 'AbB'],
  ['\\t\\n\\r\\b\\f\\v', '\t\n\r\b\f\v'],
  ['\\"\\\\', '"\\'],
  ['\\q', 'q'],
  ['\\x', 'x'],
  ['\\x4g', 'x4g'],
  ['\\xff', '\ufffd'],
  ['\\\n', '\n'],
  ['\\', '\\'],
])('backslashes of %p are undone to %p', (text, wanted) => expect(unescapeC(text)).toBe(wanted))

test.each([
  ['plain', 'plain'],
  ['a#20b', 'a b'],
  ['#E2#82#AC', '€'],
  ['#e2', '#e2'],
  ['#2', '#2'],
  ['#', '#'],
])("HAProxy's escapes of %p are undone to %p", (text, wanted) => expect(unescapeHash(text)).toBe(wanted))

test.each([
  ['plain', 'plain'],
  ['a%20b', 'a b'],
  ['%E2%82%ac', '€'],
  ['a%2520b%2525', 'a b%'],
  ['%25%', '%%'],
  ['%252525', '%25'],
  ['%2', '%2'],
  ['%zz', '%zz'],
])('percent-encoding of %p is undone to %p', (text, wanted) => expect(unescapePercent(text)).toBe(wanted))

test.each([
  ['{"a":"\\x41\\xe2\\x82\\xac"}', { a: 'A€' }],
  ['{"a":"\\v"}', { a: '\v' }],
  ['{"a":"\\x22"}', { a: '"' }],
  ['{"a":"\\\'"}', { a: "'" }],
  ['{"a":"\\x","b":"\\u0041\\n\\"\\\\\\/\\b\\f\\r\\t"}', { a: 'x', b: 'A\n"\\/\b\f\r\t' }],
  ['{"a":"\\uzz"}', { a: 'uzz' }],
])('the JSON %p is repaired to %p', (text, wanted) => expect(JSON.parse(repairEscapes(text))).toEqual(wanted))

test.each(['{"a":"\\n\\u0041"}', '{"a":"x"}', '{"a":"'])('the JSON %p needs no repair', (text) =>
  expect(repairEscapes(text)).toBe(text),
)
