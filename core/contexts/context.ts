import type {
  CredentialInfo,
  FieldsQuery,
  ListQuery,
  MarkContext,
  MarkRows,
  PagesQuery,
  ReadContext,
  ReadRows,
  WorkspaceInfo,
  WriteContext,
  WriteRows,
} from '../contracts/context'
import type { AnyEntity, NewRow, Row } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { Model } from '../contracts/outbound'
import { everything, type Where, where } from '../contracts/where'
import { fieldsOf } from '../kit/fields'
import { closedOutbound } from '../outbound/closed'
import { defaultSort } from '../query/parse'
import { foreignMismatch } from '../registry/foreign-checks'
import { handOut } from '../registry/own-context'
import type { Registry } from '../registry/registry'
import type { Document } from '../stores/documents/port'
import { changesOf, conflictOf, newDocument, uniqueFilters } from '../stores/documents/row-writes'
import { countedSums } from '../stores/documents/sums/counted'
import { shapeOf } from '../stores/documents/sums/shape'
import { currentWork, nowDoing } from '../work/scope'
import { joinedRows } from './joined-rows'
import { withheldFields } from './personal'
import { fieldsOfEntries, type ReaderView, readerView } from './reader-view'
import { rowPages, rowsOf } from './row-pages'
import type { Reader, Sources } from './sources'
import { checkInitial, machinesOf, refuseMoves } from './state-guard'

/** Who makes the request, and in which workspace. */
export interface Caller {
  readonly workspace: WorkspaceInfo
  readonly credential: CredentialInfo
  readonly requestId: string
}

/** Who asks, without the id of the request. */
export type Asker = Omit<Caller, 'requestId'>

export interface ContextDeps {
  readonly registry: Registry
  readonly sources: Sources
  readonly now: () => Date
  /** Rows that were just read by their ids, by record type and id. Each is handed out once, so that nothing is read twice. */
  readonly held?: Map<string, Document>
  /** Default: no model. */
  readonly model?: Model
}

/**
 * The condition on the rows of an entity that a caller may see. Every access to rows uses it, except the system
 * context and the look-up of references.
 */
export function clampOf(entity: AnyEntity, { workspace, credential }: Asker): Where {
  const { by } = entity.scope
  if (by === 'agency') throw new Error(`${entity.name} is not in a workspace and is never offered`)
  if (by !== 'self') return where.eq('workspace_id', workspace.id)
  const readable = credential.platform ? everything : where.eq('agency_id', credential.agency_id)
  return credential.workspace_ids ? where.and(readable, where.in('id', credential.workspace_ids)) : readable
}

/** The context of a `read`. It has no methods that write, neither in its type nor at run time. */
export function readContext(deps: ContextDeps, caller: Caller): ReadContext {
  const rows = <E extends AnyEntity>(entity: E) => clamped(deps, caller, entity).rows
  const joined: ReadContext['joined'] = (entity, query, { entity: other, by }) =>
    joinedRows(clamped(deps, caller, entity), query, { ...clamped(deps, caller, other), by })
  return handOut(
    Object.freeze({
      ...base(deps, caller),
      product: deps.sources.product,
      extensions: deps.registry.extensions,
      rows,
      joined,
    }),
  )
}

/** The context of a `mark`: reads, and sets a date field once. */
export function markContext(deps: ContextDeps, caller: Caller, plugin: string, dryRun: boolean): MarkContext {
  const rows = <E extends AnyEntity>(entity: E): MarkRows<E> => {
    const { rows: reading, target, clamp, view } = clamped(deps, caller, entity)
    if (!isOwn(deps, entity, plugin)) return { ...reading, stamp: foreignWrite(entity) }
    const stamp: MarkRows<E>['stamp'] = async (ids, field, flag) => {
      view.check({ fields: flag === undefined ? [field] : [field, flag] })
      if (kindOf(target, field) !== 'instant')
        throw new Error(`${target.name}.${field} is not a date field and cannot be stamped`)
      if (flag !== undefined && kindOf(target, flag) !== 'boolean')
        throw new Error(`${target.name}.${flag} is not a boolean and cannot be set with a stamp`)
      refuseMoves(machinesOf(deps.registry, target.name), flag === undefined ? [field] : [field, flag])
      const unstamped = (id: string) => where.and(clamp, where.eq('id', id), where.eq(field, null))
      const collection = deps.sources.collection(target)
      const now = deps.now().toISOString()
      const done = await Promise.all(
        [...new Set(ids)].map(async (id) => {
          if (dryRun) return (await collection.count(unstamped(id), 1)) > 0 ? id : null
          currentWork().commit()
          const set = { [field]: now, ...(flag === undefined ? {} : { [flag]: true }), updated_date: now }
          return (await collection.updateOne(unstamped(id), { set })) ? id : null
        }),
      )
      return done.filter((id) => id !== null)
    }
    return { ...reading, stamp }
  }
  return handOut(Object.freeze({ ...base(deps, caller), rows }))
}

