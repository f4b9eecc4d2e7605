import { Refusal } from '../contracts/errors'
import type { StateMachine } from '../contracts/states'

/** Declares a state machine. A move to an unknown state is a type error. */
export const defineStates = <const S extends string>(
  machine: Pick<StateMachine<S>, 'entity' | 'field'> & {
    readonly moves: Readonly<Record<S, readonly NoInfer<S>[]>>
  } & Omit<StateMachine<NoInfer<S>>, 'moves'>,
): StateMachine<S> => machine

/** A move made by `moveState`, as part of its changes. The store checks which row it is for. */
export interface Move {
  readonly from: string | null
  readonly to: string
}

/**
 * Returns the symbol under which changes contain a move of this field. It survives a spread, and stores do
 * not see it.
 */
const moveKey = ({ entity, field }: Pick<StateMachine, 'entity' | 'field'>) =>
  Symbol.for(`renown.move ${entity}.${field}`)

/** Returns the move of the machine's field in these changes. Undefined when `moveState` did not make them. */
export const moveIn = (machine: StateMachine, changes: object): Move | undefined =>
  (changes as Readonly<Record<symbol, Move>>)[moveKey(machine)]

/**
 * Whether the machine allows this move. If `from` is null: whether a row may start in the state. Staying in a
 * state is not a move.
 */
export const mayMove = <S extends string>(machine: StateMachine<S>, from: S | null, to: S): boolean =>
  (from === null ? machine.initial : machine.moves[from]).includes(to)

/**
 * Returns the changes that move a row: its state, its dates, the given values and the removed fields. Throws
 * a `conflict` Refusal if the move is not allowed, and `invalid_field` if a required field is missing.
 */
export function moveState<S extends string>(
  machine: StateMachine<S>,
  from: S | null,
  to: S,
  { now, with: given = {} }: { readonly now: Date; readonly with?: Readonly<Record<string, unknown>> },
): Record<string, unknown> {
  if (!mayMove(machine, from, to)) throw refusedMove(machine, from, to)
  const missing = (machine.needs?.[to] ?? []).filter((name) => !given[name])
  if (missing.length > 0) {
    const errors = missing.map((name) => {
      return { pointer: `/${name}`, code: 'required', message: `required to move to ${to}` }
    })
    throw new Refusal('invalid_field', `Moving to ${to} needs ${missing.join(', ')}.`, { errors })
  }
  const left = from === null ? [] : (machine.clears?.[from] ?? [])
  const stamps: readonly (string | undefined)[] = [machine.stamps?.every, machine.stamps?.[to]]
  const stamped = stamps.flatMap((name) => (name === undefined ? [] : [[name, now.toISOString()]]))
  return {
    ...Object.fromEntries(left.map((name) => [name, undefined])),
    ...Object.fromEntries(stamped),
    ...given,
    [machine.field]: to,
    [moveKey(machine)]: { from, to } satisfies Move,
  }
}

/** Returns the Refusal for a move that the machine does not allow. */
export function refusedMove<S extends string>(machine: StateMachine<S>, from: S | null, to: S): Refusal {
  const name = `${machine.entity}.${machine.field}`
  if (from === null) {
    return new Refusal(
      'conflict',
      `${name} cannot start as ${to}. It starts as ${machine.initial.join(' or ')}.`,
    )
  }
  const open = machine.moves[from].join(', ') || 'nothing: it is final'
  return new Refusal(
    'conflict',
    `${name} cannot move from ${from} to ${to}. From ${from} it can move to ${open}.`,
  )
}
