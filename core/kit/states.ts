import { Refusal } from '../contracts/errors'
import type { StateMachine } from '../contracts/states'

/** Declares a state machine; a move to a state that is none is a type error. */
export const defineStates = <const S extends string>(
  machine: Pick<StateMachine<S>, 'entity' | 'field'> & {
    readonly moves: Readonly<Record<S, readonly NoInfer<S>[]>>
  } & Omit<StateMachine<NoInfer<S>>, 'moves'>,
): StateMachine<S> => machine

/** A move that `moveState` made, as its changes carry it: which row it is for is checked when it is stored. */
export interface Move {
  readonly from: string | null
  readonly to: string
}

/** The symbol under which changes carry a move of this field. It survives a spread, and no store sees it. */
const moveKey = ({ entity, field }: Pick<StateMachine, 'entity' | 'field'>) =>
  Symbol.for(`renown.move ${entity}.${field}`)

/** Returns the move of the machine's field that these changes carry. Undefined when `moveState` did not make them. */
export const moveIn = (machine: StateMachine, changes: object): Move | undefined =>
  (changes as Readonly<Record<symbol, Move>>)[moveKey(machine)]

/** Whether the machine allows this move; from null, whether a row may begin so. Staying is no move. */
export const mayMove = <S extends string>(machine: StateMachine<S>, from: S | null, to: S): boolean =>
  (from === null ? machine.initial : machine.moves[from]).includes(to)

/**
 * The changes that move a row: the state, its stamps, what was given with it and what is removed. Throws a `conflict`
 * Refusal for a move that is not allowed and an `invalid_field` one where something needed is missing.
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

/** The Refusal of a move that the machine does not allow. */
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
