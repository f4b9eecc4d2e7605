import { expect, test } from 'bun:test'
import { fieldPathMax } from 'renown/contracts'
import { fieldsOf } from '../../../ingest/sample/fields'

const fieldsIn = (...records: readonly Record<string, unknown>[]) => Object.fromEntries(fieldsOf(records))
const pathsIn = (record: Record<string, unknown>) => [...fieldsOf([record]).keys()]

test('a field is a text or a number, wherever it is, with its values as texts in the order of the records', () => {
  expect(fieldsIn({ a: 'x', b: { c: 1 } }, { b: { c: 'y' } }, { a: '', b: { c: 3 } })).toEqual({
    a: ['x', ''],
    'b.c': ['1', 'y', '3'],
  })
  expect(fieldsIn({ n: null, t: true, u: undefined, l: [], o: {}, a: 0 })).toEqual({ a: ['0'] })
  expect(pathsIn({ 'a.b': 1, '': 2, 'c\\d': 3 })).toEqual(['a\\.b', 'c\\\\d'])
})

test('of a list, the first text or number is its value, and each other element has its place', () => {
  expect(fieldsIn({ l: ['x', 'y'], n: [7, 8] })).toEqual({ l: ['x'], n: ['7'] })
  expect(fieldsIn({ l: [{ a: 'x' }, { a: 'y' }, 'z'] })).toEqual({
    'l.0.a': ['x'],
    'l.1.a': ['y'],
    'l.2': ['z'],
  })
  expect(fieldsIn({ l: [['x'], [null, 'y']] })).toEqual({ 'l.0': ['x'], 'l.1.1': ['y'] })
})

test('an element with a name and a value is a field of this name', () => {
  const list = [
    { name: 'Host', value: 'a.test' },
    { key: 'b', value: 2 },
    { name: 'c', value: { d: 'x' } },
    { name: 'without', values: 'y' },
    { name: 3, value: 'z' },
  ]
  expect(fieldsIn({ list })).toEqual({
    'list.Host': ['a.test'],
    'list.b': ['2'],
    'list.c.d': ['x'],
    'list.3.name': ['without'],
    'list.3.values': ['y'],
    'list.4.name': ['3'],
    'list.4.value': ['z'],
  })
})

test('the first 50 elements of a list count', () => {
  const list = Array.from({ length: 52 }, (_, at) => ({ a: at }))
  expect(pathsIn({ list })).toEqual(Array.from({ length: 50 }, (_, at) => `list.${at}.a`))
})

test('a path has the length and the parts that a mapping may have, and no more', () => {
  const { characters, parts } = fieldPathMax
  const longest = 'a'.repeat(characters)
  expect(pathsIn({ [longest]: 1, [`${longest}a`]: 2 })).toEqual([longest])
  const nested = (deep: number): Record<string, unknown> =>
    deep === 1 ? { x: 1 } : { a: nested(deep - 1), [`n${deep}`]: 'x' }
  const deepest = pathsIn(nested(parts + 2)).map((path) => path.split('.').length)
  expect(Math.max(...deepest)).toBe(parts)
  expect(pathsIn(nested(parts))).toContain('a.a.a.a.a.a.a.x')
})

test('there are at most 200 fields, and those go on to take values', () => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${at}`, 'x']))
  const fields = fieldsOf([many, { f200: 'y', f199: 'y', more: 'y' }])
  expect([fields.size, fields.get('f199'), fields.get('f200')]).toEqual([200, ['x', 'y'], undefined])
})
