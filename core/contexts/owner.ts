import type { AnyEntity, NewRow, Row } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { LogSample, ReadLogSample } from '../contracts/log-mapping'
import type { Outbound } from '../contracts/outbound'
import type { Log, OwnerContext, OwnerRows, PluginAuditEvent } from '../contracts/plugin'
import { readSettings, type Settings } from '../contracts/settings'
import type { StateMachine } from '../contracts/states'
import { trimTrailing } from '../contracts/trim-trailing'
import { everything, type Where, where } from '../contracts/where'
import { createEnqueue } from '../jobs/enqueue'
import { createLocks } from '../jobs/locks'
import { writesOf } from '../kit'
import { closedOutbound } from '../outbound/closed'
import type { Clock } from '../process/clock'
import { mintToken } from '../process/crypto'
import { newId } from '../process/ids'
import { providerNames } from '../registry/declared-connections'
import { handOut } from '../registry/own-context'
import type { Registry } from '../registry/registry'
import type { ColumnsStore } from '../stores/columns/port'
import { anyRows, type Collection, type Document, type Documents } from '../stores/documents/port'
import { changesOf, conflictOf, newDocument } from '../stores/documents/row-writes'
import { createAgencyOf } from '../tenancy/agency-of'
import { createNotify } from '../tenancy/news/notify'
import { createSyncs } from '../tenancy/news/syncs'
import { recordPluginAudit } from '../tenancy/record-audit'
import { createErasedPeople, nobodyErased } from '../tenancy/rights/erased-people'
import { PersonRequest } from '../tenancy/rights/PersonRequest'
import { createWorkedOn, inactiveWorkspace } from '../tenancy/worked-on'
import { runWork, systemWork } from '../work/scope'
import { readRows, resolve } from './context'
import { notePast } from './past-rows'
import { createPublish } from './publish'
import { type ReaderView, readerView } from './reader-view'
import { createRepairSums } from './repair-sums'
import { createSources } from './sources'
import { checkInitial, machinesOf, moveCondition } from './state-guard'
import { createTogether } from './together'
import { createWorkspaceReads } from './workspace-reads'

export interface OwnerDeps {
  readonly registry: Registry
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly clock: Clock
  readonly log: Log
  readonly apiUrl?: string
  readonly ingestUrl?: string
  /** Default: no outbound requests. */
  readonly outbound?: Outbound
  readonly random?: () => number
  /** Default: the defaults of all settings. */
  readonly settings?: Settings
  /** Called after a job was put into a queue in this process. */
  readonly onEnqueued?: () => void
  /** Writes the hits in the journal to ClickHouse. Left out if this process has no journal. */
  readonly flushHits?: () => Promise<boolean>
  /** Reads a sample of a log as the ingest does. Left out in contexts that need none. */
  readonly readLogSample?: ReadLogSample
  /** Called with the feed's name when a plugin says that its answer changed. */
  readonly onChanged: (feed: string) => void
}

