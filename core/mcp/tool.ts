import type { EntityDeps } from '../http/entities'
import type { CallDeps } from '../http/functions'
import type { Printed } from '../kit/model-text'
import type { AuthenticatedState } from '../requests/request'
import type { ObjectSchema } from './schema'

export type ToolDeps = EntityDeps & CallDeps

/** The arguments of a tool, by name. */
export type Arguments = Readonly<Record<string, unknown>>

/** Returns the arguments without one of them. */
export function without(args: Arguments, name: string): Arguments {
  if (!Object.hasOwn(args, name)) return args
  const { [name]: _, ...rest } = args
  return rest
}

/** A tool as clients list it. */
export interface ToolListing {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  /** Left out unless the client asked for structured content. */
  outputSchema?: ObjectSchema
  annotations: {
    readOnlyHint: boolean
    /** Says something only of tools that write. */
    destructiveHint?: boolean
    idempotentHint?: boolean
    openWorldHint: boolean
  }
  [more: string]: unknown
}

/** One tool in the table of both revisions. */
export interface Tool {
  readonly listing: ToolListing
  /** What it accepts. The listing leaves out what a refusal would say. */
  readonly accepts: ObjectSchema
  /** What its structured content holds. */
  readonly outputSchema: ObjectSchema
  /** Its name in `?toolsets=`. */
  readonly toolset: string
  readonly writes: boolean
  /** Whether it counts as a read before anything else is checked. Other tools count as an operation. */
  readonly isRead: boolean
  /** Returns the address of the same call over HTTP, for the log. */
  address(args: Arguments): string
  /** Runs the tool and returns its answer, with the words of strangers marked. `state` contains the workspace. */
  run(deps: ToolDeps, state: AuthenticatedState, args: Arguments): Promise<Printed>
}

/** `listLeadsWithMentions`, `list_records` → `List leads with mentions`, `List records`. */
export function titleOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\bai\b/, 'AI')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const workspaceArgument = { workspace_id: { type: 'string' } }
