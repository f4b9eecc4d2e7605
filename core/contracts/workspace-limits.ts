import * as v from 'valibot'
import type { WorkspaceInfo } from './context'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'
import type { SystemReads } from './owner'

/** A limit, and how much of it is used. */
export interface UsedLimit {
  /** What is limited, in snake_case. */
  readonly name: string
  /** What the limit belongs to, such as a tracker. Left out if there is only one limit with this name. */
  readonly subject?: string
  /** Who shares the limit. */
  readonly per: 'credential' | 'workspace' | 'agency' | 'tracker' | 'location'
  /** Plural of what is counted, such as `locations` or `US dollars`. */
  readonly unit: string
  readonly used: number
  readonly limit: number
  /** When the used part starts at 0 and ends. Left out for limits that do not start again. */
  readonly window?: { readonly from: string; readonly until: string }
  /** What happens at the limit, as a sentence. Like `unit`, without a name that somebody typed. */
  readonly atLimit: string
}

/** What a source may ask besides the system's reads. */
export interface LimitQuestion {
  readonly workspace: WorkspaceInfo
  /** Id of the credential that asks. */
  readonly credential: string
  /** The UTC day of now. */
  readonly today: { readonly from: string; readonly until: string }
  /** How much of the daily allowance of an outside service was spent on this UTC day, as `outbound.spend` counts. */
  spentToday(provider: string, account: string): Promise<number>
}

/** Limits of one plugin. */
export interface LimitSource extends Extension {
  /** Sort position. Sources with lower numbers come first. */
  readonly order: number
  read(ctx: SystemReads, asked: LimitQuestion): Promise<readonly UsedLimit[]>
}

/** The limits that getLimits shows. */
export const workspaceLimits: ExtensionPoint<LimitSource> = defineExtensionPoint<LimitSource>({
  id: 'workspaces.limits',
  summary: 'Limits of a workspace that getLimits shows, with what is used',
  isOptional: true,
  shape: { order: v.number(), read: v.function() },
})
