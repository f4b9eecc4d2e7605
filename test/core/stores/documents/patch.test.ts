import { expect, test } from 'bun:test'
import { applyPatch, compareScalars, equalities } from '../../../../core/stores/documents/patch'
import { pickJson } from '../../../../core/stores/documents/pick'
import { asc, eq, sample } from '../../../support/conformance/tools'

const now = new Date('2026-11-20T12:00:00.000Z')

test('a patch leaves the document it was given as it is', () => {
  const before = { author: { handle: 'a' }, tags: ['x'] }
  const after = applyPatch(before, { set: { 'author.handle': 'b' }, push: { tags: { values: ['y'] } } }, now)
  expect(before).toEqual({ author: { handle: 'a' }, tags: ['x'] })
  expect(after).toEqual({ author: { handle: 'b' }, tags: ['x', 'y'] })
})

test('unset and pull make no objects on their way and mind none that are in it', () => {
  expect(applyPatch({}, { unset: ['author.handle'], pull: { 'author.tags': ['x'] } }, now)).toEqual({})
  for (const author of [null, 'text', ['list']]) {
    expect(applyPatch({ author }, { unset: ['author.handle'] }, now)).toEqual({ author })
    expect(() => applyPatch({ author }, { set: { 'author.handle': 'x' } }, now)).toThrow('not an object')
  }
})

test('the lowest and highest go by the order of the stores', () => {
  expect(applyPatch({ a: null, b: null }, { min: { a: 1 }, max: { b: 1 } }, now)).toEqual({ a: null, b: 1 })
  expect(applyPatch({ a: '\u{1f389}' }, { max: { a: '\ufffd' } }, now)).toEqual({ a: '\u{1f389}' })
  expect(compareScalars(null, undefined)).toBe(0)
  expect(compareScalars(undefined, null)).toBe(0)
  expect([compareScalars(null, 0), compareScalars(undefined, 0)].every((order) => order < 0)).toBe(true)
  expect([compareScalars(0, null), compareScalars('', undefined)].every((order) => order > 0)).toBe(true)
  expect(compareScalars(false, true)).toBeLessThan(0)
  expect(compareScalars('b', 'a')).toBeGreaterThan(0)
  expect(compareScalars('a', 'a')).toBe(0)
})

test('a counter on text, null or an object is refused', () => {
  for (const a of ['1', null, {}])
    expect(() => applyPatch({ a }, { inc: { a: 1 } }, now)).toThrow('is not a number')
})

test('an upsert begins with what its filter asks for by equality', () => {
  const where = {
    op: 'and',
    of: [
      eq('id', 'x'),
      { op: 'gt', field: 'score', value: 1 },
      { op: 'or', of: [eq('kind', 'a')] },
      eq('author.handle', 'h'),
    ],
  } as const
  expect(equalities(where)).toEqual({ id: 'x', author: { handle: 'h' } })
  expect(applyPatch({}, { setNow: { at: -1000 } }, now)).toEqual({ at: '2026-11-20T11:59:59.000Z' })
})

test('a picked page says what follows it and where it ended', () => {
  const rows = [sample(1, { author: { handle: 'a' } }), sample(2), sample(3)]
  const page = pickJson(rows, 2, [asc('author.handle'), asc('id')], ['title'], ['id', 'title'])
  expect(page).toEqual({
    body: '[{"id":"smp_0001"},{"id":"smp_0002"}]',
    count: 2,
    more: true,
    last: { values: [null], id: 'smp_0002' },
  })
  expect(pickJson(rows, 3, [asc('author.handle')], [])).toMatchObject({ count: 3, more: false })
  expect(pickJson(rows.slice(0, 1), undefined, [asc('author.handle')], []).last).toEqual({
    values: ['a'],
    id: 'smp_0001',
  })
  expect(pickJson([], 3, [asc('id')], [])).toEqual({ body: '[]', count: 0, more: false, last: null })
})
