import { authorizeRead } from '../auth/authorize'
import { readNarrow } from '../contexts/breadth'
import { clampOf } from '../contexts/context'
import { viewOf } from '../contexts/personal'
import { isIdOf, resolveTexts, textsOfFilter } from '../contexts/references'
import type { Reader, Sources } from '../contexts/sources'
import type { WorkspaceInfo } from '../contracts/context'
import { echoed } from '../contracts/echoed'
import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import { where } from '../contracts/where'
import { nearest } from '../kit/suggest'
import { checkNames, type ListRequest, parseListQuery } from '../query/parse'
import type { Registry } from '../registry/registry'
import { isOffered } from '../registry/surface'
import { type AuthenticatedState as Known, originOf } from '../requests/request'
import type { JsonPage, PreparedList } from '../stores/documents/port'
import { type Page, pageOf, send, sendOnce } from './answer'
import { namedIn, noticeHeaders } from './deprecation'
import { type List, type Lists, omitted, only } from './lists'

export interface EntityDeps {
  readonly registry: Registry
  readonly sources: Sources
  readonly lists: Lists
  readonly apiUrl: string
}

/** `GET /api/entities/<Entity>`: the store's bytes as a bare JSON array, with paging in headers. */
export const listEntity = async (deps: EntityDeps, request: Request, state: Known, name: string) =>
  sendOnce(request, await listPage(deps, state, name))

/** Returns the answer of a list, for HTTP and MCP. `state.search` has the query. */
export async function listPage(deps: EntityDeps, state: Known, name: string): Promise<Page> {
  const entity = offered(deps.registry, name, 'list')
  authorizeRead(entity, state.principal)
  const apiUrl = originOf(state, deps.apiUrl)
  const prepared = listOf(deps, state, entity)
  // Every wait takes steps, and most lists name nothing that must be looked up.
  const list = prepared instanceof Promise ? await prepared : prepared
  const { view, asked, reader, query, announced, nextSearch } = list
  // A count is a figure, so what it is about is looked up first.
  if (asked.count) await requireNamed(deps, state, list)
  const { page, total } = await readNarrow(deps.sources, { entity, view, reader }, query, () =>
    readPage(reader, query, asked),
  )
  // Rows prove that the records exist which the filter names. An empty list proves nothing.
  if (page.count === 0) await requireNamed(deps, state, list)
  // Most lists name nothing that is deprecated.
  const notice = announced.length === 0 ? {} : noticeHeaders(apiUrl, entity, announced)
  const headers: Record<string, string> = { ...pageHeaders(page, asked, total), ...notice }
  if (page.more && page.last) {
    const cursor = list.cursorOf(page.last)
    headers['x-next-cursor'] = cursor
    const next = `<${apiUrl}${state.path}?${nextSearch}cursor=${cursor}>; rel="next"`
    headers.link = [next, headers.link].filter(Boolean).join(', ')
  }
  return pageOf(page.body, headers)
}

/** Returns the compiled list, with ids in place of the names, domains and addresses in its filter. */
function listOf(deps: EntityDeps, state: Known, entity: AnyEntity): List | Promise<List> {
  const list = deps.lists(entity, clampBy(state), state.search)
  const hasNames = list.named.some(({ entity: named, text }) => !isIdOf(named, text))
  return hasNames ? withIds(deps, state, entity, list) : list
}

async function withIds(deps: EntityDeps, state: Known, entity: AnyEntity, list: List): Promise<List> {
  const params = new URLSearchParams(state.search)
  const q: object = JSON.parse(params.get('q') ?? '{}')
  const { filter, texts } = textsOfFilter(deps.registry, list.view, q, placeInFilter)
  await resolveTexts(deps, clampBy(state), texts)
  params.set('q', JSON.stringify(filter))
  return deps.lists(entity, clampBy(state), params.toString())
}

