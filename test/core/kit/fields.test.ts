import { describe, expect, test } from 'bun:test'
import { day, defineEntity, instant, isDay, normaliseInstant, text } from 'renown'
import * as v from 'valibot'
import { fieldAt, fieldsOf, hiddenFields, rowSchema, shapeOf, visibleFields } from '../../../core/kit/fields'

const Thing = defineEntity({
  name: 'Thing',
  summary: 'A thing',
  idPrefix: 'thg',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  fields: {
    location_id: v.string(),
    stage: v.pipe(v.picklist(['new', 'won']), v.description('Its state')),
    score: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
    rating: v.nullable(v.pipe(v.number(), v.integer())),
    stars: v.optional(v.picklist([1, 2, 3])),
    is_open: v.boolean(),
    seen_at: v.optional(v.nullable(instant())),
    due: v.pipe(day(), v.description('The day')),
    tags: v.array(text(20)),
    author: v.object({ handle: v.string(), name: v.optional(v.string()), at: instant() }),
    raw: v.record(v.string(), v.unknown()),
    secret: v.optional(v.string()),
    people: v.array(v.object({ name: v.string() })),
  },
  hidden: ['secret'],
  opaque: ['raw'],
  searchable: ['location_id'],
  sortable: ['created_date', 'score'],
})

const field = (path: string) => {
  const found = fieldAt(Thing, path)
  if (!found) throw new Error(`no ${path}`)
  return found
}

describe('fields of an entity', () => {
  test('are the base ones and the declared ones, workspace_id hidden unless declared', () => {
    const names = fieldsOf(Thing).map(({ name }) => name)
    expect(names.slice(0, 3)).toEqual(['id', 'workspace_id', 'location_id'])
    expect(names.slice(-2)).toEqual(['created_date', 'updated_date'])
    expect(hiddenFields(Thing)).toEqual(['workspace_id', 'secret'])
    expect(visibleFields(Thing).map(({ name }) => name)).not.toContain('workspace_id')
    const open = { ...Thing, fields: { ...Thing.fields, workspace_id: v.string() } }
    expect(hiddenFields(open)).toEqual(['secret'])
  })

  test('know their kinds through optional, nullable and pipes', () => {
    const kinds = Object.fromEntries(fieldsOf(Thing).map(({ name, kind }) => [name, kind]))
    expect(kinds).toEqual({
      id: 'string',
      workspace_id: 'string',
      location_id: 'string',
      stage: 'string',
      score: 'number',
      rating: 'integer',
      stars: 'number',
      is_open: 'boolean',
      seen_at: 'instant',
      due: 'day',
      tags: 'array',
      author: 'object',
      raw: 'object',
      secret: 'string',
      people: 'array',
      created_date: 'instant',
      updated_date: 'instant',
    })
    expect(field('tags').element?.kind).toBe('string')
    expect(field('people').element?.kind).toBe('object')
    expect(field('stage')).toMatchObject({ values: ['new', 'won'], description: 'Its state' })
    expect(field('due')).toMatchObject({ kind: 'day', description: 'The day' })
    expect(field('seen_at')).toMatchObject({ nullable: true, optional: true })
    expect(field('rating')).toMatchObject({ nullable: true, optional: false })
  })

  test('read unions, literals and nested wrappers', () => {
    const shape = (schema: v.GenericSchema) => {
      const { kind, values, nullable, optional, description } = shapeOf(schema)
      return { kind, values, nullable, optional, description }
    }
    const plain = { values: undefined, nullable: false, optional: false, description: undefined }
    expect(shape(v.union([v.literal('a'), v.picklist(['b', 'c'])]))).toEqual({
      ...plain,
      kind: 'string',
      values: ['a', 'b', 'c'],
    })
    expect(shape(v.union([v.literal('a'), v.string()]))).toEqual({ ...plain, kind: 'string' })
    expect(shape(v.union([v.string(), v.number()]))).toEqual({ ...plain, kind: 'object' })
    expect(shape(v.union([v.object({ a: v.string() }), v.object({})]))).toEqual({ ...plain, kind: 'object' })
    expect(shape(v.union([v.array(v.string()), v.array(v.number())]))).toEqual({ ...plain, kind: 'array' })
    expect(shape(v.literal(true))).toEqual({ ...plain, kind: 'boolean', values: [true] })
    expect(shape(v.picklist(['a', 1]))).toEqual({ ...plain, kind: 'object' })
    expect(shape(v.literal(1n))).toEqual({ ...plain, kind: 'object' })
    expect(shape(v.unknown())).toEqual({ ...plain, kind: 'object' })
    const inner = v.pipe(
      v.optional(v.nullable(v.pipe(v.string(), v.description('in')))),
      v.description('out'),
    )
    expect(shape(inner)).toEqual({
      ...plain,
      kind: 'string',
      nullable: true,
      optional: true,
      description: 'out',
    })
    expect(shape(v.nullish(v.pipe(v.string(), v.description('in')))).description).toBe('in')
    expect(shape(v.nullish(v.string()))).toEqual({ ...plain, kind: 'string', nullable: true, optional: true })
    expect(shape(v.optional(v.string()))).toEqual({ ...plain, kind: 'string', optional: true })
  })

  test('of an object take its visibility', () => {
    const closed = { ...Thing, hidden: ['author'] as const, opaque: [] as const }
    expect(fieldAt(closed, 'author.handle')).toMatchObject({ hidden: true, opaque: false })
    expect(field('author.handle')).toMatchObject({ hidden: false, opaque: false })
    const passed = { ...Thing, hidden: [] as const, opaque: ['author'] as const }
    expect(fieldAt(passed, 'author.handle')).toMatchObject({ hidden: false, opaque: true })
  })

  test('reach declared entries of objects by dots and nothing else', () => {
    expect(field('author.at')).toMatchObject({ kind: 'instant', path: 'author.at' })
    for (const path of [
      'author.nope',
      'raw.x',
      'tags.0',
      'people.name',
      '__proto__',
      'constructor',
      '',
      '.',
    ]) {
      expect(fieldAt(Thing, path)).toBeUndefined()
    }
  })
})

