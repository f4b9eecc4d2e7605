import { type Asker, clampOf } from '../contexts/context'
import { textsInWhere } from '../contexts/filter-texts'
import { viewOf } from '../contexts/personal'
import { namedBy } from '../contexts/references'
import type { Reader, Sources } from '../contexts/sources'
import type { Deprecation } from '../contracts/deprecation'
import type { AnyEntity } from '../contracts/entity'
import { where } from '../contracts/where'
import { hiddenFields } from '../kit/fields'
import { oncePer } from '../kit/once-per'
import { cursorWriter } from '../query/cursor'
import { type ListRequest, parseListQuery } from '../query/parse'
import type { Registry } from '../registry/registry'
import type { PreparedList } from '../stores/documents/port'
import { paid } from '../work/loop-time'
import { namedIn } from './deprecation'

/** A list for one workspace: the request, and the query limited to the workspace. */
export interface List {
  /** The entity as the caller sees it. */
  readonly view: AnyEntity
  readonly asked: ListRequest
  /** The compiled query. Every read of this list uses it. */
  readonly query: PreparedList
  /** The reader of its rows. */
  readonly reader: Reader
  /** Deprecations that the query names. */
  readonly announced: readonly Deprecation[]
  /** The records that the filter names, by the field that names them. */
  readonly named: readonly NamedInFilter[]
  /** Returns the cursor after a row. */
  readonly cursorOf: ReturnType<typeof cursorWriter>
  /** The query string of the next page up to its cursor: empty, or ended by `&`. */
  readonly nextSearch: string
}

/** A record that a filter names. */
export interface NamedInFilter {
  readonly field: string
  readonly entity: AnyEntity
  readonly text: string
}

/** Compiles a query string, or returns the compiled one from its cache. Contains no rows. */
export type Lists = (entity: AnyEntity, asker: Asker, search: string) => List

/** Longer query strings are compiled every time. */
const searchMax = 2_000

interface ListDeps {
  readonly registry: Registry
  readonly sources: Pick<Sources, 'reader'>
}

/** Caches the compiled queries of recent lists, at most `listsMax`. Throws a Refusal for an invalid query string. */
export function createLists(deps: ListDeps, listsMax: number): Lists {
  const known = new Map<string, List>()
  const prepare: Lists = (entity, asker, search) =>
    paid(search.length, () => prepareList(deps, entity, asker, search))
  return (entity, asker, search) => {
    if (search.length > searchMax) return prepare(entity, asker, search)
    const key = keyOf(entity, asker, search)
    const list = known.get(key) ?? prepare(entity, asker, search)
    known.delete(key)
    known.set(key, list)
    if (known.size > listsMax) known.delete(known.keys().next().value ?? '')
    return list
  }
}

/** Returns the cache key of a list: the rows, the visible fields and the query. */
function keyOf({ name, scope }: AnyEntity, { workspace, credential }: Asker, search: string): string {
  const { agency_id, platform, workspace_ids = [] } = credential
  const clamp = scope.by === 'self' ? `${agency_id} ${platform} ${workspace_ids}` : workspace.id
  return `${name} ${clamp} ${workspace.redact_pii === true} ${search}`
}

/**
 * Compiles a query string: parses it for the entity, limits it to the workspace, and translates it for the
 * store.
 */
function prepareList({ registry, sources }: ListDeps, entity: AnyEntity, asker: Asker, search: string): List {
  const view = viewOf(entity, asker.workspace)
  const params = new URLSearchParams(search)
  const asked = parseListQuery(view, params)
  const reader = sources.reader(entity)
  const query = reader.prepareList({
    where: where.and(clampOf(entity, asker), asked.where),
    sort: asked.sort,
    limit: asked.limit,
    skip: asked.skip,
    ...(asked.cursor ? { after: asked.cursor } : {}),
    omit: omitted(view),
    ...only(asked.fields),
  })
  const announced = [entity.deprecated, ...namedIn(entity, asked)].filter((one) => one !== undefined)
  const cursorOf = cursorWriter(asked.sort)
  const named = [...(asked.where ? textsInWhere(asked.where) : [])].flatMap((one) => {
    const named = namedBy(registry, entity, one)
    return named ? [{ field: one.field, entity: named, text: one.text }] : []
  })
  return { view, asked, reader, query, announced, named, cursorOf, nextSearch: withoutPlace(params) }
}

function withoutPlace(params: URLSearchParams): string {
  for (const name of ['skip', 'cursor']) params.delete(name)
  return params.size === 0 ? '' : `${params}&`
}

/** Returns the requested fields, always with `id`. */
export const only = (fields: readonly string[] | undefined) =>
  fields ? { fields: [...new Set(['id', ...fields])] } : {}

/** Returns the fields that this view of an entity hides. */
export const omitted: (view: AnyEntity) => readonly string[] = oncePer(hiddenFields)
