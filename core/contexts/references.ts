import type { AnyEntity } from '../contracts/entity'
import { isRefusal, Refusal } from '../contracts/errors'
import type { AnyOperation } from '../contracts/operation'
import { where } from '../contracts/where'
import { visibleFields } from '../kit/fields'
import { entityNamed, namesAnyRecord, type Reference, referencesIn } from '../registry/references'
import type { Registry } from '../registry/registry'
import type { Document } from '../stores/documents/port'
import { isWorkspaceName } from '../tenancy/named-workspaces'
import { readNarrow } from './breadth'
import { type Asker, type ContextDeps, heldKey } from './context'
import { type FilterText, refuseManyNames, textsInFilter } from './filter-texts'
import { candidatesAmong, type ListNamed, rowsNamed } from './named-rows'
import { readableWorkspace, readableWorkspaces } from './readable-workspaces'
import {
  type CallScope,
  inOtherWorkspace,
  noneNamed,
  type ReferencePosition,
  severalNamed,
} from './reference-refusals'

type Deps = Pick<ContextDeps, 'registry' | 'sources'>

/** A text that stands where a record is named. */
export interface PlacedText extends ReferencePosition {
  readonly text: string
  /** Whether an id that no record has is left to the operation. */
  readonly isBatch?: boolean
  /** Puts the id in place of the text. */
  put(id: string): void
}

/** The input of an operation with ids alone, and the rows that were read to find them. */
export interface Resolved {
  readonly input: unknown
  readonly held: Map<string, Document>
}

/** Names are looked up among this many workspaces. */
const workspacesMax = 1_000

/** Whether a text has the form of an id of this record type. Only other texts are looked up as names. */
export const isIdOf = ({ idPrefix }: AnyEntity, text: string): boolean => text.startsWith(`${idPrefix}_`)

/**
 * Returns the input of an operation with an id in place of every name, domain and web address, also inside the filter `q`. Throws
 * for a reference that names no record, several, or one of another workspace, so that no operation answers with figures about it.
 */
export function resolveInput(
  deps: Deps,
  caller: Asker,
  { operation, plugin, input }: { operation: AnyOperation; plugin: string; input: unknown },
): Resolved | Promise<Resolved> {
  const held = new Map<string, Document>()
  if (input === null || typeof input !== 'object') return { input, held }
  const found = textsIn(deps.registry, operation, plugin, input)
  if (found.length === 0) return { input, held }
  const hasNames = found.some(({ entity, text }) => !isIdOf(entity, text))
  const meant = hasNames ? structuredClone(input) : input
  const texts = hasNames ? textsIn(deps.registry, operation, plugin, meant) : found
  const answer = async () => {
    const scope = await scopeOf(deps, caller, meant)
    await resolveTexts(deps, caller, texts, { scope, held })
    return { input: meant, held }
  }
  return answer()
}

/** Returns the id of the record of a workspace that an argument means, outside of an operation. */
export async function resolveOne(
  deps: Deps,
  caller: Asker,
  { argument, text, plugin = '' }: { argument: string; text: string; plugin?: string },
): Promise<string> {
  const entity = entityNamed(deps.registry, argument, plugin)
  if (entity === null) return text
  let id = text
  const put = (found: string) => {
    id = found
  }
  await resolveTexts(deps, caller, [{ argument, entity, text, put }])
  return id
}

/** Returns the records that the filter of a list names, and where. `at` says where the filter stands. */
export function textsOfFilter(
  registry: Registry,
  listed: AnyEntity,
  q: object,
  at: (field: string) => Pick<ReferencePosition, 'argument' | 'at'>,
): { readonly filter: object; readonly texts: PlacedText[] } {
  const { filter, texts } = textsInFilter(q)
  const placed = texts.flatMap((one): PlacedText[] => {
    const entity = namedBy(registry, listed, one)
    return entity ? [{ ...at(one.field), entity, text: one.text, put: one.put }] : []
  })
  refuseManyNames(placed.filter(({ entity, text }) => !isIdOf(entity, text)).length)
  return { filter, texts: placed }
}

type Named = (one: Omit<FilterText, 'put'>) => AnyEntity | null

const known = new WeakMap<Registry, Map<string, ReadonlyMap<string, Named>>>()

/** Returns the record type that a text in a filter names, or null if it names none. */
export function namedBy(
  registry: Registry,
  listed: AnyEntity,
  one: Omit<FilterText, 'put'>,
): AnyEntity | null {
  const ofRegistry = known.get(registry) ?? new Map<string, ReadonlyMap<string, Named>>()
  known.set(registry, ofRegistry)
  const fields = ofRegistry.get(listed.name) ?? new Map(namesOf(registry, listed))
  ofRegistry.set(listed.name, fields)
  return fields.get(one.field)?.(one) ?? null
}

