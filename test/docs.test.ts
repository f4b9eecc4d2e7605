import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pages, readPage as read, docsRoot as root } from './support/docs-pages'
import { productText, quotingPages, unknownQuotes, wrongStatuses } from './support/docs-quotes'
import { floors } from './support/floors'
import { printedDocs } from './support/printed-docs'
import { mappedRooms, roomsOf } from './support/room-map'

describe('printed documents say what the code says (mend with `bun run docs`)', () => {
  test.each([...printedDocs()])('%s', async (page, text) => {
    expect(await read(page)).toBe(text)
  })
})

test('every document is in the index, or in the list of its folder', async () => {
  const lists = pages.filter(
    (page) => /^docs\/.*README\.md$/.test(page) || page === 'docs/owners/website-builders.md',
  )
  const listed = new Set<string>(lists.filter((page) => page === 'docs/README.md'))
  for (const list of lists)
    for (const [, path = ''] of (await read(list)).matchAll(/\]\((?!https?:)([^)#\s]+\.md)/g))
      listed.add(join(dirname(list), path))
  expect(pages.filter((page) => page.startsWith('docs/') && !listed.has(page))).toEqual([])
})

describe('every path that a document names exists', () => {
  test.each(pages)('%s', async (page) => {
    const text = await read(page)
    const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map((match) =>
      join(dirname(page), String(match[1])),
    )
    const spans = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => String(match[1])).filter(isPath)
    const missing = [...links, ...spans].filter((path) => !existsSync(join(root, path)))
    expect(missing).toEqual([])
  })
})

describe('the map at the head of docs/contributors/architecture.md', () => {
  test('names every room of the tree and no other, each in a few words', async () => {
    const map = mappedRooms(await read('docs/contributors/architecture.md'))
    const mapped = [...map.keys()].filter((path) => /^(core|ingest|plugins|ship)\//.test(path))
    expect(mapped.toSorted()).toEqual(roomsOf(root))
    expect([...map].filter(([, says]) => says.split(' ').length < 2)).toEqual([])
  })

  test('has the floors in their order', async () => {
    const mapped = [...mappedRooms(await read('docs/contributors/architecture.md')).keys()]
    for (const { top, rooms } of floors)
      expect(mapped.filter((path) => rooms.some((room) => path === `${top}/${room}`))).toEqual(
        rooms.map((room) => `${top}/${room}`),
      )
  })
})

describe('every script that a document names is one of package.json', () => {
  test.each(pages)('%s', async (page) => {
    const { scripts } = await Bun.file(join(root, 'package.json')).json()
    const named = [...(await read(page)).matchAll(/\bbun(?:@[\d.]+)? run ([a-z][\w:-]*)/g)]
    expect(named.map((match) => String(match[1])).filter((name) => !(name in scripts))).toEqual([])
  })
})

describe('every text in quotes is one that the product shows', async () => {
  const product = await productText()
  test.each(quotingPages)('%s', async (page) => {
    expect(unknownQuotes(await read(page), product)).toEqual([])
  })

  test('a text that is shown nowhere is found', () => {
    const page = 'Press "Set up two-step sign-in", then "Frobnicate the app". “Too many … again” passes.'
    expect(unknownQuotes(page, product)).toEqual(['Frobnicate the app'])
  })
})

describe('every error of a page has the status of its code', () => {
  test.each(pages)('%s', async (page) => {
    expect(wrongStatuses(await read(page))).toEqual([])
  })

  test('a wrong status and an unknown code are found', () => {
    const page = '404 `host_not_served`, 403 `host_not_served`, 429 `out_of_luck`, 200 `not_an_error`'
    expect(wrongStatuses(page)).toEqual(['404 host_not_served', '429 out_of_luck'])
  })
})

/** A code span that can only be a file or folder of the project; patterns and placeholders are not. */
function isPath(span: string): boolean {
  if (/[\s<>*{}()$]|…|:\/\//.test(span)) return false
  return (
    /^(core|ingest|plugins|ship|test|docs|examples|\.ci)\//.test(span) ||
    /^[A-Z]+\.md$|^(package|tsconfig|biome|knip)\.json$|^(bunfig\.toml|lefthook\.yml|compose\.yaml|bun\.lock)$/.test(
      span,
    )
  )
}