describe('a row', () => {
  const row = {
    id: 'thg_1',
    workspace_id: 'wks_1',
    location_id: 'loc_1',
    stage: 'new',
    score: 5,
    rating: null,
    is_open: true,
    due: '2026-02-28',
    tags: ['a'],
    author: { handle: 'x', at: '2026-11-20T18:00:00+02:00' },
    raw: {},
    people: [],
    created_date: '2026-11-20T18:00:00.000Z',
    updated_date: '2026-11-20T18:00:00Z',
  }
  const refused = (changes: Record<string, unknown>) =>
    !v.safeParse(rowSchema(Thing), { ...row, ...changes }).success

  test('is taken with its instants normalised', () => {
    const parsed = v.parse(rowSchema(Thing), row)
    expect(parsed.updated_date).toBe('2026-11-20T18:00:00.000Z')
    expect(parsed.author).toEqual({ handle: 'x', at: '2026-11-20T16:00:00.000Z' })
  })

  test('is refused with unknown keys and with values that a store cannot hold', () => {
    expect(refused({})).toBe(false)
    expect(refused({ nope: 1 })).toBe(true)
    expect(refused({ location_id: 'a\0b' })).toBe(true)
    expect(refused({ raw: { deep: ['\ud800'] } })).toBe(true)
    expect(refused({ raw: { '\udc00': 1 } })).toBe(true)
    expect(refused({ raw: { n: 2 ** 60 } })).toBe(true)
    expect(refused({ raw: { n: Number.POSITIVE_INFINITY } })).toBe(true)
    expect(refused({ score: Number.NaN })).toBe(true)
    expect(refused({ due: '2026-02-30' })).toBe(true)
    expect(refused({ tags: ['x'.repeat(21)] })).toBe(true)
  })
})

test('days are calendar days and nothing longer or shorter', () => {
  expect(isDay('2024-02-29')).toBe(true)
  for (const wrong of [
    '2026-02-29',
    '2026-1-01',
    '20260101',
    '2026-01-01T00:00:00Z',
    '',
    'today',
    '2026-13-01',
  ]) {
    expect([wrong, isDay(wrong)]).toEqual([wrong, false])
  }
})

test('instants take any RFC 3339 offset and refuse what is no moment', () => {
  expect(normaliseInstant('2026-11-20t01:02:03.45678-05:30')).toBe('2026-11-20T06:32:03.456Z')
  expect(normaliseInstant('2024-02-29T23:59:59+23:59')).toBe('2024-02-29T00:00:59.000Z')
  for (const wrong of [
    '2026-11-20',
    '2026-11-20T01:02:03',
    '2026-02-29T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T23:59:60Z',
    '2026-11-20T23:59:59+24:00',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2026-11-20T01:02:03Z ',
  ]) {
    expect(normaliseInstant(wrong)).toBeNull()
  }
})