function namesOf(registry: Registry, listed: AnyEntity): [string, Named][] {
  const plugin = registry.pluginOf('entity', listed.name) ?? ''
  const types = [...registry.entities.values()]
  return visibleFields(listed).flatMap(({ name, schema }): [string, Named][] => {
    // A text without the form of any id is refused as a name that no record has.
    if (namesAnyRecord(schema)) return [[name, ({ text }) => inWorkspaces(typeOfId(types, text) ?? listed)]]
    const entity = inWorkspaces(entityNamed(registry, name, plugin))
    return entity ? [[name, () => entity]] : []
  })
}

const inWorkspaces = (entity: AnyEntity | null): AnyEntity | null =>
  entity && entity.scope.by !== 'agency' ? entity : null

const typeOfId = (types: readonly AnyEntity[], text: string): AnyEntity | undefined =>
  types.find((entity) => isIdOf(entity, text))

/** Returns the references in an input: its own, those in a filter, and those in a field whose schema another field chose. */
function textsIn(registry: Registry, operation: AnyOperation, plugin: string, input: object): PlacedText[] {
  const texts: PlacedText[] = []
  place(referencesIn(registry, operation.input, plugin), input, texts)
  const { q, entity: name } = input as { readonly q?: unknown; readonly entity?: unknown }
  const listed = typeof name === 'string' ? registry.entities.get(name) : undefined
  if (listed && q !== null && typeof q === 'object') {
    const found = textsOfFilter(registry, listed, q, (field) => ({ argument: `q.${field}` }))
    if (found.texts.length > 0) Object.assign(input, { q: found.filter })
    texts.push(...found.texts)
  }
  const inside = operation.inside?.(input)
  if (inside) {
    const owner = [...registry.plugins.values()].find(({ commands = [] }) =>
      commands.some(({ name }) => name === inside.command),
    )
    const references = referencesIn(registry, inside.schema, owner?.name ?? '')
    const deeper = references.map((one) => ({ ...one, path: [inside.field, ...one.path] }))
    place(deeper, input, texts)
  }
  return texts
}

function place(references: readonly Reference[], input: object, texts: PlacedText[]): void {
  for (const { path, entity, isBatch } of references) {
    if (entity.scope.by === 'agency') continue
    walk(input, path, [], (holder, key, text, at) =>
      texts.push({
        argument: at.join('.'),
        entity,
        text,
        isBatch,
        put: (id) => Object.assign(holder, { [key]: id }),
      }),
    )
  }
}

function walk(
  holder: unknown,
  [name = '', ...rest]: readonly string[],
  at: readonly string[],
  see: (holder: object, key: string, text: string, at: readonly string[]) => void,
): void {
  if (holder === null || typeof holder !== 'object') return
  for (const key of name === '*' ? Object.keys(holder) : [name]) {
    const value = Object.hasOwn(holder, key) ? (holder as Record<string, unknown>)[key] : undefined
    const here = [...at, key]
    if (rest.length > 0) walk(value, rest, here, see)
    else if (typeof value === 'string') see(holder, key, value, here)
  }
}

/** Returns the workspaces that a call reads: its own, or those of `workspaces`. */
async function scopeOf(deps: Deps, caller: Asker, input: object): Promise<CallScope> {
  const { workspaces } = input as { readonly workspaces?: unknown }
  if (!Array.isArray(workspaces)) return ownScope(caller)
  const readable = await readableWorkspaces(deps, caller, workspacesMax)
  const isAll = workspaces.includes('*')
  const chosen = readable.filter(
    ({ id, name }) => isAll || workspaces.some((one) => one === id || isWorkspaceName(name, String(one))),
  )
  return { ids: new Set(chosen.map(({ id }) => id)), isChosen: true }
}

const ownScope = ({ workspace }: Asker): CallScope => ({ ids: new Set([workspace.id]), isChosen: false })

/**
 * Puts ids in place of names, and checks that every id is of a record that the call reads. Costs one read for each record type, and
 * one for each name. Throws a Refusal for the first reference that is wrong.
 */
export async function resolveTexts(
  deps: Deps,
  caller: Asker,
  texts: readonly PlacedText[],
  {
    scope = ownScope(caller),
    held,
  }: { readonly scope?: CallScope; readonly held?: Map<string, Document> } = {},
): Promise<void> {
  const ids = texts.filter(({ entity, text }) => isIdOf(entity, text))
  for (const [entity, ofType] of Map.groupBy(ids, ({ entity }) => entity)) {
    const rows = await rowsOf(deps, caller, entity, [...new Set(ofType.map(({ text }) => text))])
    for (const one of ofType) {
      const row = rows.get(one.text)
      if (row === undefined && one.isBatch === true) continue
      if (row === undefined) throw await unknown(deps, one, scope)
      await refuseOutside(deps, caller, one, { row, scope })
      if (held && rows.size === 1 && entity.scope.by !== 'self') held.set(heldKey(entity, one.text), row)
    }
  }
  for (const one of texts) if (!isIdOf(one.entity, one.text)) one.put(await idNamed(deps, caller, one, scope))
}

