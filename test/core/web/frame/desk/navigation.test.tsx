/** @jsxImportSource ../../../../../core/web/kit/jsx */
import { describe, expect, test } from 'bun:test'
import type { Person } from '../../../../../core/auth/sessions'
import type { NavCount } from '../../../../../core/contracts/page'
import { englishLocale } from '../../../../../core/kit/page-locale'
import { Count } from '../../../../../core/web/frame/desk/entries'
import { type NavItem, phoneEntries } from '../../../../../core/web/frame/desk/entry'
import { bellPath, navigationOf, navPages } from '../../../../../core/web/frame/desk/navigation'
import { englishFrame } from '../../../../../core/web/framework/language'
import { defineRoute, type Route } from '../../../../../core/web/framework/route'
import { renderToString } from '../../../../../core/web/kit/jsx/render'
import { LanguageOf } from '../../../../../core/web/kit/parts/language'

const pageOf = (path: string, nav: string | undefined, navOrder: number, more: Partial<Route> = {}) =>
  defineRoute({
    path,
    navOrder,
    method: 'GET',
    auth: 'session',
    ...(nav === undefined ? {} : { nav }),
    handle: () => new Response(),
    ...more,
  } as Route)

const settings = { section: 'settings', only: 'owner' } as const
const pages = [
  pageOf('/app/sites', 'Sites', 20, { group: 'setup' }),
  pageOf('/app/traffic', 'AI traffic', 60, { onPhones: true, icon: 'bot' }),
  pageOf('/app/reviews', 'Reviews', 20, { onPhones: true }),
  pageOf('/app/leads', 'Leads', 30),
  pageOf('/app/mentions', 'Mentions', 40),
  pageOf('/app', 'Home', 0, { onPhones: true }),
  pageOf('/app/reviews/rules', undefined, 0),
  pageOf('/app/key', 'Key', 90, settings),
  pageOf('/app/members', 'People', 91, settings),
  pageOf('/app/account', 'Account', 100, { section: 'settings' }),
  pageOf(bellPath, 'Notifications', 200),
]
const at = (path: string, role = 'owner', counts = new Map<string, NavCount>()) =>
  navigationOf(navPages(pages, { role } as Person), { path, counts, locale: englishLocale })
const labels = (items: readonly NavItem[]) => items.map(({ label }) => label.text)

test.each([
  [0, ''],
  [1, '1'],
  [99, '99'],
  [100, '99+'],
  [{ atLeast: 0 }, '? (a part could not be read)'],
  [{ atLeast: 5 }, '5+ (a part could not be read)'],
  [{ atLeast: 300 }, '99+ (a part could not be read)'],
] as const)('a count of %j shows %p', (of, words) => {
  const html = renderToString(
    <LanguageOf value={englishFrame}>
      <Count of={of} />
    </LanguageOf>,
  )
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(words)
})

describe('the navigation', () => {
  test('has what people do daily before what they set up, in order', () => {
    const { daily, setup, bell } = at('/app')
    expect(labels(daily)).toEqual(['Home', 'Reviews', 'Leads', 'Mentions', 'AI traffic'])
    expect(labels(setup)).toEqual(['Sites', 'Settings'])
    expect(bell?.label).toEqual({ text: 'Notifications' })
  })

  test('marks the page, or the nearest page above it, and nothing beside it', () => {
    const current = (path: string) =>
      labels([...at(path).daily, ...at(path).setup].filter((item) => item.current))
    expect(current('/app')).toEqual(['Home'])
    expect(current('/app/reviews')).toEqual(['Reviews'])
    expect(current('/app/reviews/rules')).toEqual(['Reviews'])
    expect(current('/app/reviews-of-others')).toEqual([])
    expect(current('/app/members')).toEqual(['Settings'])
  })

  test('shows all settings while one of them is shown, to owners alone', () => {
    expect(labels(at('/app/key').within)).toEqual(['Key', 'People', 'Account'])
    expect(at('/app/reviews').within).toEqual([])
    const member = at('/app/account', 'member')
    expect(labels(member.setup)).toEqual(['Sites', 'Account'])
    expect(member.within).toEqual([])
  })

  test('marks an open step of the set-up only if the page has no entry of its own', () => {
    const steps = [
      { label: 'Add a site', href: '/app/sites' },
      { label: 'Write rules', href: '/app/rules' },
      { label: 'Write reply rules', href: '/app/reviews/rules' },
    ]
    const marked = (path: string) => {
      const all = navigationOf(navPages(pages, { role: 'owner' } as Person), {
        path,
        counts: new Map(),
        steps,
        locale: englishLocale,
      })
      return labels([...all.daily, ...all.steps, ...all.setup].filter(({ current }) => current))
    }
    expect(labels(at('/app').steps)).toEqual([])
    expect(marked('/app/sites')).toEqual(['Sites'])
    expect(marked('/app/rules')).toEqual(['Write rules'])
    expect(marked('/app/reviews/rules')).toEqual(['Write reply rules'])
    expect(marked('/app/reviews/other')).toEqual(['Reviews'])
    expect(marked('/app')).toEqual(['Home'])
  })

  test('says how much waits', () => {
    const { daily, bell } = at(
      '/app',
      'owner',
      new Map([
        ['/app/reviews', 7],
        [bellPath, 3],
      ]),
    )
    expect(daily.find(({ label }) => label.text === 'Reviews')?.count).toBe(7)
    expect(daily.find(({ label }) => label.text === 'Leads')?.count).toBe(0)
    expect(bell?.count).toBe(3)
  })

  test('gives phones four pages, those that ask for it first, and everything else behind More', () => {
    const { shown, more } = phoneEntries(at('/app'), new Set(['/app', '/app/reviews', '/app/traffic']))
    expect(labels(shown)).toEqual(['Home', 'Reviews', 'Leads', 'AI traffic'])
    expect(labels(more)).toEqual(['Mentions', 'Sites', 'Settings'])
  })
})
