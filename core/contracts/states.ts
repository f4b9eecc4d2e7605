/**
 * The states of a field and the moves between them. docs/reference/states.md is generated from it, and every change
 * uses `moveState`. People, jobs and plugins change states. Operations never do.
 */
export interface StateMachine<S extends string = string> {
  readonly entity: string
  readonly field: string
  /** The states in which a row may begin. */
  readonly initial: readonly S[]
  /** Every state, with the states it can move to. A state without moves is final. */
  readonly moves: Readonly<Record<S, readonly S[]>>
  /** Fields that are set to the time of a change: of every change, or of a change to one state. */
  readonly stamps?: { readonly every?: string } & { readonly [K in S]?: string }
  /** Fields that must be set when a row enters a state. */
  readonly needs?: Readonly<Partial<Record<S, readonly string[]>>>
  /** Fields that are removed when a row leaves a state. */
  readonly clears?: Readonly<Partial<Record<S, readonly string[]>>>
}