/** Throws if the filter of a list names a record that does not exist, or that is in another workspace. */
async function requireNamed(deps: EntityDeps, state: Known, { named }: List): Promise<void> {
  const texts = named.map(({ field, entity, text }) => ({
    ...placeInFilter(field),
    entity,
    text,
    put: () => {},
  }))
  await resolveTexts(deps, clampBy(state), texts)
}

const placeInFilter = (field: string) => ({
  argument: `q.${field}`,
  at: { parameter: 'q', pointer: `/${field}` },
})

async function readPage(reader: Reader, query: PreparedList, { count }: ListRequest) {
  const reading = reader.findJson(query)
  if (!count) return { page: await reading, total: undefined }
  const [page, total] = await Promise.all([reading, reader.count(query.where)])
  return { page, total }
}

/** `GET /api/entities/<Entity>/{id}`: 404 for an unknown id or name, 403 for a record of another workspace. */
export const getEntity = async (deps: EntityDeps, request: Request, state: Known, name: string, id: string) =>
  send(request, await recordPage(deps, state, name, id))

/** Returns the answer of a single read, for HTTP and MCP. */
export async function recordPage(deps: EntityDeps, state: Known, name: string, id: string): Promise<Page> {
  const { registry, sources, apiUrl: main } = deps
  const entity = offered(registry, name, 'get')
  authorizeRead(entity, state.principal)
  const params = new URLSearchParams(state.search)
  checkNames(params, ['fields'])
  const view = viewOf(entity, workspaceOf(state))
  const asked = parseListQuery(view, params)
  const notice = noticeHeaders(originOf(state, main), entity, [entity.deprecated, ...namedIn(entity, asked)])
  const reader = sources.reader(entity)
  const readOne = (one: string) =>
    reader.findJson({
      where: where.and(clampOf(entity, clampBy(state)), where.eq('id', one)),
      limit: 1,
      omit: omitted(view),
      ...only(asked.fields),
    })
  const page = await readOne(id)
  if (page.count > 0) return pageOf(unwrap(page.body), notice)
  const named = await readOne(await idMeant(deps, state, entity, id))
  if (named.count === 0) throw new Refusal('not_found', `There is no ${name} with this id in the workspace.`)
  return pageOf(unwrap(named.body), notice)
}

/** Returns the id of the record with this name, domain or address. Throws if there is none that the caller reads here. */
async function idMeant(deps: EntityDeps, state: Known, entity: AnyEntity, text: string): Promise<string> {
  let id = text
  const put = (found: string) => {
    id = found
  }
  const place = { argument: 'id', at: { parameter: 'id' }, isRecord: true }
  await resolveTexts(deps, clampBy(state), [{ ...place, entity, text, put }])
  return id
}

/** Returns the entity with this name, if callers may read it this way. */
export function offered(registry: Registry, name: string, read: 'list' | 'get'): AnyEntity {
  const entity = registry.entities.get(name)
  if (entity?.reads.includes(read)) return entity
  const names = [...registry.entities.values()].filter(isOffered).map((one) => one.name)
  const meant = nearest(name, names)
  throw new Refusal('outside_surface', `There is no entity ${echoed(name)}.`, {
    hint: `${meant && meant !== name ? `Did you mean ${meant}? ` : ''}GET /api/surface lists what is callable.`,
  })
}

const clampBy = (state: Known) => ({ workspace: workspaceOf(state), credential: state.principal })

function workspaceOf({ workspace }: Known): WorkspaceInfo {
  if (!workspace) throw new Error('A route under /api was called without a workspace')
  return workspace
}

function pageHeaders(page: JsonPage, asked: ListRequest, total: number | undefined): Record<string, string> {
  const headers: Record<string, string> = { 'x-has-more': String(page.more) }
  if (asked.limitApplied) headers['x-limit-applied'] = String(asked.limit)
  if (total !== undefined) headers['x-total-count'] = String(total)
  return headers
}

/** Returns the only element of a JSON array, without parsing it. */
function unwrap(body: JsonPage['body']): JsonPage['body'] {
  return typeof body === 'string' ? body.slice(1, -1) : body.subarray(1, -1)
}
