import * as v from 'valibot'
import type { GroupQuery, GroupRow, ListQuery } from './context'
import type { AnyEntity, Row } from './entity'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'
import type { HomeChange } from './home'

/** A workspace of the list of clients. */
export interface ClientWorkspace {
  readonly id: string
  readonly timezone: string
}

/** Reads over many workspaces at once. Every read has the condition that its rows belong to one of them. */
export interface ClientReads {
  readonly workspaces: readonly ClientWorkspace[]
  now(): Date
  /** Reads rows of all these workspaces, or of those among them whose ids are given. */
  rows<E extends AnyEntity>(
    entity: E,
    among?: readonly string[],
  ): {
    group(query: GroupQuery): Promise<GroupRow[]>
    list(query?: ListQuery): Promise<Row<E>[]>
  }
}

/** What a column says of one workspace. */
export interface ClientCell {
  /** What rows are sorted by. Null where it is not known: such rows come last. */
  readonly value: number | null
  readonly text: string
  readonly change?: HomeChange
}

/** A column of the list of clients. */
export interface ClientColumn {
  /** Unique over all plugins, in kebab-case: the word of the address that sorts by it. */
  readonly name: string
  readonly title: string
  /** Which end is worse. Rows are sorted by it first. */
  readonly worst: 'high' | 'low'
  /** How it is counted, with its period. */
  readonly definition: string
  /** Where a cell leads to inside its workspace: a path under /app. */
  readonly href: string
}

/** What a plugin knows of one workspace. */
export interface ClientFigures {
  /** By the name of the column. A column without a cell shows that nothing is known. */
  readonly cells: Readonly<Record<string, ClientCell>>
  /** When something last happened, ISO 8601. */
  readonly active_at?: string
}

/** Columns of the list of clients. */
export interface ClientSource extends Extension {
  /** Smaller orders come first. */
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
