import { describe, expect, test } from 'bun:test'
import { lookerOf, nextLook } from '../../../../plugins/leads/finding/looks'
import { publicPolicy } from '../../../../plugins/leads/sources/policy'
import type { MentionSource } from '../../../../plugins/leads/sources/source'
import { part } from '../../../support/part'

const now = '2026-11-28T12:00:00.000Z'
const days = (count: number, ms = 0) => new Date(Date.parse(now) + count * 86_400_000 + ms).toISOString()
type Source = { name: string; looks?: boolean; needs?: string[]; ids?: string }

/** A context with these sources. `ids` is the host whose posts a source knows by their path. */
const context = (...sources: Source[]) => {
  const all = sources.map(({ name, looks = true, needs = [], ids }) =>
    part<MentionSource>({
      name,
      needs: () => needs,
      postId: ({ hostname, pathname }: URL) => (hostname === ids ? pathname.slice(1) : null),
      ...(looks ? { recheck: (async () => []) as unknown as NonNullable<MentionSource['recheck']> } : {}),
    }),
  )
  return part<Parameters<typeof nextLook>[0]>({ now: () => new Date(now), extensions: (() => all) as never })
}
const post = { found_by: 'feeds', source_id: 'own', url: 'https://a.example/77' }

describe('who looks at a post again', () => {
  const looker = (...sources: Source[]) => {
    const found = lookerOf(context(...sources), post)
    return found && [found.source.name, found.id]
  }

  test('is the source that found it, before that of the platform', () => {
    expect(looker({ name: 'a', ids: 'a.example' }, { name: 'feeds' })).toEqual(['feeds', 'own'])
    expect(looker({ name: 'feeds', looks: false }, { name: 'a', ids: 'a.example' })).toEqual(['a', '77'])
    expect(looker({ name: 'a', ids: 'a.example' }, { name: 'b', ids: 'a.example' })).toEqual(['a', '77'])
  })

  test('is nobody where the platform has no source that can look and is set up', () => {
    expect(looker({ name: 'a', ids: 'a.example', looks: false })).toBeNull()
    expect(looker({ name: 'a', ids: 'a.example', needs: ['A_KEY'] })).toBeNull()
    expect(looker({ name: 'a', ids: 'other.example' })).toBeNull()
    expect(lookerOf(context({ name: 'a', ids: 'a.example' }), { ...post, url: 'no address' })).toBeNull()
    expect(looker()).toBeNull()
  })
})

describe('when a post is looked at again', () => {
  const look = (recheck_days: number | null, discovered_at: string, sources: Source[], source = 'news') =>
    nextLook(
      context(...sources),
      { policy: { ...publicPolicy, terms_url: 'https://terms.example', recheck_days } },
      { ...post, source: source as 'news', discovered_at },
    )
  const feeds = [{ name: 'feeds' }]

  test('each day for seven days, where somebody can look', () => {
    expect(look(null, days(-7, 1), feeds)).toEqual({ recheck_at: days(1) })
    expect(look(null, days(-7), feeds)).toEqual({})
    expect(look(null, now, [])).toEqual({})
  })

  test('a day before its terms demand it, and its text goes when no look finds it until then', () => {
    expect(look(30, days(-8), feeds)).toEqual({ recheck_at: days(29), keep_until: days(30) })
    expect(look(30, days(-1), feeds)).toEqual({ recheck_at: days(1), keep_until: days(30) })
    expect(look(1, days(-8), feeds)).toEqual({ recheck_at: days(0), keep_until: days(1) })
  })

  test('by the terms of its platform too, which keep a text for thirty days where nobody can look', () => {
    expect(look(null, days(-8), feeds, 'reddit')).toEqual({ recheck_at: days(0), keep_until: days(1) })
    expect(look(null, days(-8), [], 'reddit')).toEqual({ recheck_at: days(29), keep_until: days(30) })
    expect(look(2, days(-8), [], 'reddit')).toEqual({ recheck_at: days(0), keep_until: days(1) })
    expect(look(9, days(-8), feeds, 'youtube')).toEqual({ recheck_at: days(8), keep_until: days(9) })
  })
})
