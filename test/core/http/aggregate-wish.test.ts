import { describe, expect, test } from 'bun:test'
import type { AnyEntity } from '../../../core/contracts/entity'
import { isRefusal } from '../../../core/contracts/errors'
import { dateField, keyOf, measureOf, refused } from '../../../core/http/aggregate-wish'
import type { Field } from '../../../core/kit/fields'

const field = (name: string, kind: string, more: Partial<Field> = {}) =>
  ({ name, path: name, kind, opaque: false, ...more }) as Field
const fields = [
  field('status', 'string'),
  field('stars', 'integer'),
  field('cost', 'number'),
  field('is_read', 'boolean'),
  field('day', 'day'),
  field('posted_at', 'instant'),
  field('tags', 'array'),
  field('raw', 'string', { opaque: true }),
  field('raw_at', 'instant', { opaque: true }),
  field('raw_cost', 'number', { opaque: true }),
  field('author', 'object', {
    fields: [
      field('age', 'number', { path: 'author.age' }),
      field('handle', 'string', { path: 'author.handle' }),
      field('name', 'string', { path: 'author.name' }),
    ],
  }),
]
const groupable = [
  'workspace',
  'status',
  'stars',
  'cost',
  'is_read',
  'day',
  'posted_at:day',
  'author.handle',
  'author.name',
]

/** What a caller reads of the refusal that a call ends with. */
function faultOf(work: () => unknown) {
  try {
    return work()
  } catch (error) {
    if (!isRefusal(error)) throw error
    expect(error.code).toBe('invalid_field')
    const [fault] = error.details.errors ?? []
    expect(error.message).toBe(`The body of aggregateRecords is invalid: ${fault?.message}.`)
    return fault as unknown
  }
}

describe('a key to group by', () => {
  const key = (text: string) => keyOf(text, 2, fields) as unknown
  const fault = (text: string) => faultOf(() => key(text))

  test('is the workspace, a field, or the first text of an object', () => {
    expect(key('workspace')).toEqual({ field: 'workspace', isWorkspace: true })
    for (const name of ['status', 'stars', 'cost', 'is_read', 'day', 'author.name'])
      expect(key(name)).toStrictEqual({ field: name, isWorkspace: false })
    expect(key('author')).toStrictEqual({ field: 'author.handle', isWorkspace: false })
  })

  test('is a date by day, week or month', () => {
    for (const name of ['day', 'posted_at'])
      for (const unit of ['day', 'week', 'month'])
        expect(key(`${name}:${unit}`)).toStrictEqual({ field: name, isWorkspace: false, unit })
    expect(key('day:week:x')).toMatchObject({ unit: 'week' })
  })

  test('that is no field names those that are', () => {
    const cannot = 'cannot be grouped by'
    const of = { pointer: '/group_by/2', code: 'invalid', allowed: groupable }
    expect(fault('statsu')).toEqual({ ...of, message: `statsu ${cannot}`, did_you_mean: 'status' })
    for (const name of ['raw', 'raw_at:day', 'tags', 'author.age', ''])
      expect(fault(name)).toMatchObject({ ...of, message: `${name} ${cannot}` })
    const long = 'x'.repeat(61)
    expect(fault(long)).toEqual({ ...of, message: `${long.slice(1)} ${cannot}` })
  })

  test('that is cut in a way that it cannot be says how', () => {
    const of = { pointer: '/group_by/2', code: 'invalid' }
    const cuts = (name: string) => ['day', 'week', 'month'].map((unit) => `${name}:${unit}`)
    expect(fault('status:day')).toEqual({ ...of, message: 'status is no date', allowed: ['status'] })
    for (const text of ['day:year', 'posted_at:year', 'day:'])
      expect(fault(text)).toEqual({
        ...of,
        message: 'a date takes :day, :week or :month',
        allowed: cuts(text.split(':')[0] ?? ''),
      })
    expect(fault('posted_at')).toEqual({
      ...of,
      message: 'posted_at is an instant: group by its day, week or month',
      allowed: cuts('posted_at'),
    })
  })
})

describe('a measure', () => {
  const measure = (text: string) => faultOf(() => measureOf(text, 1, fields))

  test('is the number of rows, or a function of a number', () => {
    expect(measure('count')).toEqual({ text: 'count' })
    for (const fn of ['sum', 'avg', 'min', 'max', 'median', 'p90'])
      for (const name of ['stars', 'cost'])
        expect(measure(`${fn}:${name}`)).toEqual({ text: `${fn}:${name}`, fn, field: name })
  })

  test('that is none says which there are', () => {
    const functions = ['sum', 'avg', 'min', 'max', 'median', 'p90']
    const allowed = ['count', ...functions.map((fn) => `${fn}:<number field>`)]
    const long = 'x'.repeat(61)
    for (const text of ['total:stars', 'COUNT', ''])
      expect(measure(text)).toEqual({
        pointer: '/measures/1',
        code: 'invalid',
        message: `${text} is no measure`,
        allowed,
      })
    expect(measure(long)).toMatchObject({ message: `${long.slice(1)} is no measure` })
    for (const name of ['status', 'raw_cost', 'none', ''])
      expect(measure(`avg:${name}`)).toEqual({
        pointer: '/measures/1',
        code: 'invalid',
        message: `${name} is no number field`,
        allowed: ['avg:stars', 'avg:cost'],
      })
    expect(measure(`avg:${long}`)).toMatchObject({ message: `${long.slice(1)} is no number field` })
  })
})

test('the date of a period is one of the dates, or the usual one', () => {
  const entity = { periodField: 'posted_at' } as AnyEntity
  const date = (wanted?: string) => faultOf(() => dateField(wanted, entity, fields))
  expect([date(), date('day'), date('posted_at')]).toEqual(['posted_at', 'day', 'posted_at'])
  const fault = { pointer: '/date_field', code: 'invalid', allowed: ['day', 'posted_at'] }
  for (const name of ['status', 'raw_at', ''])
    expect(date(name)).toEqual({ ...fault, message: `${name} is no date` })
  const long = 'x'.repeat(61)
  expect(date(long)).toEqual({ ...fault, message: `${long.slice(1)} is no date` })
})

test('a refusal means something only where a name was given', () => {
  const faultWith = (given?: string) => refused('/a', 'is wrong', ['status'], given).details.errors?.[0]
  expect<unknown>(faultWith('statu')).toHaveProperty('did_you_mean', 'status')
  for (const given of [undefined, 'nothing like it'])
    expect(faultWith(given)).not.toHaveProperty('did_you_mean')
})
