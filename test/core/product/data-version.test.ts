import { afterEach, beforeEach, expect, test } from 'bun:test'
import * as v from 'valibot'
import type { MigrationDeclaration } from '../../../core/contracts/plugin'
import { defineEntity, definePlugin, field } from '../../../core/kit'
import { recordVersion, refuseDowngrade } from '../../../core/product/data-version'
import { createRegistry } from '../../../core/registry/registry'
import { AppliedMigration } from '../../../core/stores/AppliedMigration'
import { DataVersion } from '../../../core/stores/DataVersion'
import { openMongo } from '../../../core/stores/documents/mongo'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { describeStores, mongoUri } from '../../support/mongo'
import { quietLog as log } from '../../support/quiet-log'

const now = () => new Date('2026-11-29T10:00:00Z')
const clock = { now }

/** A plugin whose record type has these fields. */
function registryOf(fields: readonly string[], migrations: readonly MigrationDeclaration[] = []) {
  const Note = defineEntity({
    name: 'Note',
    summary: 'A note',
    idPrefix: 'nte',
    store: 'documents',
    scope: { by: 'workspace', field: 'workspace_id' },
    reads: [],
    people: 'nobody',
    fields: Object.fromEntries(fields.map((name) => [name, v.optional(field.text(name))])),
    sortable: ['created_date'],
  })
  return createRegistry([definePlugin({ name: 'notes', renown: '^1.0.0', entities: [Note], migrations })])
}

const stores = {
  SQLite: () => openSqlite({ path: ':memory:', now, log }),
  MongoDB: () => openMongo({ uri: mongoUri() ?? 'mongodb://127.0.0.1:9/none', now, log }),
}

describeStores<() => Promise<Documents> | Documents>(stores, 'the version of data in %s', (_, open) => {
  let documents: Documents
  beforeEach(async () => {
    documents = await open()
    await documents.ensure([AppliedMigration, DataVersion])
    await documents.collection(DataVersion).remove({ op: 'and', of: [] })
    await documents.collection(AppliedMigration).remove({ op: 'and', of: [] })
  })
  afterEach(() => documents.close())
  const start = async (
    version: string,
    fields: readonly string[],
    migrations: readonly MigrationDeclaration[] = [],
  ) => {
    const deps = { registry: registryOf(fields, migrations), documents, clock, version }
    await refuseDowngrade(deps)
    await recordVersion(deps)
  }

  test('a downgrade is refused with every field that it would lose', async () => {
    await start('1.2.0', ['title', 'mood', 'color'])
    await expect(start('1.1.0', ['title'])).rejects.toThrow(
      'A newer version, 1.2.0, has used this data. This version, 1.1.0, does not know:\n  the field Note.color\n  the field Note.mood\nIt would lose these. Nothing was changed. Start version 1.2.0 or a newer one',
    )
    await start('1.10.0', ['title', 'mood', 'color'])
  })

  test('an older version that knows everything may use it, and the newest stays recorded', async () => {
    await start('1.2.0', ['title'])
    await start('1.1.0', ['title', 'mood'])
    await expect(start('1.0.0', [])).rejects.toThrow('1.2.0')
  })

  test('the same version may lose a field, as while somebody develops it', async () => {
    await start('1.2.0', ['title', 'mood'])
    await start('1.2.0', ['title'])
    await start('1.1.0', ['title'])
  })

  test('a migration that this version does not know is named with what it changed', async () => {
    const stamp = now().toISOString()
    const row = {
      plugin: 'notes',
      version: 2,
      summary: 'moods become numbers',
      applied_at: stamp,
      product_version: '1.3.0',
    }
    const base = { id: 'notes:2', workspace_id: 'notes:2', created_date: stamp, updated_date: stamp }
    await documents.collection(AppliedMigration).insert({ ...row, ...base })
    await expect(start('1.2.0', ['title'])).rejects.toThrow(
      'the migration notes:2 (moods become numbers, by 1.3.0)',
    )
  })
})
