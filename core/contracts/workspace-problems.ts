import * as v from 'valibot'
import type { ReadContext } from './context'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'

/** Something in a workspace that does not work, and that somebody should repair. */
export interface WorkspaceProblem {
  /** In snake_case, such as `sync_failed`. */
  readonly kind: string
  /** `critical`: data is missing or nothing is sent. `warning`: incomplete, or repeated by Renown itself. */
  readonly severity: 'critical' | 'warning'
  /** Problems of paused and removed locations are left out. */
  readonly location_id?: string
  /** What it concerns, such as a platform or the name of a tracker. */
  readonly about?: string
  /** ISO 8601. Left out if unknown. */
  readonly since?: string
  /** The reason that was recorded. */
  readonly why?: string
  /** What to do, as a sentence with the page under /app. Never a name that somebody typed. */
  readonly todo: string
}

/** Problems of one plugin. */
export interface WorkspaceProblemSource extends Extension {
  /** Sort position. Sources with lower numbers come first. */
  readonly order: number
  /** Returns at most `limit` problems of the workspace. If it throws, its part is reported as unknown. */
  read(ctx: ReadContext, limit: number): Promise<readonly WorkspaceProblem[]>
}

/** What getActiveSyncs reports as broken. */
export const workspaceProblems: ExtensionPoint<WorkspaceProblemSource> =
  defineExtensionPoint<WorkspaceProblemSource>({
    id: 'workspaces.problems',
    summary: 'Problems of a workspace that getActiveSyncs shows, worst first',
    isOptional: true,
    shape: { order: v.number(), read: v.function() },
  })
