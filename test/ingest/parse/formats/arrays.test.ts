import { describe, expect, test } from 'bun:test'
import { arraysAt, elementsOf } from '../../../../ingest/parse/formats/envelopes/arrays'

/** The arrays of a path in a text, and where the object ends. Null where the text is not JSON. */
function found(text: string, path: readonly string[], start = 0) {
  const arrays: string[] = []
  const walk = arraysAt(text, start, path)
  for (let step = walk.next(); ; step = walk.next()) {
    if (step.done) return { arrays, end: step.value }
    if ('from' in step.value) arrays.push(text.slice(step.value.from, step.value.end))
  }
}

describe('arrays in a text', () => {
  test.each([
    ['{"a":[1]}', ['[1]'], 9],
    [' { "b" : {"a":[2]} , "a" : [ 1 , [3] ] } x', ['[ 1 , [3] ]'], 40],
    ['{"a":[1],"a":[2]}', ['[1]', '[2]'], 17],
    ['{"a":5,"b":[1]}', [], 15],
    ['{"a":[]}', ['[]'], 8],
    ['{}', [], 2],
    ['{"x\\"a":[1],"a":[2]}', ['[2]'], 20],
  ])('%s', (text, arrays, end) => {
    expect(found(text, ['a'], text.indexOf('{'))).toEqual({ arrays, end })
  })

  test.each([
    '[{"a":[1]}]',
    '"a":[1]}',
    '_"a":[1]}',
    '{"a"}',
    '{"a":[1]',
    '{a:[1]}',
    '{"a":[1];"b":1}',
    '',
    '{',
  ])('%j is no object that ends', (text) => {
    expect(found(text, ['a']).end).toBeNull()
  })

  test('are found through arrays of objects', () => {
    const text = '{"a":[{"b":[1]},7,{"c":[9],"b":[2,3]},"b",[{"b":[8]}],{"b":4}],"b":[5]}'
    expect(found(text, ['a', 'b'])).toEqual({ arrays: ['[1]', '[2,3]'], end: text.length })
    expect(found('{"a":[{"b":[1]}', ['a', 'b']).end).toBeNull()
    expect(found('{"a":{"b":[1]}}', ['a', 'b'])).toEqual({ arrays: [], end: 15 })
  })
})

test('elements of a value that was parsed are the same', () => {
  const value = { a: [{ b: [1] }, 7, { c: [9], b: [2, 3] }, null, [{ b: [8] }], { b: 4 }], b: [5] }
  expect([...elementsOf(value, ['a', 'b'])]).toEqual([1, 2, 3])
  expect([...elementsOf(value, ['b'])]).toEqual([5])
  for (const other of [null, [], 5, { a: 5 }, { a: {} }])
    expect([...elementsOf(other, ['a', 'b'])]).toEqual([])
})