/** The system context for jobs, feeds, commands and migrations. It reads and writes all workspaces. */
export function ownerContext({
  registry,
  documents,
  columns,
  clock,
  log,
  apiUrl = 'http://localhost:3000',
  ingestUrl = 'http://localhost:3001',
  outbound = closedOutbound,
  settings = readSettings({}, Object.fromEntries(registry.settings)),
  random = Math.random,
  onEnqueued = () => {},
  flushHits = async () => true,
  readLogSample = noSamples,
  onChanged,
}: OwnerDeps): OwnerContext {
  const hasTenancy = registry.entities.has('Workspace')
  const sources = createSources(documents, columns)
  const rows = <E extends AnyEntity>(entity: E): OwnerRows<E> => {
    const target = resolve(registry, entity)
    const view = readerView(entity, target)
    const reading = readRows<E>(sources.reader(target), target, everything, view)
    if (target.store === 'columns')
      return { ...reading, ...unwritable(`${entity.name} is served from columns`) }
    const own = writing<E>(sources.collection(target), target, clock, machinesOf(registry, target.name))
    const isOwn = entity === target || registry.isDeclared(entity)
    return { ...reading, ...(isOwn ? own : sharedWriting(own, target, view, writesOf(entity))) }
  }
  notePast(rows, async (entity, list) => {
    const target = resolve(registry, entity)
    return writing(sources.collection(target), target, clock).insertMany(list)
  })
  const together = createTogether({ registry, documents, clock })
  const workedOn = createWorkedOn(documents)
  const publish = createPublish({
    registry,
    documents,
    clock,
    log,
    context: () => ctx,
    isWorkedOn: async (id) => !hasTenancy || workedOn.isWorkedOn(id),
  })
  const withLock = createLocks({ documents, clock })
  const recordAudit = (event: PluginAuditEvent) => recordPluginAudit(ctx, event)
  const ctx: OwnerContext = handOut(
    Object.freeze({
      rows,
      ...together,
      mismatches: async (entity: AnyEntity, limit: number) => {
        const target = resolve(registry, entity)
        if (target.store === 'columns') return []
        return (await documents.collection(target).mismatches?.(limit)) ?? []
      },
      repairSums: createRepairSums({ registry, documents }),
      columns,
      log,
      product: sources.product,
      apiUrl,
      ingestUrl: trimTrailing(ingestUrl, '/'),
      now: clock.now,
      random,
      newId: (entity: AnyEntity) => newId(entity.idPrefix, clock.now()),
      newToken: mintToken,
      outbound,
      settings,
      extensions: registry.extensions,
      providers: providerNames(registry.providers),
      eventTypes: [...registry.eventTypes.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      notify: createNotify({ documents, clock }),
      syncs: createSyncs({ documents, clock }),
      workspaceReads: createWorkspaceReads({ registry, documents, sources, now: clock.now }),
      erasedPeople: registry.entities.has(PersonRequest.name)
        ? createErasedPeople(documents)
        : async () => nobodyErased,
      inactiveWorkspaces: async () => (hasTenancy ? workedOn.inactive() : []),
      async requireActive(id: string) {
        if (hasTenancy && !(await workedOn.isWorkedOn(id))) throw inactiveWorkspace()
      },
      enqueue: createEnqueue({
        registry,
        documents,
        clock,
        onEnqueued: asSystem(onEnqueued),
        ...(hasTenancy ? { agencyOf: createAgencyOf(documents) } : {}),
      }),
      withLock,
      changed: asSystem(onChanged),
      flushHits: () => runWork(systemWork, flushHits),
      readLogSample: (sample: LogSample) => readLogSample(sample, clock.now()),
      publish,
      recordAudit,
    }),
  )
  return ctx
}

/** A process without the code of the ingest. */
const noSamples: ReadLogSample = () =>
  Promise.reject(new Refusal('unavailable', 'This process cannot read log lines.'))

/** Runs work without the limits of the request that started it. */
const asSystem =
  <A extends unknown[]>(run: (...args: A) => void) =>
  (...args: A) =>
    runWork(systemWork, () => run(...args))

/** The methods of the system context on one collection, without a registry: for core's own entities. */
export function ownerRows<E extends AnyEntity>(
  collection: Collection<E>,
  entity: E,
  clock: Clock,
): OwnerRows<E> {
  const stored = anyRows(collection)
  return {
    ...readRows<E>(stored, entity, everything, readerView(entity)),
    ...writing<E>(stored, entity, clock),
  }
}

/** Rows that are checked at once. More would block the event loop. */
const insertChunk = 200

type Writing<E extends AnyEntity> = Pick<
  OwnerRows<E>,
  'insert' | 'insertMany' | 'update' | 'updateWhere' | 'updateMany' | 'removeWhere'
>

function writing<E extends AnyEntity>(
  collection: Collection,
  entity: AnyEntity,
  clock: Clock,
  machines: readonly StateMachine[] = [],
): Writing<E> {
  const guarded = (condition: Where, changes: object) =>
    where.and(condition, moveCondition(machines, changes as Readonly<Record<string, unknown>>))
  const updateWhere = async (condition: Where, changes: object) => {
    const patch = changesOf(entity, changes, clock.now())
    const unmoved = guarded(condition, changes)
    return conflictOf(() => collection.updateOne(unmoved, patch))
  }
  return {
    insert: async (row: NewRow<E> & { readonly workspace_id: string }) => {
      const document = newDocument(entity, row, row.workspace_id, clock.now())
      checkInitial(machines, document)
      await conflictOf(() => collection.insert(document))
      return document as unknown as Row<E>
    },
    insertMany: async (rows) => {
      for (let from = 0; from < rows.length; from += insertChunk) {
        const documents = rows.slice(from, from + insertChunk).map((row) => {
          const document = newDocument(entity, row, row.workspace_id, clock.now(), row)
          checkInitial(machines, document)
          return document
        })
        const { failures } = await collection.insertMany(documents)
        const [first] = failures
        if (first) await conflictOf(() => Promise.reject(first.error))
      }
      return rows.length
    },
    removeWhere: (condition) => collection.remove(condition),
    update: async (id, changes) => (await updateWhere(where.eq('id', id), changes)) as Row<E> | null,
    updateWhere: async (condition, changes) => (await updateWhere(condition, changes)) as Row<E> | null,
    updateMany: async (condition, changes) => {
      const patch = changesOf(entity, changes, clock.now())
      const unmoved = guarded(condition, changes)
      return conflictOf(() => collection.updateMany(unmoved, patch))
    },
  }
}

/** Limits changes of another plugin's rows to fields that it shares and that the declaration names. */
function sharedWriting<E extends AnyEntity>(
  own: Writing<E>,
  entity: AnyEntity,
  view: ReaderView,
  writes: readonly string[],
): Writing<E> {
  const shared = new Set<string>(entity.shared ?? [])
  const check = (changes: object) => {
    for (const name of Object.keys(changes)) {
      if (!shared.has(name))
        throw new Error(`${entity.name}.${name} belongs to another plugin and is not shared`)
      if (!writes.includes(name))
        throw new Error(`${entity.name}.${name} is not among \`writes\` of its \`foreignEntity\``)
    }
  }
  const shownOf = (row: Row<E> | null) => row && (view.shown(row as unknown as Document) as Row<E>)
  return {
    ...unwritable(`${entity.name} belongs to another plugin`),
    update: async (id, changes) => {
      check(changes)
      return shownOf(await own.update(id, changes))
    },
    updateWhere: async (condition, changes) => {
      check(changes)
      view.check({ where: condition })
      return shownOf(await own.updateWhere(condition, changes))
    },
    updateMany: async (condition, changes) => {
      check(changes)
      view.check({ where: condition })
      return own.updateMany(condition, changes)
    },
  }
}

function unwritable(reason: string) {
  const refuse = (): never => {
    throw new Error(`${reason} and cannot be written from here`)
  }
  const changing = { update: refuse, updateWhere: refuse, updateMany: refuse }
  return { insert: refuse, insertMany: refuse, ...changing, removeWhere: refuse }
}
