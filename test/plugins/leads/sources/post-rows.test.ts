import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import {
  cursorIn,
  instantForm,
  postOf,
  readRows,
  secondsForm,
  textForm,
} from '../../../../plugins/leads/sources/post-rows'

const schema = v.object({ id: v.string(), at: v.object({ s: v.number() }), text: textForm })
const row = (id: string, more: object = {}) => ({ id, at: { s: 1 }, ...more })
const read = (...rows: unknown[]) => readRows('The list of posts', rows, schema, 'id')

describe('the rows of an answer', () => {
  test('are read each for itself, and one that cannot be read names its field and its id', () => {
    expect<unknown>(
      read(row('a'), row('b', { at: { s: 'x' } }), row('c', { text: null }), row('d', { text: 'T' }), 5),
    ).toEqual({
      rows: [row('a', { text: '' }), row('c', { text: '' }), row('d', { text: 'T' })],
      unread: [{ source_id: 'b', reason: 'at.s' }, { reason: 'the row' }],
    })
  })

  test('of which none can be read make an unreadable answer, and no rows at all are none', () => {
    expect(() => read(row('a', { at: null }), {})).toThrow(
      'The list of posts could not be read: at has an unknown form',
    )
    expect(read()).toEqual({ rows: [], unread: [] })
  })

  test('have ids of at most 500 characters', () => {
    const unreadId = (id: unknown) => read(row('ok'), { id }).unread[0]?.source_id
    expect([unreadId('x'.repeat(500))?.length, unreadId('x'.repeat(501)), unreadId(7)]).toEqual([
      500,
      undefined,
      undefined,
    ])
  })
})

describe('an instant of a row', () => {
  const instant = (text: unknown) => v.safeParse(instantForm, text).output
  const seconds = (value: unknown) => {
    const { success, output } = v.safeParse(secondsForm, value)
    return success ? output : null
  }

  test('is ISO 8601 or of a mail, of at most 64 characters', () => {
    expect(instant('2026-11-28T12:00:00+01:00')).toBe('2026-11-28T11:00:00.000Z')
    expect(instant('Sat, 28 Nov 2026 11:00:00 GMT')).toBe('2026-11-28T11:00:00.000Z')
    const isRead = (text: unknown) => v.is(instantForm, text)
    expect([isRead('never'), isRead(''), isRead(5), isRead(`2026-11-28${' '.repeat(54)}`)]).toEqual([
      false,
      false,
      false,
      true,
    ])
    expect(isRead(`2026-11-28${' '.repeat(55)}`)).toBe(false)
  })

  test('in seconds is one of the years 1970 to 9999', () => {
    expect([seconds(0), seconds(1_764_331_200)]).toEqual([
      '1970-01-01T00:00:00.000Z',
      '2025-11-28T12:00:00.000Z',
    ])
    expect([seconds(253_402_300_799), seconds(253_402_300_800), seconds(-1), seconds('1')]).toEqual([
      '9999-12-31T23:59:59.000Z',
      null,
      null,
      null,
    ])
  })
})

test('a cursor is read in the form of its source, and is none in any other', () => {
  const form = v.object({ before: v.number() })
  expect(cursorIn(form, '{"before":5,"more":1}')).toEqual({ before: 5 })
  for (const text of [null, '', '{', '{"before":"5"}', '[]', 'null']) expect(cursorIn(form, text)).toBeNull()
})

test('a post has no empty fields but its body, and an author only with a handle', () => {
  const post = { channel: 'news', source_id: '1', url: 'https://a.example/1' } as const
  const given = { ...post, title: '', language: null, parent_url: undefined, posted_at: null }
  expect(postOf({ ...given, body: '', author: { handle: '', name: 'Ann' } })).toEqual({
    ...post,
    body: '',
  })
  expect(
    postOf({ ...post, title: 'T', body: 'B', author: { handle: 'ann', name: null, url: '', followers: 0 } }),
  ).toEqual({ ...post, title: 'T', body: 'B', author: { handle: 'ann', followers: 0 } })
  expect(postOf({ ...post, body: 'B', author: null })).toEqual({ ...post, body: 'B' })
})
