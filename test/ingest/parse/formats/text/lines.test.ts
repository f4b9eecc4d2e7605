import { expect, test } from 'bun:test'
import {
  hasMore,
  hasSlash,
  linesIn,
  linesOf,
  lineText,
  nextLine,
} from '../../../../../ingest/parse/formats/text/lines'

test('lines that are not blank are walked with their numbers, without carriage returns', () => {
  const lines = linesIn('a\r\n\n \t\r\n é\n\rb\nlast')
  const seen: [number, string, boolean][] = []
  while (nextLine(lines)) seen.push([lines.line, lineText(lines), hasMore(lines)])
  expect(seen).toEqual([
    [1, 'a', true],
    [4, ' é', true],
    [5, '\rb', true],
    [6, 'last', false],
  ])
  expect([...linesOf('\n\n')]).toEqual([])
  expect([...linesOf('')]).toEqual([])
  expect([...linesOf('x\n')]).toEqual(['x'])
  expect([...linesOf('~\n\u007f\n!')]).toEqual(['~', '\u007f', '!'])
})

test('no more blank lines are passed over than were asked for', () => {
  const lines = linesIn('\n\n\na')
  expect([nextLine(lines, 2), lines.line]).toEqual([false, 2])
  expect([nextLine(lines, 2), lines.line, lineText(lines)]).toEqual([true, 4, 'a'])
  expect(nextLine(lines, 2)).toBe(false)
})

test('a line of spaces is blank up to 64 KiB', () => {
  const walked = (length: number) => [...linesOf(' '.repeat(length))].length
  expect([65_535, 65_536, 65_537].map(walked)).toEqual([0, 0, 1])
})

test('a backslash is found before an end, in this line and in later ones', () => {
  const lines = linesIn('ab\nc\\d\nef\n\\')
  const found: boolean[] = []
  while (nextLine(lines)) found.push(hasSlash(lines, lines.end))
  expect(found).toEqual([false, true, false, true])
  const one = linesIn('a\\b')
  nextLine(one)
  expect([hasSlash(one, 1), hasSlash(one, 2)]).toEqual([false, true])
  const none = linesIn('ab')
  nextLine(none)
  expect(hasSlash(none, none.end)).toBe(false)
})

test('a carriage return alone on a line is no text', () => {
  const lines = linesIn('a\nx\r')
  expect([nextLine(lines), nextLine(lines), lineText(lines)]).toEqual([true, true, 'x'])
  expect(lineText({ ...lines, start: 3, end: 3 })).toBe('')
  expect(lineText({ ...lines, text: '\r', start: 0, end: 1 })).toBe('')
})
