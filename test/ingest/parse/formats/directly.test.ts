import { afterEach, expect, spyOn, test } from 'bun:test'
import { readBody } from '../../../../ingest/parse/formats'
import { readPlainCombined } from '../../../../ingest/parse/formats/plain-combined'
import { linesIn, nextLine } from '../../../../ingest/parse/formats/text/lines'
import { ip, line, now, ua } from '../../support/read-hits'

const record = JSON.stringify({ ts: now, ip, path: '/a', ua })
const spies: { mockRestore(): void }[] = []
afterEach(() => {
  for (const spy of spies.splice(0)) spy.mockRestore()
})

/** What reading a body parsed as JSON, and the longest text that it copied. */
function workOf(body: string, lineMax = 2 ** 16) {
  const work = { parsed: 0, copied: 0, results: 0 }
  const parse = JSON.parse
  const { slice } = String.prototype
  const reader = readBody(body, now, lineMax)
  spies.push(
    spyOn(JSON, 'parse').mockImplementation((text: string) => {
      work.parsed++
      return parse(text)
    }),
    spyOn(String.prototype, 'slice').mockImplementation(function (this: string, ...given: [number, number]) {
      const text = slice.apply(this, given)
      work.copied = Math.max(work.copied, text.length)
      return text
    }),
  )
  while (reader.next()) work.results++
  for (const spy of spies.splice(0)) spy.mockRestore()
  return work
}

test('common lines are read where they stand: no copy of the line, no JSON', () => {
  const most = ua.length
  for (const each of [line, record])
    for (const body of [each, `${each}\n`, `${each}\r\n${each}`, `${`${each}\n`.repeat(300)}${each}`]) {
      const { parsed, copied } = workOf(body, 300)
      expect([body.slice(0, 20), parsed, copied]).toEqual([body.slice(0, 20), 0, most])
    }
})

test('lines of up to 32 KiB are read where they stand', () => {
  const combined = (length: number) => line.replace('/a', `/${'a'.repeat(length - line.length + 1)}`)
  const json = (length: number) => record.replace('/a', `/${'a'.repeat(length - record.length + 1)}`)
  for (const length of [32_767, 32_768, 32_769]) {
    expect([length, combined(length).length, json(length).length]).toEqual([length, length, length])
    expect(workOf(`\n${combined(length)}`).copied === length).toBe(length > 32_768)
    expect(workOf(`\n${json(length)}`).parsed).toBe(length > 32_768 ? 1 : 0)
  }
})

test('a line that is not simple is parsed once, also if it is torn', () => {
  for (const [body, parsed] of [
    [record.replace('/a', '\\u002fa'), 1],
    ['{"path":', 1],
    [`${record}${record}`, 3],
    ['{"a":"\\v"', 2],
  ] as const)
    expect([body, workOf(body).parsed]).toEqual([body, parsed])
})

test('fields in the order of the line before are each looked for once', () => {
  const fields = Object.keys(JSON.parse(record)).length
  const count = (body: string) => {
    const reader = readBody(body, now, 300)
    const seen: number[] = []
    const spy = spyOn(String.prototype, 'startsWith')
    spies.push(spy)
    for (let before = 0; reader.next(); before = spy.mock.calls.length)
      seen.push(spy.mock.calls.length - before)
    spy.mockRestore()
    return seen.slice(1)
  }
  const other = JSON.stringify({ ua, path: '/a', ip, ts: now })
  const all = { ts: now, ip, method: 'GET', path: '/a', url: '/a', host: 'h', status: 200 }
  const names = Object.entries({ ...all, ua, referer: 'x', referrer: 'x', id: 'abcdefgh' })
  for (let first = 0; first < names.length; first++) {
    const line = JSON.stringify(Object.fromEntries([...names.slice(first), ...names.slice(0, first)]))
    // One more for the method, which is usually GET.
    expect([line, ...count(`${line}\n`.repeat(3))]).toEqual([line, names.length + 2, names.length + 2])
  }
  // One more for the user agent, which is compared with the last one.
  expect(count(`${record}\n`.repeat(4))).toEqual([fields + 1, fields + 1, fields + 1])
  expect(count(`${other}\n`.repeat(4))).toEqual([fields + 1, fields + 1, fields + 1])
})

test('a simple line has every field, in the order of careful reading', () => {
  const lines = linesIn(line)
  nextLine(lines)
  expect(Object.keys(readPlainCombined(lines) ?? {})).toEqual([
    'ts',
    'ip',
    'method',
    'target',
    'host',
    'ua',
    'referer',
    'status',
  ])
})

test('only a line that begins with a space or no ASCII is looked at for being blank', () => {
  for (let code = 1; code < 200; code++) {
    if (code === 10) continue
    const lines = linesIn(`${String.fromCharCode(code)}x`)
    const spy = spyOn(String.prototype, 'trim')
    spies.push(spy)
    const found = nextLine(lines)
    const trims = spy.mock.calls.length
    spy.mockRestore()
    expect([code, found, trims]).toEqual([code, true, code > 32 && code < 127 ? 0 : 1])
  }
})
