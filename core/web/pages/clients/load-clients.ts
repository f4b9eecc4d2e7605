import * as v from 'valibot'
import {
  type ClientCell,
  type ClientColumn,
  type ClientFigures,
  type ClientSource,
  clientFigures,
} from '../../../contracts/clients'
import type { Row } from '../../../contracts/entity'
import { everything, where } from '../../../contracts/where'
import { systemReads } from '../../../registry/own-context'
import { Workspace } from '../../../tenancy/Workspace'
import type { AppPageDeps } from '../../framework/page-context'
import type { SignedIn } from '../../framework/route'
import { memberWorkspaces } from '../../framework/workspace-access'
import { type ClientFilters, readClientFilters } from './client-filters'
import { clientReads } from './client-reads'
import { problemFigures } from './problem-figures'

/** Maximum workspaces whose figures are read. A search by name finds the others. */
const workspacesMax = 2_000
export const pageSize = 50

/** A workspace with its figures. */
export interface ClientRow {
  readonly id: string
  readonly name: string
  readonly isHome: boolean
  readonly cells: Readonly<Record<string, ClientCell>>
  /** Null if no activity is known. */
  readonly activeAt: string | null
}

/** A column, with whether it could be read. */
export interface ShownColumn extends ClientColumn {
  /** Whether the column cannot be read. It then says so and shows no zero. */
  readonly isUnread: boolean
}

export interface ClientsData {
  readonly wanted: ClientFilters
  /** A column in the address that no plugin provides. */
  readonly unknown: string | null
  readonly columns: readonly ShownColumn[]
  /** Rows of the page. */
  readonly rows: readonly ClientRow[]
  /** All rows in order, for a download. */
  readonly all: readonly ClientRow[]
  readonly pages: number
  /** Whether there are more workspaces than are read. */
  readonly isMore: boolean
  /** Whether the person may create, rename, archive and invite. */
  readonly mayManage: boolean
}

type Deps = Pick<AppPageDeps, 'context' | 'owner'>

const figuresSchema = v.object({
  cells: v.record(
    v.string(),
    v.object({
      value: v.nullable(v.pipe(v.number(), v.finite())),
      text: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
      change: v.optional(
        v.object({ text: v.pipe(v.string(), v.maxLength(60)), tone: v.picklist(['plain', 'good', 'bad']) }),
      ),
    }),
  ),
  active_at: v.optional(v.pipe(v.string(), v.isoTimestamp())),
})

/** The sources of columns, in order. */
const sourcesOf = ({ context }: Deps): ClientSource[] => [
  problemFigures,
  ...context.registry.extensions(clientFigures).toSorted((a, b) => a.order - b.order),
]

/**
 * Returns the matching workspaces that this person sees: the demo's if the current workspace is in the demo,
 * otherwise their own.
 */
async function workspacesOf(
  { owner }: Deps,
  { person, place }: SignedIn,
  { q, isArchived }: ClientFilters,
): Promise<Row<typeof Workspace>[]> {
  const isDemo = place?.is_demo === true
  const given = isDemo ? undefined : memberWorkspaces(person)
  return owner.rows(Workspace).list({
    where: where.and(
      where.eq('agency_id', isDemo ? place.info.agency_id : person.agency_id),
      where.eq('is_active', !isArchived),
      given ? where.in('id', [...given]) : everything,
      q === '' ? everything : { op: 'contains', field: 'name', value: q },
    ),
    sort: [{ field: 'name', direction: 'asc' }],
    limit: workspacesMax + 1,
  })
}

/** Reads the list of clients. The number of reads does not depend on the number of clients. */
export async function loadClients(deps: Deps, visit: SignedIn): Promise<ClientsData> {
  const sources = sourcesOf(deps)
  const names = sources.flatMap(({ columns }) => columns.map(({ name }) => name))
  const { wanted, unknown } = readClientFilters(visit.query, names)
  const found = await workspacesOf(deps, visit, wanted)
  const shown = found.slice(0, workspacesMax)
  const workspaces = shown.map(({ id, timezone }) => ({ id, timezone }))
  const reads = clientReads(systemReads(deps.owner), workspaces)
  // The figures of an archived workspace are from the day on which it was archived.
  const read = await Promise.all(sources.map((source) => readSource(deps, source, reads)))
  const columns = read.flatMap(({ source, figures }) =>
    source.columns.map((column) => ({ ...column, isUnread: figures === null })),
  )
  const rows = shown.map(({ id, name, is_home }): ClientRow => {
    const own = read.flatMap(({ figures }) => figures?.get(id) ?? [])
    const moments = own.flatMap(({ active_at }) => active_at ?? []).toSorted()
    return {
      id,
      name,
      isHome: is_home,
      cells: Object.assign({}, ...own.map(({ cells }) => cells)),
      activeAt: moments.at(-1) ?? null,
    }
  })
  const all = rows.toSorted(orderOf(wanted, columns))
  const pages = Math.max(1, Math.ceil(all.length / pageSize))
  const page = Math.min(pages, wanted.page)
  return {
    unknown,
    columns,
    all,
    pages,
    wanted: { ...wanted, page },
    rows: all.slice((page - 1) * pageSize, page * pageSize),
    isMore: found.length > workspacesMax,
    mayManage: visit.person.role === 'owner' && visit.place?.is_demo !== true,
  }
}

async function readSource(
  { owner }: Deps,
  source: ClientSource,
  reads: ReturnType<typeof clientReads>,
): Promise<{ readonly source: ClientSource; readonly figures: ReadonlyMap<string, ClientFigures> | null }> {
  if (reads.workspaces.length === 0) return { source, figures: new Map() }
  try {
    const figures = new Map<string, ClientFigures>()
    for (const [id, one] of await source.load(reads))
      figures.set(id, v.parse(figuresSchema, one) as ClientFigures)
    return { source, figures }
  } catch (error) {
    owner.log.error('figures of clients could not be read', { source: source.name, error: String(error) })
    return { source, figures: null }
  }
}

type Compare = (a: ClientRow, b: ClientRow) => number

const byName: Compare = (a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)

/** Unknown values come last in both directions. */
const nullsLast = (a: number | null, b: number | null, compare: (a: number, b: number) => number): number =>
  a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b)

const byColumn =
  ({ name, worst }: ClientColumn, isReversed: boolean): Compare =>
  (a, b) =>
    nullsLast(a.cells[name]?.value ?? null, b.cells[name]?.value ?? null, (one, other) =>
      (worst === 'high') === isReversed ? one - other : other - one,
    )

const momentOf = ({ activeAt }: ClientRow) => (activeAt === null ? null : Date.parse(activeAt))

/** Returns the order, worst first: longest without activity, or by all columns one after the other. */
function orderOf({ sort, isReversed }: ClientFilters, columns: readonly ClientColumn[]): Compare {
  if (sort === 'name') return isReversed ? (a, b) => byName(b, a) : byName
  if (sort === 'activity')
    return (a, b) =>
      nullsLast(momentOf(a), momentOf(b), (one, other) => (isReversed ? other - one : one - other)) ||
      byName(a, b)
  const wanted = columns.filter(({ name }) => sort === 'worst' || name === sort)
  const compares = wanted.map((column) => byColumn(column, isReversed))
  return (a, b) => compares.map((compare) => compare(a, b)).find((order) => order !== 0) ?? byName(a, b)
}
