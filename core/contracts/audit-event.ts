/** Who did something, for the audit log. */
export interface DoneBy {
  /** The origin where it was done, or `command line`. */
  readonly host: string
  readonly user_id?: string
}

/** An audit event: something that a person or a command did. It never contains a secret. */
export interface PluginAuditEvent {
  readonly workspace_id: string
  /** What was done, such as `site.add`. */
  readonly action: `${'workspace' | 'location' | 'site'}.${string}`
  /** The same in words for people, such as Site added. */
  readonly what: string
  /** The user-supplied name of the changed thing. */
  readonly subject?: string
  /** Id of the changed record. `history` of a page context finds the event by it. */
  readonly record_id?: string
  /** Copy `by` of the context. */
  readonly by: DoneBy | undefined
}
