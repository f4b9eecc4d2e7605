import { expect, test } from 'bun:test'
import { defineEntity, definePlugin } from 'renown'
import * as v from 'valibot'
import { checkPlugins, createInstalledPlugins } from '../../../core/product/installed-plugins'
import { createRegistry } from '../../../core/registry/registry'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { quietLog as log } from '../../support/quiet-log'

const entity = (name: string, idPrefix: string) =>
  defineEntity({
    name,
    summary: 'A record',
    idPrefix,
    store: 'documents',
    reads: [],
    sortable: [],
    scope: { by: 'workspace', field: 'workspace_id' },
    fields: { title: v.string() },
  })
const Song = entity('Song', 'sng')
const Album = entity('Album', 'alb')
const now = () => new Date('2026-11-22T12:00:00Z')

/** Data on which a plugin with songs and albums has run, with one album. */
async function dataWithAlbum() {
  const documents = await openSqlite({ path: ':memory:', now, log })
  const withPlugin = (name: string, entities: readonly ReturnType<typeof entity>[]) => {
    const registry = createRegistry([definePlugin({ name, renown: '^1.0.0', entities })])
    return { registry, documents, columns: {} as never, now }
  }
  const both = withPlugin('music', [Song, Album])
  await checkPlugins(both, false)
  await documents.ensure([Song, Album])
  const stamp = now().toISOString()
  await documents.collection(Album).insert({
    id: 'alb_1',
    workspace_id: 'wsp_1',
    title: 'First',
    created_date: stamp,
    updated_date: stamp,
  })
  return { documents, withPlugin, both }
}

test('a version of a plugin that no longer declares a record type with rows is refused, and the rows can be removed', async () => {
  const { documents, withPlugin, both } = await dataWithAlbum()
  const songs = withPlugin('music', [Song])
  const refusal = 'no longer declares record types that have rows in this data: Album 1.'
  await expect(checkPlugins(songs, false)).rejects.toThrow(refusal)
  // The command `plugin` runs nevertheless, and forgets nothing.
  await checkPlugins(songs, true)
  await expect(checkPlugins(songs, false)).rejects.toThrow(refusal)
  await checkPlugins(both, false)

  await checkPlugins(songs, true)
  const plugins = createInstalledPlugins(songs)
  expect(await plugins.list()).toMatchObject([{ name: 'music', is_loaded: true, rows: { Album: 1 } }])
  await expect(plugins.remove('music', false)).rejects.toThrow('Album 1. Add --delete-rows')
  expect(await plugins.remove('music', true)).toEqual({ name: 'music', deleted: { Album: 1 } })
  await checkPlugins(songs, false)
  await expect(plugins.remove('music', true)).rejects.toThrow('The plugin music is loaded.')
  expect(await documents.collection(Album).count({ op: 'and', of: [] }, 1)).toBe(0)
  await documents.close()
})

test('a record type that moves to a plugin of another name keeps its rows', async () => {
  const { documents, withPlugin } = await dataWithAlbum()
  const renamed = withPlugin('library', [Song, Album])
  await checkPlugins(renamed, false)
  const plugins = createInstalledPlugins(renamed)
  expect(await plugins.list()).toMatchObject([
    { name: 'music', is_loaded: false, rows: {} },
    { name: 'library', is_loaded: true, rows: {} },
  ])
  expect(await plugins.remove('music', true)).toEqual({ name: 'music', deleted: {} })
  expect(await documents.collection(Album).count({ op: 'and', of: [] }, 1)).toBe(1)
  await documents.close()
})
