import { expect, test } from 'bun:test'
import type { Field, FieldKind } from '../../../core/kit/fields'
import { fieldAt } from '../../../core/kit/fields'
import { operatorsOf, typedValue } from '../../../core/query/values'
import { Sample } from '../../support/sample-entity'

const field = (path: string) => fieldAt(Sample, path) as Field
const taken = (path: string, value: unknown) => {
  const typed = typedValue(field(path), value)
  return typed.ok ? typed.value : null
}

test('each kind takes its own values, and nothing that only looks like them', () => {
  for (const [path, value] of [
    ['kind', 'x'],
    ['kind', ''],
    ['stage', 'won'],
    ['is_open', false],
    ['rank', 9007199254740991],
    ['rank', 1.5],
    ['score', -0.5],
    ['due', '2026-02-28'],
    ['seen_at', '2026-11-20T00:00:00.000Z'],
  ] as const)
    expect([path, taken(path, value)]).toEqual([path, value])
  for (const [path, value] of [
    ['kind', 1],
    ['kind', 'a\0'],
    ['stage', 'nwe'],
    ['is_open', 0],
    ['is_open', 'true'],
    ['rank', '1'],
    ['rank', 9007199254740992],
    ['score', Number.POSITIVE_INFINITY],
    ['score', Number.NaN],
    ['due', '2026-02-29'],
    ['due', 20260228],
    ['seen_at', '2026-11-20'],
    ['seen_at', 1],
    ['author', {}],
    ['author', 'x'],
  ] as const)
    expect([path, value, taken(path, value)]).toEqual([path, value, null])
  expect(Object.is(taken('score', -0), 0)).toBe(true)
  expect(taken('seen_at', '2026-11-20T01:00:00+01:00')).toBe('2026-11-20T00:00:00.000Z')
  expect(typedValue(field('stage'), 'nwe')).toMatchObject({
    ok: false,
    allowed: ['new', 'contacted', 'won', 'lost'],
  })
  expect(typedValue(field('rank'), 'x')).toEqual({ ok: false, message: 'expected a number' })
})

test('each kind has its operators', () => {
  const by = (path: string) => operatorsOf(field(path)).join(' ')
  const scalar = '$eq $ne $in $nin $gt $gte $lt $lte'
  expect(by('kind')).toBe(`${scalar} $exists $not`)
  expect(by('title')).toBe(`${scalar} $contains $startsWith $exists $not`)
  for (const path of ['rank', 'score', 'due', 'seen_at']) expect(by(path)).toBe(`${scalar} $exists $not`)
  expect(by('is_open')).toBe('$eq $ne $in $nin $exists $not')
  expect(by('author')).toBe('$exists $not')
  expect(by('tags')).toBe(`${scalar} $contains $startsWith $exists $not $all $size`)
  expect(by('numbers')).toBe(`${scalar} $exists $not $all $size`)
  expect(by('people')).toBe('$exists $not $size')
  const bare = (kind: FieldKind, searchable = false) =>
    operatorsOf({ ...field('rank'), kind, searchable }).join(' ')
  expect(bare('array')).toBe('$size $exists $not')
  expect(bare('number', true)).toBe(`${scalar} $exists $not`)
  const listOf = (kind: FieldKind) =>
    operatorsOf({ ...field('rank'), kind: 'array', element: { ...field('rank'), kind } })
  expect(['number', 'array', 'object'].filter((kind) => listOf(kind as FieldKind).includes('$all'))).toEqual([
    'number',
  ])
})
