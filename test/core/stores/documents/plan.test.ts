import { describe, expect, test } from 'bun:test'
import type { SortKey, Where } from 'renown'
import { totalSort, withId } from '../../../../core/stores/documents/indexes'
import { afterWhere } from '../../../../core/stores/documents/keyset'
import { planOf } from '../../../../core/stores/documents/plan'
import { asc, desc, eq } from '../../../support/conformance/tools'
import { Sample } from '../../../support/sample-entity'

const and = (...of: Where[]): Where => ({ op: 'and', of })
const inside = (...of: Where[]) => and(eq('workspace_id', 'wks_1'), ...of)
const plan = (where: Where, ...sort: SortKey[]) =>
  planOf(Sample, where, sort.length > 0 ? withId(sort) : totalSort(Sample))
const covered = (where: Where, ...sort: SortKey[]) => plan(where, ...sort).covered
const narrowed = (where: Where, ...sort: SortKey[]) => {
  const { covered, narrowed } = plan(where, ...sort)
  expect(covered).toBe(false)
  return narrowed
}
const range = (op: 'gt' | 'lte', field: string, value: number | string): Where => ({ op, field, value })
const among = (field: string, ...values: string[]): Where => ({ op: 'in', field, values })

describe('a find is covered', () => {
  test('where equalities, one range and the order follow an index', () => {
    expect(covered(inside())).toBe(true)
    expect(covered(inside(eq('stage', 'new')))).toBe(true)
    expect(covered(inside(and(eq('stage', 'new')), eq('location_id', 'l')))).toBe(true)
    expect(covered(inside(among('stage', 'new')))).toBe(true)
    expect(covered(inside(eq('stage', 'new'), range('gt', 'created_date', '2026')))).toBe(true)
    expect(covered(inside(), asc('created_date'))).toBe(true)
    expect(covered(inside(range('gt', 'score', 1), range('lte', 'score', 5)), desc('score'))).toBe(true)
    expect(covered(inside(eq('score', 1)), desc('score'))).toBe(true)
    expect(covered(inside(eq('stage', 'new')), asc('stage'), desc('created_date'))).toBe(true)
  })

  test('whatever is left out by default, and by id always', () => {
    expect(covered(inside({ op: 'ne', field: 'is_archived', value: true }, eq('removed_at', null)))).toBe(
      true,
    )
    expect(covered(and(eq('id', 'x'), eq('title', 'y')), asc('title'))).toBe(true)
    expect(covered(among('id', 'x', 'y'))).toBe(true)
  })

  test('by a unique index whose fields are all given, in any order, and a partial one only with its condition', () => {
    expect(covered(inside(eq('unique_key', 'x')), asc('title'))).toBe(true)
    expect(covered(eq('unique_key', 'x'), asc('title'))).toBe(false)
    const pair = [eq('kind', 'a'), eq('rank', 1)]
    expect(covered(inside(...pair, eq('is_open', true)), asc('title'))).toBe(true)
    expect(covered(inside(...pair), asc('title'))).toBe(false)
    expect(covered(inside(...pair, eq('is_open', false)), asc('title'))).toBe(false)
    expect(covered(inside(...pair, { op: 'ne', field: 'is_open', value: true }), asc('title'))).toBe(false)
    expect(covered(inside(eq('kind', 'a'), eq('is_open', true)), asc('title'))).toBe(false)
    expect(narrowed(inside(eq('kind', 'a'), eq('is_open', true)), asc('title'))).toEqual(
      and(eq('is_open', true), eq('workspace_id', 'wks_1'), eq('kind', 'a')),
    )
  })
})

describe('a find that is not covered', () => {
  test('examines what the best index narrows to', () => {
    expect(narrowed(inside(eq('title', 'x')))).toEqual(inside())
    expect(narrowed(inside(eq('title', 'x'), eq('stage', 'new')))).toEqual(inside(eq('stage', 'new')))
    expect(narrowed(inside(eq('stage', 'new'), eq('location_id', 'l')), asc('title'))).toEqual(
      inside(eq('location_id', 'l'), eq('stage', 'new')),
    )
    expect(narrowed(inside(among('stage', 'new', 'won')))).toEqual(inside(among('stage', 'new', 'won')))
    expect(narrowed(inside(range('gt', 'score', 1), eq('title', 'x')))).toEqual(
      inside(range('gt', 'score', 1)),
    )
    expect(narrowed(eq('title', 'x'))).toEqual(and())
    expect(narrowed(inside({ op: 'or', of: [eq('stage', 'new'), eq('stage', 'won')] }))).toEqual(inside())
    expect(narrowed(inside({ op: 'ne', field: 'stage', value: 'new' }))).toEqual(inside())
    expect(narrowed({ op: 'not', of: inside() })).toEqual(and())
  })

  test('is one whose order no index has', () => {
    expect(narrowed(inside(), asc('title'))).toEqual(inside())
    expect(covered(inside(), desc('score'), asc('created_date'))).toBe(false)
    expect(covered(inside(), { field: 'created_date', direction: 'desc' }, asc('id'))).toBe(false)
    expect(covered(inside(range('gt', 'score', 1)))).toBe(false)
    expect(covered(inside(eq('stage', 'new'), eq('stage', 'won')))).toBe(false)
  })
})

test('a sort ends in the id, in the direction of its last key, once', () => {
  expect(withId([desc('score')])).toEqual([desc('score'), desc('id')])
  expect(withId([desc('score'), asc('rank')])).toEqual([desc('score'), asc('rank'), asc('id')])
  expect(withId([asc('id'), desc('score')])).toEqual([asc('id')])
  expect(withId([desc('score'), asc('id'), asc('rank')])).toEqual([desc('score'), asc('id')])
  expect(withId([])).toEqual([asc('id')])
})

const eqNull = (field: string) => ({ op: 'eq', field, value: null }) as const

test('a cursor bounds the index where its first value is known', () => {
  const after = (value: number | null, sort: SortKey[]) =>
    afterWhere(withId(sort), { values: [value], id: 'x' })
  expect(after(5, [asc('score')])).toMatchObject({
    op: 'and',
    of: [{ op: 'gte', field: 'score', value: 5 }, { op: 'or' }],
  })
  expect(after(null, [asc('score')])).toMatchObject({ op: 'or' })
  const last: SortKey = { ...asc('score'), nulls: 'last' }
  const orNull = { op: 'or', of: [{ op: 'gte', field: 'score', value: 5 }, eqNull('score')] }
  expect(after(5, [last])).toMatchObject({ op: 'and', of: [orNull, { op: 'or' }] })
  expect(after(null, [last])).toMatchObject({
    of: [{ of: [{ op: 'or', of: [] }] }, { of: [eqNull('score'), { op: 'gt', field: 'id' }] }],
  })
  expect(after(null, [asc('id')])).toMatchObject({
    op: 'or',
    of: [{ of: [{ op: 'gt', field: 'id', value: 'x' }] }],
  })
})
