import { expect, test } from 'bun:test'
import {
  landingLines,
  rankedPaths,
  type Shown,
  withCategories,
} from '../../../../plugins/traffic/sums/shownPaths'
import { part } from '../../../support/part'

type Ctx = Parameters<typeof rankedPaths>[0]
const asked = part<Shown['asked']>({ agent: null, operator: null, category: null, page: null })
const shown = (more: Partial<Shown['asked']> = {}, isEmpty = false): Shown => ({
  input: part({ site_id: 'sit_1' }),
  asked: { ...asked, ...more },
  period: { date_from: '2026-11-01', date_to: '2026-11-28', days: 28 },
  isEmpty,
})
/** A context whose days have these groups or rows, with what they were asked for. */
function context(found: readonly object[]) {
  const queries: { of?: string; fields?: unknown }[] = []
  const answer = async (query: object) => {
    queries.push(query)
    return found
  }
  return { ctx: part<Ctx>({ rows: (() => ({ list: answer, groupEntries: answer })) as never }), queries }
}

test('pages are ranked by their hits, and equal ones by path', async () => {
  const found = [
    { path: '/c', hits: '2', first: '2026-11-03' },
    { path: '/b', hits: 9, first: '2026-11-02' },
    { path: '/a', hits: 2, first: '2026-11-01' },
  ]
  const { ctx, queries } = context(found)
  const paths = async (of: Shown) =>
    (await rankedPaths(ctx, of))?.map(({ path, hits }) => `${path} ${hits}`) ?? null
  expect(await paths(shown())).toEqual(['/b 9', '/a 2', '/c 2'])
  expect(await paths(shown({ page: '/c' }))).toEqual(['/c 2'])
  expect(await paths(shown({ category: 'training' }))).toHaveLength(3)
  expect(queries.map(({ of }) => of)).toEqual(['top_paths', 'top_paths', 'paths_by_category.training'])
  expect(await paths(shown({ agent: 'GPTBot' }))).toBeNull()
  expect(await paths(shown({ operator: 'OpenAI' }))).toBeNull()
  expect(await paths(shown({}, true))).toEqual([])
  expect(queries).toHaveLength(3)
})

test('landing pages are ranked alike, and know no crawlers', async () => {
  const { ctx } = context([
    { path: '/b', visits: '1' },
    { path: '/a', visits: 1 },
    { path: '/z', visits: 3 },
  ])
  const lines = await landingLines(ctx, shown())
  expect(lines).toEqual([
    { path: '/z', visits: 3 },
    { path: '/a', visits: 1 },
    { path: '/b', visits: 1 },
  ])
  expect(await landingLines(ctx, shown({ page: '/a' }))).toEqual([{ path: '/a', visits: 1 }])
  for (const more of [{ agent: 'x' }, { category: 'training' as const }, { operator: 'x' }])
    expect(await landingLines(ctx, shown(more))).toBeNull()
  expect(await landingLines(ctx, shown({}, true))).toEqual([])
})

test('the purpose of a page is the one with most hits on the first day that lists it, of equal ones the first', async () => {
  const day = (date: string, paths_by_category: object, ...paths: string[]) => ({
    date,
    top_paths: paths.map((path) => ({ path, hits: 1 })),
    paths_by_category,
  })
  const { ctx, queries } = context([
    day('2026-11-01', { ai_answers: [{ path: '/a', hits: 9 }] }, '/other'),
    day(
      '2026-11-01',
      {
        ai_answers: [{ path: '/a', hits: 2 }],
        search_index: [
          { path: '/a', hits: 5 },
          { path: '/b', hits: 9 },
        ],
        training: [
          { path: '/a', hits: 3 },
          { path: '/b', hits: 9 },
        ],
      },
      '/a',
      '/b',
    ),
    day('2026-11-02', { training: [{ path: '/a', hits: 99 }] }, '/a', '/c'),
  ])
  const top = [
    { path: '/a', hits: 9, first: '2026-11-01' },
    { path: '/b', hits: 5, first: '2026-11-01' },
    { path: '/c', hits: 4, first: '2026-11-02' },
    { path: '/d', hits: 1, first: '2026-11-09' },
  ]
  const categories = async (of: Shown) => (await withCategories(ctx, of, top)).map(({ category }) => category)
  expect(await categories(shown())).toEqual(['search_index', 'search_index', null, null])
  expect(await categories(shown({ category: 'training' }))).toEqual([
    'training',
    'training',
    'training',
    'training',
  ])
  expect(queries).toHaveLength(1)
  expect(await withCategories(ctx, shown(), [])).toEqual([])
  expect(queries).toHaveLength(1)
})
