import { expect, test } from 'bun:test'
import { newLandingPages, type ReferralDay } from '../../../../plugins/traffic/sums/referral-pages'

const day = (
  by_referrer: Record<string, number>,
  paths: Record<string, number>,
  all?: number,
): ReferralDay => ({
  site_id: 'sit_1',
  referral_visits: all ?? Object.values(by_referrer).reduce((sum, visits) => sum + visits, 0),
  by_referrer,
  referral_paths: Object.entries(paths).map(([path, visits]) => ({ path, visits })),
})

function sums(days: readonly ReferralDay[], assistant?: string) {
  const pages = newLandingPages(assistant === undefined ? undefined : [assistant])
  pages.add(days)
  return pages.sorted().map(({ path, visits, hidden, fromAtLeast }) => ({
    path,
    least: visits,
    most: visits + hidden,
    from: Object.fromEntries(fromAtLeast),
  }))
}

test('a page has what the days list, and an assistant what the others cannot account for', () => {
  const days = [
    day({ 'chatgpt.com': 5, 'claude.ai': 2 }, { '/': 4, '/a': 3 }),
    day({ 'claude.ai': 3 }, { '/': 3 }),
  ]
  expect(sums(days)).toEqual([
    { path: '/', least: 7, most: 7, from: { 'chatgpt.com': 2, 'claude.ai': 3 } },
    { path: '/a', least: 3, most: 3, from: { 'chatgpt.com': 1 } },
  ])
  expect(sums(days, 'claude.ai').map(({ path, least, most }) => [path, least, most])).toEqual([
    ['/', 3, 5],
    ['/a', 0, 2],
  ])
  expect(sums(days, 'perplexity.ai')).toEqual([])
})

test('a full list may hide visits to other pages, as many as its last entry', () => {
  const full = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`/p${n}`, 30 - n]))
  const days = [day({ 'chatgpt.com': 500 }, full), day({ 'chatgpt.com': 1 }, { '/other': 1 })]
  const found = new Map(sums(days).map(({ path, least, most }) => [path, [least, most]]))
  expect(found.get('/p0')).toEqual([30, 30])
  expect(found.get('/other')).toEqual([1, 7])
})

test('limits hold for whatever visits there were', () => {
  const random = (() => {
    let state = 7
    return (most: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % most
    }
  })()
  const hosts = ['chatgpt.com', 'claude.ai', 'perplexity.ai']
  for (let round = 0; round < 200; round++) {
    const visits = Array.from(
      { length: random(40) },
      () => [hosts[random(3)] ?? '', `/${random(30)}`] as const,
    )
    const count = (of: readonly string[]) => {
      const counts = new Map<string, number>()
      for (const name of of) counts.set(name, (counts.get(name) ?? 0) + 1)
      return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    }
    const paths = count(visits.map(([, path]) => path)).slice(0, 25)
    const one = day(
      Object.fromEntries(count(visits.map(([host]) => host))),
      Object.fromEntries(paths),
      visits.length,
    )
    for (const assistant of [undefined, ...hosts])
      for (const { path, least, most } of sums([one], assistant)) {
        const really = visits.filter(([host, at]) => at === path && (assistant ?? host) === host).length
        expect([path, least <= really && really <= most]).toEqual([path, true])
      }
  }
})
