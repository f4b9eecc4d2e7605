import { expect, test } from 'bun:test'
import { afterLastLine } from '../../ship/tail'

const at = '2026-11-20T12:00:00.123456789Z'
const cut = (text: string) => text.slice(0, afterLastLine(Buffer.from(text)))

test('a log is cut after its last line', () => {
  expect(cut('a\nb\nc')).toBe('a\nb\n')
  expect(cut('a')).toBe('')
  expect(cut('')).toBe('')
  expect(cut('\n')).toBe('\n')
  expect(cut(`a\n${at} stdout F x\n${at} stdout P`)).toBe(`a\n${at} stdout F x\n`)
})

test('a line that a container runtime split is not cut in the middle', () => {
  const first = `${at} stdout P x\n`
  const last = `${at} stdout F y\n`
  expect(cut(`a\n${first}${first}`)).toBe('a\n')
  expect(cut(`a\n${first}${first}${last}`)).toBe(`a\n${first}${first}${last}`)
  expect(cut(first)).toBe('')
  expect(cut(`${at} stderr P:X x\n`)).toBe('')
  expect(cut('GET stdout P x\n')).toBe('GET stdout P x\n')
})
