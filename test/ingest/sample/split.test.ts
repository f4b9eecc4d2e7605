import { expect, test } from 'bun:test'
import { logSampleMax } from 'renown/contracts'
import { linesOfSample } from '../../../ingest/sample/split'

test('lines are read without spaces around them, and empty ones are left out', () => {
  expect(linesOfSample(' a b \r\n\n \t\n{"c":1}\n')).toEqual(['a b', '{"c":1}'])
  expect(linesOfSample('{"a":1}')).toEqual(['{"a":1}'])
  expect(linesOfSample('')).toEqual([])
})

test('an array counts as its elements, on one line or on several', () => {
  const elements = ['{"a":1}', '"x"', '[2]', 'null']
  for (const text of ['[{"a":1},"x",[2],null]', '  [{"a" : 1},\n"x",\n[2], null]\n'])
    expect(linesOfSample(text)).toEqual(elements)
})

test('an object over several lines is one line, and what is no JSON is lines', () => {
  expect(linesOfSample('{\n "a": 1,\n "b": [2]\n}\n')).toEqual(['{"a":1,"b":[2]}'])
  expect(linesOfSample('{"a":1}\n{"a":2}')).toEqual(['{"a":1}', '{"a":2}'])
  expect(linesOfSample('"x"\n')).toEqual(['"x"'])
  expect(linesOfSample('[20/Nov/2026] a')).toEqual(['[20/Nov/2026] a'])
  const deep = `${'['.repeat(3_000)}${']'.repeat(3_000)}`
  expect(linesOfSample(deep)).toEqual([deep])
})

test('there are as many lines as a sample may have', () => {
  const lines = Array.from({ length: logSampleMax.lines + 2 }, (_, at) => `line ${at}`)
  expect(linesOfSample(lines.join('\n'))).toEqual(lines.slice(0, logSampleMax.lines))
  expect(linesOfSample(JSON.stringify(lines))).toHaveLength(logSampleMax.lines)
})
