import * as v from 'valibot'
import type { GroupQuery, GroupRow, ListQuery } from './context'
import type { DaySum, DaySumsQuery } from './day-sums'
import type { AnyEntity, Row } from './entity'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'
import type { HomeChange } from './home'

/** Days of the figures of clients: in their list, and in compareWorkspaces unless it is called with others. */
export const clientDays = 28

/** A workspace in the list of clients. */
export interface ClientWorkspace {
  readonly id: string
  readonly timezone: string
}

/** Reads over many workspaces at once. Every read has the condition that its rows belong to one of them. */
export interface ClientReads {
  readonly workspaces: readonly ClientWorkspace[]
  now(): Date
  /** Reads rows of all these workspaces, or only of those with the given ids. */
  rows<E extends AnyEntity>(
    entity: E,
    among?: readonly string[],
  ): {
    group(query: GroupQuery): Promise<GroupRow[]>
    daySums(query: DaySumsQuery): Promise<DaySum[]>
    list(query?: ListQuery): Promise<Row<E>[]>
  }
}

/** What a column shows for one workspace. */
export interface ClientCell {
  /** The value that the column is sorted by. Rows with null come last. */
  readonly value: number | null
  readonly text: string
  readonly change?: HomeChange
}

/** A column of the list of clients. */
export interface ClientColumn {
  /** Unique over all plugins, in kebab-case. The address of the sorted list contains it. */
  readonly name: string
  readonly title: string
  /** Which end is worse. The first click sorts the worst rows to the top. */
  readonly worst: 'high' | 'low'
  /** How the value is counted, with its period. */
  readonly definition: string
  /** The page that a cell links to inside its workspace: a path under /app. */
  readonly href: string
}

/** The cells of one workspace. */
export interface ClientFigures {
  /** Cells by name of the column. A missing cell is shown as unknown. */
  readonly cells: Readonly<Record<string, ClientCell>>
  /** Time of the last activity, ISO 8601. */
  readonly active_at?: string
}

/** Columns of the list of clients. */
export interface ClientSource extends Extension {
  /** Sort position. Sources with lower numbers come first. */
  readonly order: number
  readonly columns: readonly ClientColumn[]
  /** The figures of all workspaces, by id. The number of reads must not grow with the number of workspaces. */
  load(reads: ClientReads): Promise<ReadonlyMap<string, ClientFigures>>
}

/** What plugins show of each workspace in the list of clients. */
export const clientFigures: ExtensionPoint<ClientSource> = defineExtensionPoint<ClientSource>({
  id: 'clients.figures',
  summary: 'Columns of the list of clients: one row per workspace',
  isOptional: true,
  shape: {
    order: v.number(),
    columns: v.array(
      v.object({
        name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]*$/, 'kebab-case')),
        title: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
        worst: v.picklist(['high', 'low']),
        definition: v.pipe(v.string(), v.minLength(1)),
        href: v.pipe(v.string(), v.regex(/^\/app(\/[a-z0-9-]+)*(\?[\w=&%.~-]*)?$/, 'a path under /app')),
      }),
    ),
    load: v.function(),
  },
})
