import { authorizeRead } from '../auth/authorize'
import { readNarrow } from '../contexts/breadth'
import { clampOf, existsElsewhere } from '../contexts/context'
import { viewOf } from '../contexts/personal'
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
import { type Lists, omitted, only } from './lists'

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
  const list = deps.lists(entity, clampBy(state), state.search)
  const { view, asked, reader, query, announced, nextSearch } = list
  const { page, total } = await readNarrow(deps.sources, { entity, view, reader }, query, () =>
    readPage(reader, query, asked),
  )
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

async function readPage(reader: Reader, query: PreparedList, { count }: ListRequest) {
  const reading = reader.findJson(query)
  if (!count) return { page: await reading, total: undefined }
  const [page, total] = await Promise.all([reading, reader.count(query.where)])
  return { page, total }
}

/** `GET /api/entities/<Entity>/{id}`: 404 for an unknown id, 403 for an id of another workspace. */
export const getEntity = async (deps: EntityDeps, request: Request, state: Known, name: string, id: string) =>
  send(request, await recordPage(deps, state, name, id))

/** Returns the answer of a single read, for HTTP and MCP. */
export async function recordPage(
  { registry, sources, apiUrl: main }: EntityDeps,
  state: Known,
  name: string,
  id: string,
): Promise<Page> {
  const entity = offered(registry, name, 'get')
  authorizeRead(entity, state.principal)
  const params = new URLSearchParams(state.search)
  checkNames(params, ['fields'])
  const view = viewOf(entity, workspaceOf(state))
  const asked = parseListQuery(view, params)
  const notice = noticeHeaders(originOf(state, main), entity, [entity.deprecated, ...namedIn(entity, asked)])
  const reader = sources.reader(entity)
  const page = await reader.findJson({
    where: where.and(clampOf(entity, clampBy(state)), where.eq('id', id)),
    limit: 1,
    omit: omitted(view),
    ...only(asked.fields),
  })
  if (page.count === 0) throw await missing(sources, entity, id)
  return pageOf(unwrap(page.body), notice)
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

async function missing(sources: Sources, entity: AnyEntity, id: string): Promise<Refusal> {
  return (await existsElsewhere(sources, entity, id))
    ? new Refusal('not_in_workspace', `The ${entity.name} is in another workspace.`, {
        hint: 'Name its workspace in X-Workspace-Id.',
      })
    : new Refusal('not_found', `There is no ${entity.name} with this id in the workspace.`)
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
