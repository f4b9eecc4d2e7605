import * as v from 'valibot'
import type { ClientReads, ClientWorkspace } from './clients'
import type { ReadContext } from './context'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'

/** The days of a period, both included. */
interface FigureDays {
  readonly date_from: string
  readonly date_to: string
  readonly days: number
}

/** A figure that workspaces are compared by. */
export interface ComparedFigure {
  /** Unique over all plugins, in snake_case. */
  readonly name: string
  readonly unit: 'count' | 'stars' | 'share'
  /** How it is counted, and what its n is. Like both notes, words of the plugin: never a name that somebody typed. */
  readonly definition: string
  /** Why its values of two workspaces cannot be compared. Left out if they can. */
  readonly acrossNote?: string
}

/** The value of a figure in a period, and the records that it rests on. */
export interface FigureValue {
  /** Null where there is nothing to compute it from. */
  readonly value: number | null
  readonly n: number
}

/** A figure of one workspace in two periods. */
export interface FigureValues {
  readonly now: FigureValue
  /** Left out for figures of the moment. */
  readonly before?: FigureValue
  /** Why both periods cannot be compared, as a sentence. */
  readonly changeNote?: string | undefined
}

/** Figures of one workspace by name. A missing figure means that the workspace has nothing of this kind. */
export type ReadFigures = Readonly<Partial<Record<string, FigureValues>>>

/** The requested period of a workspace, and the one before it. */
export interface FigurePeriods {
  readonly period: FigureDays
  readonly previous: FigureDays
}

/** Figures of one plugin. */
export interface WorkspaceFigureSource extends Extension {
  /** Sort position. Sources with lower numbers come first. */
  readonly order: number
  readonly figures: readonly ComparedFigure[]
  /** Reads them in one workspace. */
  read(ctx: ReadContext, periods: FigurePeriods): Promise<ReadFigures>
  /**
   * Reads them in many workspaces, by id. The number of reads must not grow with the number of workspaces. Without it, each
   * workspace is read by itself, as long as there is time.
   */
  readMany?(
    reads: ClientReads,
    periodsOf: (workspace: ClientWorkspace) => FigurePeriods,
  ): Promise<ReadonlyMap<string, ReadFigures>>
}

/** What workspaces are compared by. */
export const workspaceFigures: ExtensionPoint<WorkspaceFigureSource> =
  defineExtensionPoint<WorkspaceFigureSource>({
    id: 'workspaces.figures',
    summary: 'Figures that compareWorkspaces shows of each workspace',
    isOptional: true,
    shape: {
      order: v.number(),
      figures: v.array(
        v.looseObject({
          name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,39}$/, 'snake_case')),
          unit: v.picklist(['count', 'stars', 'share']),
          definition: v.pipe(v.string(), v.minLength(1)),
          acrossNote: v.optional(v.string()),
        }),
      ),
      read: v.function(),
      readMany: v.optional(v.function()),
    },
  })
