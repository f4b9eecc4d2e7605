/** @jsxImportSource ../../../../../core/web/kit/jsx */
import { expect, test } from 'bun:test'
import { renderToString } from '../../../../../core/web/kit/jsx/render'
import { Tasks } from '../../../../../core/web/pages/home/home-tasks'

const task = (title: string, isDone: boolean) => ({
  title,
  text: `About ${title}`,
  href: `/app/${title}`,
  order: 1,
  isDone,
})
const shown = (...of: ReturnType<typeof task>[]) => renderToString(Tasks({ of, csrf: 'x' }))

test('open steps come before completed ones, and are counted', () => {
  const html = shown(task('done', true), task('open', false), task('other', false))
  expect(html).toContain('2 things left.')
  expect(html.indexOf('About open')).toBeLessThan(html.indexOf('About done'))
  expect(html).not.toContain('Show completed steps')
  expect(shown(task('open', false))).toContain('1 thing left.')
  const lists = (shownHtml: string) => shownHtml.match(/<[uo]l[ >]/g)?.length ?? 0
  expect([lists(html), lists(shown(task('open', false))), lists(shown(task('done', true)))]).toEqual([
    2, 1, 1,
  ])
})

test('completed steps are folded where none is open, and nothing is folded where there is none', () => {
  const html = shown(task('done', true))
  expect(html).toContain('Everything is set up.')
  expect(html).toContain('Show completed steps')
  expect(html).toContain('About done')
  expect(shown()).toContain('Everything is set up.')
  expect(shown()).not.toContain('Show completed steps')
})
