/** Who did something, for the audit log. */
export interface DoneBy {
  /** The origin where it was done, or `command line`. */
  readonly host: string
  readonly user_id?: string
}

/** What the entries of the audit log are about. */
export const auditKinds = [
  'key',
  'app',
  'domain',
  'person',
  'workspace',
  'location',
  'site',
  'connection',
] as const

/** One of them. */
export type AuditKind = (typeof auditKinds)[number]

/** What was done, such as `site.add`: a kind and a verb. */
export type AuditedAction = `${AuditKind}.${string}`

/** What an audit event says. It never contains a secret. */
export interface AuditedDeed {
  readonly action: AuditedAction
  /** The same in words for people, such as Site added. */
  readonly what: string
  /** The user-supplied name of the changed thing. */
  readonly subject?: string
  /** Id of the changed record. `history` of a page context finds the event by it. */
  readonly record_id?: string
  /** Id of the credential that it was done to, such as a connected app. */
  readonly credential?: string
}

/** The agency of an audit event: an agency, or that of a workspace. */
export type AuditOwner =
  | { readonly workspace_id: string; readonly agency_id?: never }
  | { readonly agency_id: string; readonly workspace_id?: never }

/** An audit event: something that a person or a command did. */
export type PluginAuditEvent = AuditedDeed &
  AuditOwner & {
    /** Copy `by` of the context. */
    readonly by: DoneBy | undefined
  }
