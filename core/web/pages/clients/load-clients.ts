import * as v from 'valibot'
import { clientReads } from '../../../contexts/client-reads'
import {
  type ClientCell,
  type ClientColumn,
  type ClientFigures,
  type ClientSource,
  clientFigures,
} from '../../../contracts/clients'
import type { Row } from '../../../contracts/entity'
import type { PageContext } from '../../../contracts/page'
import { everything, where } from '../../../contracts/where'
import { Workspace } from '../../../tenancy/Workspace'
import { problemFigures } from './problem-figures'

/** Maximum workspaces whose figures are read. A search by name finds the others. */
const workspacesMax = 2_000

/** A workspace with its figures. */
export interface ClientRow {
  readonly id: string
  readonly name: string
  readonly isHome: boolean
  readonly isActive: boolean
  readonly cells: Readonly<Record<string, ClientCell>>
  /** Null if no activity is known. */
  readonly activeAt: string | null
  /** Whether there are more workspaces than are read. */
  readonly isCut: boolean
}

/** A column, with whether it could be read. */
export interface ShownColumn extends ClientColumn {
  /** Whether the column cannot be read. It then says so and shows no zero. */
  readonly isUnread: boolean
}

/** The clients of the person, and the columns about them. */
export interface Clients {
  readonly columns: readonly ShownColumn[]
  /** All rows, the worst first: by all columns, one after the other. */
  readonly rows: readonly ClientRow[]
}

/** Which clients a person asks for. */
export interface ClientFilters {
  /** A part of the name. Empty for all. */
  readonly q: string
  /** `archived`, or empty for active ones. */
  readonly show: string
}

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
const sourcesOf = ({ extensions }: PageContext): ClientSource[] => [
  problemFigures,
  ...extensions(clientFigures).toSorted((a, b) => a.order - b.order),
]

/** Whether the person may create, rename, archive and invite. */
export const mayManage = ({ person, isDemo }: PageContext): boolean => person.role === 'owner' && !isDemo

/**
 * Returns the matching workspaces that this person sees: the demo's if the current workspace is in the demo,
 * otherwise their own.
 */
async function workspacesOf(
  { system, person, workspace, isDemo }: PageContext,
  { q, show }: ClientFilters,
): Promise<Row<typeof Workspace>[]> {
  const given = isDemo ? undefined : person.workspace_ids
  return system.rows(Workspace).list({
    where: where.and(
      where.eq('agency_id', isDemo ? workspace.agency_id : person.agency_id),
      where.eq('is_active', show !== 'archived'),
      given ? where.in('id', [...given]) : everything,
      q === '' ? everything : { op: 'contains', field: 'name', value: q },
    ),
    sort: [{ field: 'name', direction: 'asc' }],
    limit: workspacesMax + 1,
  })
}

/** Reads the clients, once for a request. The number of reads does not depend on the number of clients. */
export const clientsOf = (ctx: PageContext, asked: ClientFilters): Promise<Clients> =>
  ctx.once('clients', () => readClients(ctx, asked))

async function readClients(ctx: PageContext, asked: ClientFilters): Promise<Clients> {
  const found = await workspacesOf(ctx, asked)
  const shown = found.slice(0, workspacesMax)
  const workspaces = shown.map(({ id, timezone }) => ({ id, timezone }))
  const reads = clientReads(ctx.system, workspaces)
  // The figures of an archived workspace are from the day on which it was archived.
  const read = await Promise.all(sourcesOf(ctx).map((source) => readSource(ctx, source, reads)))
  const columns = read.flatMap(({ source, figures }) =>
    source.columns.map((column) => ({ ...column, isUnread: figures === null })),
  )
  const rows = shown.map(({ id, name, is_home, is_active }): ClientRow => {
    const own = read.flatMap(({ figures }) => figures?.get(id) ?? [])
    const moments = own.flatMap(({ active_at }) => active_at ?? []).toSorted()
    return {
      id,
      name,
      isHome: is_home,
      isActive: is_active,
      cells: Object.fromEntries(own.flatMap(({ cells }) => Object.entries(cells))),
      activeAt: moments.at(-1) ?? null,
      isCut: found.length > workspacesMax,
    }
  })
  return { columns, rows: rows.toSorted(worstFirst(columns)) }
}

async function readSource(
  { system: { log } }: PageContext,
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
    log.error('figures of clients could not be read', { source: source.name, error: String(error) })
    return { source, figures: null }
  }
}

type Compare = (a: ClientRow, b: ClientRow) => number

const byName: Compare = (a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)

/** Returns the usual order. What is not known comes last. */
function worstFirst(columns: readonly ClientColumn[]): Compare {
  const compares = columns.map(({ name, worst }): Compare => {
    const sign = worst === 'high' ? -1 : 1
    return ({ cells: one }, { cells: other }) => {
      const a = one[name]?.value ?? null
      const b = other[name]?.value ?? null
      return a === null || b === null ? Number(a === null) - Number(b === null) : sign * (a - b)
    }
  })
  return (a, b) => compares.map((compare) => compare(a, b)).find((order) => order !== 0) ?? byName(a, b)
}
