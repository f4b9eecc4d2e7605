import { ServiceConsent } from '../connections/consent/ServiceConsent'
import type { PageCounter } from '../contracts/page'
import type { OwnerContext, TableDeclaration } from '../contracts/plugin'
import { where } from '../contracts/where'
import { Job } from '../jobs/Job'
import { Connection } from '../outbound/Connection'
import type { Clock } from '../process/clock'
import { quoteName } from '../query/clickhouse-text'
import type { Registry } from '../registry/registry'
import { IdempotentAnswer } from '../requests/IdempotentAnswer'
import { UsageDay } from '../requests/UsageDay'
import type { ColumnsStore } from '../stores/columns/port'
import type { Documents } from '../stores/documents/port'
import { BusinessLocation } from '../tenancy/BusinessLocation'
import { Workspace } from '../tenancy/Workspace'
import { entityPart } from './entity-part'
import type { Mark, Part } from './format'
import { headerOf, pageRows } from './index'
import { type Among, isKeyed, tablePart } from './table-part'

export interface WorkspaceDataDeps {
  readonly registry: Pick<Registry, 'entities' | 'tables' | 'feeds'>
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly owner: Pick<OwnerContext, 'changed'>
  readonly clock: Clock
  /** Null if this `bun start` runs no ingest. */
  readonly counter: Pick<PageCounter, 'flush'> | null
}

/** All rows of one workspace, in any store. */
export interface WorkspaceData {
  /** Returns the number of rows by record type or table, without counts of 0. */
  counts(workspaceId: string): Promise<ReadonlyMap<string, number>>
  /**
   * Exports in the form of `data export`, line by line. Secrets of connected accounts and unfinished work are left
   * out.
   */
  lines(workspaceId: string): AsyncGenerator<string, void, void>
  /**
   * Removes everything, the workspace's own row last. If `isKept` is set, keeps that row. The next call
   * finishes an interrupted removal. Waits for hits in the journal.
   */
  remove(workspaceId: string, isKept: boolean): Promise<void>
}

/**
 * Record types that are not exported, because they are useless in another installation or encrypted for this
 * one.
 */
const apart: readonly string[] = [Job, IdempotentAnswer, UsageDay, Connection, ServiceConsent].map(
  ({ name }) => name,
)
const idsMax = 100_000

/** Deletes jobs and locations first, so that running work notices it and leaves nothing behind. */
const isAimedAt = ({ name }: { readonly name: string }) => name === BusinessLocation.name || name === Job.name

export function createWorkspaceData(deps: WorkspaceDataDeps): WorkspaceData {
  const { registry, documents, columns, owner, counter } = deps
  const entities = [...registry.entities.values()].filter(({ store }) => store === 'documents')
  const of = (workspaceId: string) => where.eq('workspace_id', workspaceId)

  const tablesOf = async (workspaceId: string) => {
    const found: { table: TableDeclaration; among: Among }[] = []
    for (const table of registry.tables.values()) {
      const among = await amongOf(deps, table, workspaceId)
      if (among && among.values.length > 0) found.push({ table, among })
    }
    return found
  }
  const partsOf = async (workspaceId: string): Promise<ReadonlyMap<string, Part>> => {
    const own = entities
      .filter(({ name }) => !apart.includes(name))
      .map((entity) => entityPart(entity, documents.collection(entity), of(workspaceId)))
    const keyed = (await tablesOf(workspaceId))
      .filter(({ table }) => isKeyed(table))
      .map(({ table, among }) => tablePart(table, columns, among))
    return new Map([...own, ...keyed].map((part) => [part.name, part]))
  }
  return {
    async counts(workspaceId) {
      const counts = new Map<string, number>()
      for (const entity of entities)
        counts.set(entity.name, await documents.collection(entity).count(of(workspaceId)))
      for (const { table, among } of await tablesOf(workspaceId)) {
        const sql = `SELECT count() AS n FROM ${quoteName(table.name)} WHERE ${quoteName(among.column)} IN {among:Array(String)}`
        const [row] = await columns.query<{ n: string }>(sql, { among: [...among.values] })
        counts.set(table.name, Number(row?.n ?? 0))
      }
      return new Map([...counts].filter(([, count]) => count > 0))
    },
    async *lines(workspaceId) {
      await counter?.flush()
      const parts = await partsOf(workspaceId)
      const header = await headerOf(deps, parts)
      yield `${JSON.stringify({ ...header, workspace_id: workspaceId })}\n`
      const counts: Record<string, number> = {}
      for (const name of header.parts) {
        let after: Mark | null = null
        do {
          const page: Awaited<ReturnType<Part['page']>> | undefined = await parts
            .get(name)
            ?.page(after, pageRows)
          if (!page) break
          counts[name] = (counts[name] ?? 0) + page.rows.length
          yield page.rows.map((row) => `${JSON.stringify({ in: name, row })}\n`).join('')
          after = page.after
        } while (after)
      }
      yield `${JSON.stringify({ end: true, counts })}\n`
    },
    async remove(workspaceId, isKept) {
      const tables = await tablesOf(workspaceId)
      const removeColumns = async () => {
        for (const { table, among } of tables) await columns.remove(table.name, among.column, among.values)
      }
      await removeColumns()
      for (const entity of entities.toSorted((a, b) => Number(isAimedAt(b)) - Number(isAimedAt(a))))
        if (entity.name !== Workspace.name) await documents.collection(entity).remove(of(workspaceId))
      for (const feed of registry.feeds.keys()) owner.changed(feed)
      await counter?.flush()
      await removeColumns()
      const own = documents.collection(Workspace)
      const noLocations = { set: { locations_count: 0, active_locations_count: 0 } }
      if (isKept) await own.updateOne(where.eq('id', workspaceId), noLocations)
      else await own.remove(where.eq('id', workspaceId))
    },
  }
}

/** Returns the condition for the workspace's rows of a table. Null if its rows belong to no workspace. */
export async function amongOf(
  {
    registry,
    documents,
  }: Pick<WorkspaceDataDeps, 'documents'> & { readonly registry: Pick<Registry, 'entities'> },
  { columns, within }: TableDeclaration,
  workspaceId: string,
): Promise<Among | null> {
  if ('workspace_id' in columns) return { column: 'workspace_id', values: [workspaceId] }
  if (!within) return null
  const entity = registry.entities.get(within.entity)
  if (!entity) throw new Error(`Rows of a table belong to ${within.entity}, which no plugin declares`)
  const found = await documents
    .collection(entity)
    .find({ where: where.eq('workspace_id', workspaceId), limit: idsMax })
  return { column: within.column, values: found.map(({ id }) => id) }
}
