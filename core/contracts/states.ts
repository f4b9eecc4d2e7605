/**
 * The states of a field and the moves between them. docs/STATES.md is generated from it, and every change goes
 * through `moveState`. People, jobs and plugins change states. Operations never do.
 */
export interface StateMachine<S extends string = string> {
  readonly entity: string
  readonly field: string
  /** States a row may begin in. */
  readonly initial: readonly S[]
  /** Every state, with the states it may move to. None: it is final. */
  readonly moves: Readonly<Record<S, readonly S[]>>
  /** Fields stamped with the time of a change: of every one, or by the state that is entered. */
  readonly stamps?: { readonly every?: string } & { readonly [K in S]?: string }
  /** Fields that must be given on entering a state. */
  readonly needs?: Readonly<Partial<Record<S, readonly string[]>>>
  /** Fields that are removed on leaving a state. */
  readonly clears?: Readonly<Partial<Record<S, readonly string[]>>>
}
