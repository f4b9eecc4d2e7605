import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtin } from '../../plugins'

/** Pages with a table that offer no files, and why. */
const withoutFiles: Readonly<Record<string, string>> = {
  '/app/posts/targets': 'settings of the workspace, a few rows',
  '/app/mentions/trackers': 'settings of the workspace, a few rows',
  '/app/mentions/tracker': 'one tracker',
  '/app/visibility/setup': 'settings of the workspace, a few rows',
  '/app/visibility/definitions': 'the same figures by other definitions, a few rows',
  '/app/settings/webhooks': 'settings of the workspace, and deliveries of 30 days for debugging',
  '/app/new-agents': 'a few names to look at, also in listNewAgents',
  '/app/sites': 'settings of the workspace, a few rows',
  '/app/reviews/rules': 'settings of the workspace, a few rows',
  '/app/reviews/links': 'settings of the workspace, a few rows',
  '/app/reviews/approve': 'a queue of drafts, which the list of reviews has too',
}

test('every page with a list offers it as a file, or has a reason not to', () => {
  const pages = builtin.flatMap(({ pages: all = [] }) => all)
  const lists = pages.filter(
    ({ module, record }) =>
      !record &&
      /<(?:Table|ListDetail|table|ListCard|Listed)\b/.test(readFileSync(fileURLToPath(module), 'utf8')),
  )
  expect(lists.length).toBeGreaterThan(5)
  const without = lists.filter(({ path, download }) => !download && !withoutFiles[path])
  expect(without.map(({ path }) => path)).toEqual([])
})

test('no reason is left over', () => {
  const pages = new Map(
    builtin.flatMap(({ pages: all = [] }) => all.map((page) => [page.path, page] as const)),
  )
  const leftOver = Object.keys(withoutFiles).filter((path) => pages.get(path)?.download || !pages.has(path))
  expect(leftOver).toEqual([])
})
