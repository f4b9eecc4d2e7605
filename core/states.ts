import { Refusal } from './contracts/errors'

/**
 * The states of one field and the moves between them, as data: documents are printed from it and every change goes
 * through `moveState`. Agents hold no operation that moves a state.
 */
export interface StateMachine<S extends string = string> {
  readonly entity: string
  readonly field: string
  /** Every state, with the states it may move to. */
  readonly moves: Readonly<Record<S, readonly NoInfer<S>[]>>
  /** Field stamped with the time of every change. */
  readonly stamp?: string
  /** Fields that must be given on entering a state. */
  readonly needs?: Readonly<Partial<Record<NoInfer<S>, readonly string[]>>>
  /** Fields that are removed on leaving a state. */
  readonly clears?: Readonly<Partial<Record<NoInfer<S>, readonly string[]>>>
}

/** Declares a state machine; a move to a state that is none is a type error. */
export const defineStates = <const S extends string>(machine: StateMachine<S>): StateMachine<S> => machine

/** Whether the machine allows this move. Staying is no move. */
export const mayMove = <S extends string>(machine: StateMachine<S>, from: S, to: S): boolean =>
  machine.moves[from].includes(to)

/**
 * The changes that move a row: the state, its stamp, what was given with it and what is removed. Throws a `conflict`
 * Refusal for a move that is not allowed and an `invalid_field` one where something needed is missing.
 */
export function moveState<S extends string>(
  machine: StateMachine<S>,
  from: S,
  to: S,
  { now, with: given = {} }: { readonly now: Date; readonly with?: Readonly<Record<string, unknown>> },
): Record<string, unknown> {
  if (!mayMove(machine, from, to)) {
    const open = machine.moves[from].join(', ') || 'nothing: it is final'
    throw new Refusal(
      'conflict',
      `${machine.entity}.${machine.field} cannot move from ${from} to ${to}; from ${from} it moves to ${open}.`,
    )
  }
  const missing = (machine.needs?.[to] ?? []).filter((name) => !given[name])
  if (missing.length > 0) {
    throw new Refusal('invalid_field', `Moving to ${to} needs ${missing.join(', ')}.`, {
      errors: missing.map((name) => ({
        pointer: `/${name}`,
        code: 'required',
        message: `required to move to ${to}`,
      })),
    })
  }
  const cleared = Object.fromEntries((machine.clears?.[from] ?? []).map((name) => [name, undefined]))
  const stamp = machine.stamp === undefined ? {} : { [machine.stamp]: now.toISOString() }
  return { ...cleared, ...given, [machine.field]: to, ...stamp }
}