const kindOf = (entity: AnyEntity, name: string) =>
  fieldsOf(entity).find((field) => field.name === name)?.kind

/** The context of a `draft`, `queue` or `setup`: reads and writes the plugin's own entities in the workspace. */
export function writeContext(
  deps: ContextDeps,
  caller: Caller,
  plugin: string,
  dryRun: boolean,
): WriteContext {
  const rows = <E extends AnyEntity>(entity: E): WriteRows<E> => {
    const { rows: reading, target, clamp, view } = clamped(deps, caller, entity)
    if (!isOwn(deps, entity, plugin)) {
      return { ...reading, insert: foreignWrite(entity), update: foreignWrite(entity) }
    }
    const collection = deps.sources.collection(target)
    const machines = machinesOf(deps.registry, target.name)
    const insert = async (row: NewRow<E>) => {
      const document = newDocument(target, row, caller.workspace.id, deps.now())
      checkInitial(machines, document)
      await refuseForeignLocation(deps, target, document, clamp)
      if (dryRun) {
        await refuseTaken(target, document, collection)
      } else {
        currentWork().commit()
        await conflictOf(() => collection.insert(document))
      }
      return document as unknown as Row<E>
    }
    const update: WriteRows<E>['update'] = async (id, changes, onlyIf) => {
      const patch = changesOf(target, changes, deps.now())
      refuseMoves(machines, [...Object.keys(patch.set), ...patch.unset])
      await refuseForeignLocation(deps, target, patch.set, clamp)
      const one = where.and(clamp, where.eq('id', id), ...(onlyIf ? [onlyIf] : []))
      if (!dryRun) {
        currentWork().commit()
        const row = await conflictOf(() => collection.updateOne(one, patch))
        return row && (view.shown(row) as Row<E>)
      }
      const [before] = await collection.find({ where: one, limit: 1 })
      if (!before) return null
      const after: Record<string, unknown> = { ...before, ...patch.set }
      for (const name of patch.unset) delete after[name]
      return view.shown(after as Document) as Row<E>
    }
    return { ...reading, insert, update }
  }
  const { extensions } = deps.registry
  const model = cancellable(deps.model ?? closedOutbound.model)
  return handOut(Object.freeze({ ...base(deps, caller), dryRun, model, extensions, rows }))
}

/** A model that is asked no longer than the caller waits. */
function cancellable(model: Model): Model {
  if (!model.isConfigured) return model
  return {
    ...model,
    ask: (task) => {
      nowDoing('The language model is writing')
      const signals = [task.signal ?? [], currentWork().waiting() ?? []].flat()
      return model.ask(signals.length === 0 ? task : { ...task, signal: AbortSignal.any(signals) })
    },
  }
}

const base = ({ now }: ContextDeps, { workspace, credential, requestId }: Caller) => ({
  workspace: frozen(workspace),
  credential: frozen(credential),
  requestId,
  now,
})

const frozen = <T extends object>(value: T): T =>
  Object.isFrozen(value) ? value : Object.freeze({ ...value })

function clamped<E extends AnyEntity>(deps: ContextDeps, caller: Caller, entity: E) {
  const target = resolve(deps.registry, entity)
  const clamp = clampOf(target, caller)
  const view = readerView(entity, target, withheldFields(target, caller.workspace))
  const reader = deps.sources.reader(target)
  const rows = readRows<E>(deps.held ? holding(reader, target, deps.held) : reader, target, clamp, view)
  return { target, clamp, reader, rows, view }
}

/** The key of a row in `held`. */
export const heldKey = (entity: AnyEntity, id: string): string => `${entity.name} ${id}`

/** A reader that hands out each held row once. */
function holding(reader: Reader, entity: AnyEntity, held: Map<string, Document>): Reader {
  const get = (id: string) => {
    const key = heldKey(entity, id)
    const row = held.get(key)
    if (row === undefined) return reader.get(id)
    held.delete(key)
    return Promise.resolve(row)
  }
  return { ...reader, get }
}

