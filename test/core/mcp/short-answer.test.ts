import { describe, expect, test } from 'bun:test'
import { fieldsLeftOut, rowsLeft, withoutFields } from '../../../core/mcp/short-answer'

const long = 'x'.repeat(300)

describe('a list that is short', () => {
  test('leaves out nothing while it fits, and else the fields that are long and in parts, by name, and the seldom ones', () => {
    const row = { id: '1', text: long, zoo: { a: long }, list: [long], small: { a: 1 }, none: null }
    expect(fieldsLeftOut([row], ['id'])).toEqual({ nested: [], seldom: [] })
    const many = Array.from({ length: 400 }, () => row)
    expect(fieldsLeftOut([...many, { other: { b: long } }], ['id'])).toEqual({
      nested: ['list', 'other', 'zoo'],
      seldom: ['id'],
    })
    expect(fieldsLeftOut(many)).toEqual({ nested: ['list', 'zoo'], seldom: [] })
    expect(fieldsLeftOut([])).toEqual({ nested: [], seldom: [] })
  })

  test('counts a part as long from 201 characters of JSON', () => {
    const rows = (length: number) =>
      Array.from({ length: 400 }, () => ({ text: long, part: ['x'.repeat(length - 4)] }))
    expect([200, 201].map((length) => fieldsLeftOut(rows(length)).nested)).toEqual([[], ['part']])
  })
})

describe('rows without some fields', () => {
  const row = { id: '1', none: null, mention: { status: 'new', text: null, deep: { a: null } }, list: [null] }

  test('lose them, also those of a field, and then their nulls', () => {
    expect(withoutFields([row], ['id', 'mention.status'])).toEqual([
      { mention: { deep: { a: null } }, list: [null] },
    ])
    expect(withoutFields([row], ['status', 'deep.a'])).toEqual([
      { id: '1', mention: { status: 'new', deep: { a: null } }, list: [null] },
    ])
    expect(withoutFields([row], ['mention'])).toEqual([{ id: '1', list: [null] }])
  })

  test('stay whole where none is named', () => {
    const rows = [row]
    expect(withoutFields(rows, [])).toBe(rows)
  })
})

test('a list that was cut says how many rows it has, and one inside a row does not', () => {
  const left = (truncated?: unknown) => rowsLeft({ value: { truncated }, json: '' })
  expect(left()).toBeNull()
  expect(left('x')).toBeNull()
  expect(left([])).toBeNull()
  expect(left([{ field: 'rows.list', shown: 3 }])).toBeNull()
  expect(
    left([
      { field: 'rows.list', shown: 3 },
      { field: 'rows', shown: 0 },
      { field: 'more', shown: 5 },
    ]),
  ).toBe(0)
})
