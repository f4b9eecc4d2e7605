import { expect, test } from 'bun:test'
import { briefAnswer, unknownPath, wantsAll } from '../../../core/mcp/brief-answer'
import { shortRoom } from '../../../core/mcp/short-answer'

const long = {
  total: 2,
  days: Array.from({ length: 300 }, (_, day) => ({ day, hits: day * 7, note: null })),
  groups: [
    { name: 'a', before: { rate: 0.5, definition: 'x' }, most: [1, 2, 3] },
    { name: 'b', before: null, most: [] },
  ],
}

test('an answer that is too long leaves out the fields of seldom, goes through lists, and says so', () => {
  const { value } = briefAnswer(long, 'ours', ['days', 'groups.before.definition', 'groups.most[2]'])
  expect(JSON.stringify(long).length).toBeGreaterThan(shortRoom.characters)
  expect(value).toEqual({
    total: 2,
    groups: [
      { name: 'a', before: { rate: 0.5 }, most: [1, 2] },
      { name: 'b', before: null, most: [] },
    ],
    hint: expect.stringContaining('full: true'),
  })
})

test('a field stays that an argument of the call asks for', () => {
  const { value } = briefAnswer(long, 'ours', ['days?step', 'groups?by'], { step: 'day', by: null })
  expect(Object.keys(value)).toEqual(['total', 'days', 'hint'])
})

test('a short answer stays whole', () => {
  const short = { ...long, days: [] }
  expect(briefAnswer(short, 'ours', ['days', 'total']).value).toEqual(short)
})

test('a path that an answer does not have is found', () => {
  const rate = { type: 'object', properties: { rate: { type: 'number' } } }
  const row = { type: 'object', properties: { before: { anyOf: [rate, { type: 'null' }] } } }
  const schema = { type: 'object', properties: { groups: { type: 'array', items: row } } }
  const known = ['groups?by', 'groups[3]', 'groups.before', 'groups.before.rate']
  expect(unknownPath(schema, known)).toBeUndefined()
  for (const path of ['days', 'groups.after', 'groups.before.ci95', 'groups.before[3]'])
    expect(unknownPath(schema, [...known, path])).toBe(path)
})

test.each([
  [{}, false],
  [{ full: null }, false],
  [{ full: false }, false],
  [{ full: true }, true],
])('%j', (args, whole) => {
  expect(wantsAll(args)).toBe(whole)
})

test('full is true or false', () => {
  for (const full of [1, 'yes', []]) expect(() => wantsAll({ full })).toThrow('`full`')
})