/** The read methods of one entity under a condition. `view` says which fields the reader may name and see. */
export function readRows<E extends AnyEntity>(
  reader: Reader,
  entity: AnyEntity,
  clamp: Where,
  view: ReaderView,
): ReadRows<E> {
  const inside = (tree: Where = everything) => where.and(clamp, tree)
  const shownOrNull = (row: Document | null | undefined) => (row ? (view.shown(row) as Row<E>) : null)
  const find = (query: ListQuery & Partial<FieldsQuery<string>>) =>
    reader.find({ ...query, where: inside(query.where), sort: query.sort ?? defaultSort(entity) })
  const list = async (query: ListQuery & Partial<FieldsQuery<string>> = {}) => {
    const { fields, ...rest } = query
    view.check(rest)
    const rows = await find(fields ? { ...rest, fields: view.chosen(fields) } : rest)
    return rows.map((row) => view.shown(row) as Row<E>)
  }
  const pages = (query?: PagesQuery) => rowPages(list, query) as AsyncGenerator<Row<E>[]>
  return {
    get: async (id) => {
      // In columns, the workspace condition is part of the key. A document is found fastest by its id, so its
      // workspace is checked here before anybody sees it.
      const [row] =
        entity.store === 'columns' && clamp !== everything
          ? await reader.find({ where: inside(where.eq('id', id)), limit: 1 })
          : [await reader.get(id)]
      return shownOrNull(row && meets(row, clamp) ? row : null)
    },
    list,
    pages,
    each: (query) => rowsOf(pages(query), query?.signal),
    count: async (tree) => {
      view.check({ where: tree ?? everything })
      return reader.count(inside(tree))
    },
    group: async (query) => {
      view.check(query)
      return reader.group({ ...query, where: inside(query.where) })
    },
    daySums: async (query) => {
      view.check({ where: query.where ?? everything, by: query.by })
      const shape = shapeOf(entity)
      if (!shape) throw new Error(`${entity.name} declares no sums by day`)
      view.check({ fields: [shape.on, ...shape.values, ...shape.set] })
      const asked = { ...query, where: inside(query.where) }
      return (await reader.daySums?.read(asked)) ?? countedSums(shape, asked, reader.group)
    },
    groupEntries: async (query) => {
      view.check({ where: query.where ?? everything, fields: fieldsOfEntries(query) })
      if (!reader.groupEntries)
        throw new Error(`${entity.name} is stored in documents, so its entries cannot be grouped`)
      return reader.groupEntries({ ...query, where: inside(query.where) })
    },
  }
}

/** Whether a row matches the workspace condition. An invalid condition matches nothing. */
export function meets(row: Document, clamp: Where): boolean {
  if (clamp.op === 'and') return clamp.of.every((part) => meets(row, part))
  if (clamp.op === 'in') return clamp.values.includes(row[clamp.field] as string)
  return clamp.op === 'eq' && row[clamp.field] === clamp.value
}

/**
 * Returns the registered declaration with the name of an entity. The scope of a caller's own object is never trusted.
 */
export function resolve(registry: Registry, entity: AnyEntity): AnyEntity {
  const real = registry.entities.get(entity.name)
  if (!real) throw new Error(`No loaded plugin declares the entity ${entity.name}`)
  if (real === entity || registry.isDeclared(entity)) return real
  const faults = foreignMismatch(entity, registry.entities)
  if (faults.length > 0) throw new Error(faults.join('; '))
  return real
}

/** Writing requires the same declaration that the operation's own plugin registered. */
const isOwn = ({ registry }: ContextDeps, entity: AnyEntity, plugin: string) =>
  registry.isDeclared(entity) && registry.pluginOf('entity', entity.name) === plugin

const foreignWrite = (entity: AnyEntity) => (): never => {
  throw new Error(`${entity.name} belongs to another plugin and cannot be written from here`)
}

/** Throws if a row would get a location of another workspace. */
async function refuseForeignLocation(
  { registry, sources }: ContextDeps,
  { scope }: AnyEntity,
  row: Readonly<Record<string, unknown>>,
  clamp: Where,
) {
  const id = row[scope.field]
  const locations = registry.entities.get('BusinessLocation')
  if (scope.by !== 'location' || typeof id !== 'string' || !locations) return
  if ((await sources.reader(locations).count(where.and(clamp, where.eq('id', id)), 1)) > 0) return
  throw new Refusal('invalid_field', `${scope.field} does not name a location of the workspace.`, {
    errors: [
      { pointer: `/${scope.field}`, code: 'not_in_workspace', message: 'not a location of the workspace' },
    ],
  })
}

async function refuseTaken(entity: AnyEntity, document: Document, reader: Reader) {
  for (const { fields, filter } of uniqueFilters(entity, document)) {
    if ((await reader.count(filter, 1)) > 0) {
      throw new Refusal('conflict', `Another ${entity.name} has the same ${fields.join(', ')}.`)
    }
  }
}
