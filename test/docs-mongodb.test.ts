import { expect, test } from 'bun:test'
import { indexesOf } from '../core/stores/documents/indexes'
import { readPage } from './support/docs-pages'
import { shippedRegistry } from './support/shipped'

const page = (await readPage('docs/operators/mongodb.md')).replace(/\s+/g, ' ')
const registry = await shippedRegistry()
const collections = [...registry.entities.values()].filter(({ store }) => store === 'documents')
/** MongoDB makes an index of `_id` in each collection. */
const counts = collections.map((entity) => indexesOf(entity).length + 1)

test('the page of MongoDB says how many indexes there are', () => {
  const all = counts.reduce((sum, count) => sum + count, 0)
  expect(page).toContain(
    `${all} indexes in ${counts.length} collections, at most ${Math.max(...counts)} in one`,
  )
})

test('the page of MongoDB names every collection whose unique indexes prevent the workspace as the shard key', () => {
  const across = collections.filter((entity) =>
    indexesOf(entity).some(({ unique, keys }) => unique && keys[0]?.field !== 'workspace_id'),
  )
  const listed = /across all workspaces: ([^.]*)\./.exec(page)?.[1] ?? ''
  const names = across.map(({ name }) => name).sort()
  expect(listed).toBe(names.map((name) => `\`${name}\``).join(', '))
})
