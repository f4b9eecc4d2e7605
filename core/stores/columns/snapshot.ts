import { cp, exists, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { quoteName } from '../../query/clickhouse-text'

interface Run {
  query<T>(sql: string, params?: Record<string, unknown>): Promise<T[]>
  command(sql: string): Promise<unknown>
}

/** Where an embedded engine has its files. */
export interface EmbeddedFiles {
  readonly path: string
  readonly database: string
}

/**
 * Copies the tables of an embedded ClickHouse into a new folder, which another one can open. Each table is as of one moment, in
 * the order of `tables`. Tables that are not named come first. `FREEZE` links the files of a table, which never change.
 */
export async function snapshotTables(
  run: Run,
  { path, database }: EmbeddedFiles,
  to: string,
  tables: readonly string[],
): Promise<void> {
  const known = await run.query<{ name: string; folder: string }>(
    'SELECT name, data_paths[1] AS folder FROM system.tables WHERE database = {database:String} AND notEmpty(data_paths)',
    { database },
  )
  const inOrder = [...known].sort((a, b) => tables.indexOf(a.name) - tables.indexOf(b.name))
  const mark = `renown_${crypto.randomUUID().replaceAll('-', '')}`
  const frozen = join(path, 'shadow', mark)
  try {
    for (const { name } of inOrder)
      await run.command(`ALTER TABLE ${quoteName(database)}.${quoteName(name)} FREEZE WITH NAME '${mark}'`)
    await mkdir(to, { recursive: true, mode: 0o700 })
    await cp(join(path, 'metadata'), join(to, 'metadata'), { recursive: true, verbatimSymlinks: true })
    // The folder of the database has the statements that create the tables.
    const store = join(path, 'store')
    for (const head of await readdir(store))
      for (const folder of await readdir(join(store, head)))
        for (const file of await readdir(join(store, head, folder)))
          if (file.endsWith('.sql')) await copyInto(join(store, head, folder, file), path, to)
    for (const { folder } of inOrder) {
      await copyInto(join(folder, 'format_version.txt'), path, to)
      await mkdir(join(to, relative(path, folder), 'detached'), { recursive: true })
    }
    // A table without rows leaves nothing.
    if (await exists(frozen)) await cp(frozen, to, { recursive: true })
  } finally {
    await rm(frozen, { recursive: true, force: true })
  }
}

async function copyInto(file: string, from: string, to: string): Promise<void> {
  const target = join(to, relative(from, file))
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await cp(file, target)
}