/** Returns the rows with these ids, in any workspace. One row is whole, and several have only their workspace. */
async function rowsOf(
  { sources }: Deps,
  { workspace }: Asker,
  entity: AnyEntity,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Document>> {
  const reader = sources.reader(entity)
  const [only = '', ...others] = ids
  const isSelf = entity.scope.by === 'self'
  if (others.length > 0) {
    const fields = isSelf ? ['name'] : ['workspace_id']
    const rows = await reader.find({ where: where.in('id', ids), limit: ids.length, fields })
    return new Map(rows.map((row) => [row.id, row]))
  }
  // In columns, a row is found fastest by its workspace and id.
  const inside = where.and(where.eq('workspace_id', workspace.id), where.eq('id', only))
  const [near] = entity.store === 'columns' ? await reader.find({ where: inside, limit: 1 }) : []
  const row = near ?? (await reader.get(only))
  return row ? new Map([[only, row]]) : new Map()
}

/** Throws if a record is of a workspace that the call does not read. */
async function refuseOutside(
  deps: Deps,
  caller: Asker,
  one: PlacedText,
  { row, scope }: { readonly row: Document; readonly scope: CallScope },
): Promise<void> {
  const isWorkspace = one.entity.scope.by === 'self'
  const id = isWorkspace ? row.id : row.workspace_id
  if (scope.ids.has(id)) return
  const workspace = await readableWorkspace(deps, caller, id)
  if (isWorkspace && workspace === null && one.isRecord !== true) throw unreadable()
  throw inOtherWorkspace(one, workspace, scope.isChosen)
}

const unreadable = () =>
  new Refusal('workspace_not_readable', 'This credential cannot read the workspace.', {
    hint: 'GET /api/entities/Workspace lists the workspaces that this credential can read.',
  })

async function unknown(deps: Deps, one: PlacedText, scope: CallScope): Promise<Refusal> {
  if (one.entity.scope.by === 'self' && one.isRecord !== true) return unreadable()
  return noneNamed(one, one.text, await candidatesAmong(listIn(deps, one.entity, scope.ids), one.entity))
}

/** Lists rows of some workspaces. */
const listIn =
  ({ sources }: Deps, entity: AnyEntity, ids: Iterable<string>): ListNamed =>
  ({ where: narrower, ...query }) => {
    const [only = '', ...others] = ids
    const key = entity.scope.by === 'self' ? 'id' : 'workspace_id'
    const inside = others.length === 0 ? where.eq(key, only) : where.in(key, [only, ...others])
    return sources.reader(entity).find({ ...query, where: narrower ? where.and(inside, narrower) : inside })
  }

/** Returns the id of the only record with this name, domain or address that the call reads. */
async function idNamed(deps: Deps, caller: Asker, one: PlacedText, scope: CallScope): Promise<string> {
  const { entity, text } = one
  const here = listIn(deps, entity, scope.ids)
  const found = await rowsNamed(here, entity, text)
  const [only, ...others] = found
  if (only && others.length === 0) return only.id
  if (only) throw severalNamed(one, found)
  const elsewhere = await workspaceOfNamed(deps, caller, one, scope)
  if (elsewhere) throw inOtherWorkspace(one, elsewhere, scope.isChosen)
  throw noneNamed(one, text, await candidatesAmong(here, entity))
}

/**
 * Returns the workspace with the only record of this name, among the other workspaces of the caller's agency that the credential
 * reads. So nobody learns by a name who is a client of another agency.
 */
async function workspaceOfNamed(deps: Deps, caller: Asker, { entity, text }: PlacedText, scope: CallScope) {
  if (entity.scope.by === 'self') return null
  const readable = await readableWorkspaces(deps, caller, workspacesMax)
  const others = new Map(readable.filter(({ id }) => !scope.ids.has(id)).map((one) => [one.id, one]))
  if (others.size === 0) return null
  const reader = deps.sources.reader(entity)
  const list = listIn(deps, entity, [...others.keys()])
  const narrow: ListNamed = (query) => {
    const inside = where.in('workspace_id', [...others.keys()])
    const all = query.where ? where.and(inside, query.where) : inside
    return readNarrow(deps.sources, { entity, view: entity, reader }, { where: all }, async () => list(query))
  }
  try {
    const [row, ...more] = await rowsNamed(narrow, entity, text)
    return row && more.length === 0 ? (others.get(String(row.workspace_id)) ?? null) : null
  } catch (error) {
    // Too many rows to search: the name is not known here, and nothing more is said.
    if (isRefusal(error) && error.code === 'filter_too_broad') return null
    throw error
  }
}
