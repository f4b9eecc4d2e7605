import { describe, expect, test } from 'bun:test'
import { isShown, lookOf } from '../../../../../core/web/pages/home/home-visits'

const at = (time: string) => `2026-03-15T${time}:00.000Z`
const now = new Date(at('12:00'))
const known = (more: object) => ({
  id: 'hmv_1',
  workspace_id: 'wsp_1',
  user_id: 'usr_1',
  expire_at: at('12:00'),
  created_date: at('00:00'),
  updated_date: at('00:00'),
  seen_at: at('00:00'),
  ...more,
})

describe('what is new to a person', () => {
  test('is what a week brought, the first time', () => {
    expect(lookOf(null, now)).toEqual({ since: '2026-03-08T12:00:00.000Z', isFirst: true })
  })

  test('is what came since the last visit', () => {
    expect(lookOf(known({ seen_at: at('09:00'), since: at('01:00') }), now)).toEqual({
      since: at('09:00'),
      isFirst: false,
    })
  })

  test('stays new for the whole visit', () => {
    const within = { created_date: at('11:45'), seen_at: at('11:50') }
    expect(lookOf(known({ ...within, since: at('01:00') }), now).since).toBe(at('01:00'))
    expect(lookOf(known(within), now)).toEqual({ since: '2026-03-08T11:45:00.000Z', isFirst: true })
  })

  test.each([
    ['11:31', at('01:00')],
    ['11:30', at('11:30')],
  ])('a visit ends half an hour after %s', (seen, since) => {
    expect(lookOf(known({ seen_at: at(seen), since: at('01:00') }), now).since).toBe(since)
  })
})

describe('a page counts as shown', () => {
  const shown = (headers: Record<string, string>, method = 'GET') =>
    isShown({ method, headers: new Headers(headers) })

  test('when a person opens it', () => {
    expect(shown({})).toBe(true)
    expect(shown({ 'sec-fetch-dest': 'document' })).toBe(true)
  })

  test.each([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'x-purpose': 'preview' },
    { 'sec-fetch-dest': 'empty' },
  ])('and not when it is fetched in advance or by a script: %p', (headers) => {
    expect(shown(headers as never)).toBe(false)
  })

  test.each(['HEAD', 'POST'])('and not by a %s', (method) => {
    expect(shown({}, method)).toBe(false)
  })
})
