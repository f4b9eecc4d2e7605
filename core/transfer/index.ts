import { Refusal } from '../contracts/errors'
import type { OwnerContext, TableDeclaration } from '../contracts/plugin'
import { everything } from '../contracts/where'
import { JobLease } from '../jobs/JobLease'
import type { Clock } from '../process/clock'
import { version } from '../process/version'
import type { Registry } from '../registry/registry'
import { AppliedMigration } from '../stores/AppliedMigration'
import type { ColumnsStore } from '../stores/columns/port'
import type { Documents } from '../stores/documents/port'
import { type Backup, backup } from './backup'
import { entityPart } from './entity-part'
import { exportFormat, type Header, type ImportedLines, type Mark, type Part, type Row } from './format'
import { importLines } from './import-lines'
import { isKeyed, tablePart } from './table-part'

export interface TransferDeps {
  readonly registry: Pick<Registry, 'entities' | 'feeds'>
  readonly tables: readonly TableDeclaration[]
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly owner: Pick<OwnerContext, 'changed'>
  readonly clock: Clock
  /** The data folder. */
  readonly folder: string
}

/** Exports and imports all rows of an installation, from any store. */
export interface Transfer {
  /** Returns the header of an export, and every part that may have rows. */
  begin(): Promise<{ readonly header: Header; readonly parts: readonly string[] }>
  /** Returns rows of a part by key after a mark. */
  page(
    part: string,
    after: Mark | null,
  ): Promise<{ readonly rows: readonly Row[]; readonly after: Mark | null }>
  /** Throws if these stores cannot accept the import: different migrations, or stores with rows. */
  receive(header: Header, isMerge: boolean): Promise<void>
  /** Imports lines. `firstLine` is the number of the first one. Rejects all of them if one is invalid. */
  take(text: string, firstLine: number, isMerge: boolean): Promise<ImportedLines>
  /** Notifies other processes that their caches are outdated. */
  finish(): void
  /** Copies everything into a new folder of `parent`, and deletes older copies there beyond `keep`. Null keeps all of them. */
  backup(parent: string, keep: number | null): Promise<Backup>
}

export const pageRows = 500

/** Creates what export, import and backup use. */
export function createTransfer(deps: TransferDeps): Transfer {
  const { registry, documents, owner } = deps
  const parts = partsOf(deps)
  return {
    begin: async () => ({ header: await headerOf(deps, parts), parts: [...parts.keys()] }),
    page: async (name, after) => {
      const part = parts.get(name)
      if (!part) throw new Refusal('not_found', `There is no record type or table ${name}.`)
      return part.page(after, pageRows)
    },
    receive: async (header, isMerge) => {
      mustFit(header, parts, await appliedMigrations(documents))
      if (!isMerge) await mustBeEmpty(parts)
    },
    take: (text, firstLine, isMerge) => importLines(parts, text, firstLine, isMerge),
    finish: () => {
      for (const feed of registry.feeds.keys()) owner.changed(feed)
    },
    backup: (parent, keep) =>
      backup({ ...deps, migrations: () => appliedMigrations(documents) }, parent, keep),
  }
}

/** Leaves out leases, because their holders do not exist in the new installation. */
function partsOf({ registry, tables, documents, columns }: TransferDeps): ReadonlyMap<string, Part> {
  const entities = [...registry.entities.values(), AppliedMigration]
    .filter(({ store, name }) => store === 'documents' && name !== JobLease.name)
    .map((entity) => entityPart(entity, documents.collection(entity)))
  const keyed = tables.filter(isKeyed).map((table) => tablePart(table, columns))
  return new Map([...entities, ...keyed].map((part) => [part.name, part]))
}

/** Returns the first line of an export of these units. */
export async function headerOf(
  { documents, columns, clock }: Pick<TransferDeps, 'documents' | 'columns' | 'clock'>,
  parts: ReadonlyMap<string, Part>,
) {
  return {
    renown_export: exportFormat,
    version,
    made_at: clock.now().toISOString(),
    documents: documents.kind,
    columns: columns.kind,
    migrations: await appliedMigrations(documents),
    parts: await filled(parts),
  }
}

async function filled(parts: ReadonlyMap<string, Part>): Promise<string[]> {
  const names: string[] = []
  for (const part of parts.values()) if (!(await part.isEmpty())) names.push(part.name)
  return names
}

const appliedMigrations = async (documents: Documents): Promise<string[]> =>
  (await documents.collection(AppliedMigration).find({ where: everything })).map(({ id }) => id).sort()

function mustFit(header: Header, parts: ReadonlyMap<string, Part>, applied: readonly string[]): void {
  if (header.renown_export !== exportFormat) {
    throw new Refusal(
      'conflict',
      `The file has format ${header.renown_export}. This version, ${version}, reads format ${exportFormat}.`,
    )
  }
  const unknown = header.parts.filter((name) => !parts.has(name))
  if (unknown.length > 0) {
    throw new Refusal(
      'conflict',
      `The file has rows of ${unknown.join(', ')}, which no loaded plugin declares. Set PLUGINS to the plugins that were loaded when the file was made.`,
    )
  }
  const missing = applied.filter((name) => !header.migrations.includes(name))
  const ahead = header.migrations.filter((name) => !applied.includes(name))
  if (missing.length === 0 && ahead.length === 0) return
  const mend =
    ahead.length > 0
      ? `Import it with version ${header.version}, then start the newer one.`
      : `Start the data that it was made of with version ${version} once, and export it again.`
  const names = [...missing, ...ahead].join(', ')
  throw new Refusal('conflict', `The file and this installation differ in migrations (${names}). ${mend}`)
}

async function mustBeEmpty(parts: ReadonlyMap<string, Part>): Promise<void> {
  const names = (await filled(parts)).filter((name) => name !== AppliedMigration.name)
  if (names.length === 0) return
  throw new Refusal(
    'conflict',
    `The stores are not empty. They have rows of ${names.join(', ')}. Import into new stores before their first start, or add --merge. It skips rows that already exist, also those of an interrupted import.`,
  )
}
