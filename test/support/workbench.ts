import * as v from 'valibot'
import { markContext, readContext } from '../../core/contexts/context'
import { ownerContext } from '../../core/contexts/owner'
import type { Reader, Sources } from '../../core/contexts/sources'
import type { CredentialInfo, MarkContext, ReadContext } from '../../core/contracts/context'
import type { AnyEntity } from '../../core/contracts/entity'
import type { AnyOperation } from '../../core/contracts/operation'
import type { Outbound } from '../../core/contracts/outbound'
import type { Log, OwnerContext, PluginDeclaration } from '../../core/contracts/plugin'
import { readSettings } from '../../core/contracts/settings'
import { everything } from '../../core/contracts/where'
import { closedOutbound } from '../../core/outbound/closed'
// Marks the plugins of core, whatever else a test file imports.
import '../../core/product/core-plugins'
import { gatewayPlugin } from '../../core/product/gateway-plugin'
import type { Registry } from '../../core/registry/registry'
import type { ColumnsStore } from '../../core/stores/columns/port'
import type { Collection, Documents } from '../../core/stores/documents/port'
import { arrayEntries } from './array-model'
import { awaitingAll } from './awaiting-all'
import { memoryStores } from './memory-stores'
import { quietLog } from './quiet-log'
import { sharedRegistry } from './shared-registry'

/** The gate's contexts over one set of documents, for tests of operations and commands without HTTP. */
export interface Workbench {
  readonly registry: Registry
  readonly owner: OwnerContext
  /** Feeds that were said to have changed. */
  readonly changed: string[]
  /** How many reads the stores were asked for. */
  readonly reads: { count: number }
  now: Date
  collection(entity: AnyEntity): Collection
  stop(): Promise<void>
  read(workspaceId: string): ReadContext
  mark(workspaceId: string, plugin: string): MarkContext
  /** Runs a read as the gate does: input checked, output within its schema. */
  ask<O extends AnyOperation>(
    operation: O,
    input?: Record<string, unknown>,
    at?: { readonly workspace?: string; readonly timezone?: string },
  ): Promise<Awaited<ReturnType<O['run']>>>
  /** Runs a command as the command line does: input checked and defaults filled in. */
  command(name: string, input: Record<string, unknown>): Promise<Record<string, string>>
}

const credential: CredentialInfo = {
  kind: 'agent_key',
  agency_id: 'agc_1',
  platform: false,
  scopes: ['read', 'write'],
}

const entitiesOf = (registry: Registry) => [...registry.entities.values()]
const openStore = memoryStores(entitiesOf)

/** Entities of columns are served from documents here, so that daily rows can be put in place. */
export async function workbench(
  plugins: readonly PluginDeclaration[],
  outbound: Partial<Outbound> | ((documents: Documents) => Partial<Outbound>) = {},
  {
    settings = {},
    random,
    counted = () => [],
    flushHits,
    log = quietLog,
    canJoin = true,
    documents,
  }: {
    readonly settings?: Record<string, string>
    readonly random?: () => number
    /** What a query of columns finds. */
    readonly counted?: (sql: string) => readonly unknown[]
    readonly flushHits?: () => Promise<boolean>
    readonly log?: Log
    /** False: the store joins no rows, like MongoDB. */
    readonly canJoin?: boolean
    /** The documents store. Default: SQLite in memory. */
    readonly documents?: Documents
  } = {},
): Promise<Workbench> {
  // The gate keeps what was done, and is part of every registry.
  const registry = sharedRegistry([...new Set([gatewayPlugin, ...plugins])])
  const changed: string[] = []
  const reads = { count: 0 }
  const clock = { now: () => bench.now }
  const columnRows = (sql: string) =>
    (sql.includes('EXPLAIN AST') ? [{ explain: 'SelectWithUnionQuery' }] : counted(sql)) as never[]
  const store = documents ?? (await openStore(registry, { now: clock.now, log: quietLog }))
  if (documents) await documents.ensure(entitiesOf(registry))
  const { collection } = store
  const reader = (entity: AnyEntity) => {
    const { findJoined, ...others } = counting(collection(entity), reads)
    return canJoin && findJoined ? { ...others, findJoined } : others
  }
  const owner = ownerContext({
    registry,
    documents: store,
    columns: { query: async (sql: string) => columnRows(sql) } as unknown as ColumnsStore,
    clock,
    log,
    outbound: { ...closedOutbound, ...(typeof outbound === 'function' ? outbound(store) : outbound) },
    settings: readSettings(settings, Object.fromEntries(registry.settings)),
    ...(random ? { random } : {}),
    ...(flushHits ? { flushHits } : {}),
    readLogSample: async (...of) => (await import('../../ingest/sample/read-sample')).readLogSample(...of),
    onChanged: (feed) => changed.push(feed),
  })
  const sources: Sources = { product: owner.product, reader, collection, narrowing: () => [] }
  const deps = { registry, sources, now: clock.now }
  const caller = (id: string) => ({
    workspace: { id, agency_id: credential.agency_id, timezone: 'UTC', is_home: true },
    credential,
    requestId: 'req_test',
  })
  const bench: Workbench = {
    registry,
    owner,
    changed,
    reads,
    now: new Date('2026-03-15T12:00:00.000Z'),
    collection,
    stop: () => store.close(),
    read: (id) => readContext(deps, caller(id)),
    mark: (id, plugin) => markContext(deps, caller(id), plugin, false),
    async ask(operation, input = {}, { workspace = 'wsp_1', timezone = 'UTC' } = {}) {
      const read = bench.read(workspace)
      const ctx: ReadContext = { ...read, workspace: { ...read.workspace, timezone } }
      const answer = await operation.run(ctx, v.parse(operation.input, input))
      v.parse(operation.output, answer)
      return answer
    },
    async command(name, input) {
      const command = registry.commands.get(name)
      if (!command) throw new Error(`no command ${name}`)
      const given = v.parse(command.input, input)
      return (await awaitingAll(owner, (ctx) => command.run(ctx, given))) as Record<string, string>
    },
  }
  return bench
}

function counting(reader: Reader, reads: { count: number }): Reader {
  const counted =
    <A extends unknown[], R>(verb: (...given: A) => R) =>
    (...given: A): R => {
      reads.count++
      return verb(...given)
    }
  return {
    ...reader,
    get: counted(reader.get),
    find: counted(reader.find),
    group: counted(reader.group),
    groupEntries: counted(async (query) =>
      arrayEntries(await reader.find({ where: query.where ?? everything }), query),
    ),
    count: counted(reader.count),
    ...(reader.findJoined ? { findJoined: counted(reader.findJoined) } : {}),
  }
}
