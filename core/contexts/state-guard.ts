import type { StateMachine } from '../contracts/states'
import { everything, type Where, where } from '../contracts/where'
import { mayMove, moveIn, refusedMove } from '../kit/states'
import type { Registry } from '../registry/registry'

type Machines = readonly StateMachine[]
type Changes = Readonly<Record<string, unknown>>

const byRegistry = new WeakMap<Registry, Map<string, Machines>>()

/** Returns the state machines of an entity. */
export function machinesOf(registry: Registry, entity: string): Machines {
  const known = byRegistry.get(registry) ?? new Map<string, Machines>()
  byRegistry.set(registry, known)
  const found = known.get(entity) ?? [...registry.states.values()].filter((one) => one.entity === entity)
  known.set(entity, found)
  return found
}

/** Throws if a new row starts in a state that is not initial, or with the stamp of another state. */
export function checkInitial(machines: Machines, row: Changes): void {
  for (const machine of machines) {
    const state = (row[machine.field] ?? null) as string | null
    if (state !== null && !mayMove(machine, null, state))
      throw new Error(refusedMove(machine, null, state).message)
    const { every, ...stamps } = machine.stamps ?? {}
    for (const [of, name] of Object.entries(stamps)) {
      if (of === state || name === every || (row[name as string] ?? null) === null) continue
      throw new Error(`${machine.entity}.${name} is the time of the state ${of}. A new row cannot carry it.`)
    }
  }
}

/** Throws if changes name a state field or its stamp. Operations never change states. */
export function refuseMoves(machines: Machines, names: readonly string[]): void {
  for (const machine of machines) {
    const own = [machine.field, ...Object.values(machine.stamps ?? {})]
    const named = names.find((name) => own.includes(name))
    if (named !== undefined) {
      throw new Error(
        `${machine.entity}.${named} is changed by its state machine. Operations never change it.`,
      )
    }
  }
}

/**
 * Returns the condition under which changes may be stored: the row still has the state that the move starts
 * from. Throws if changes name a state field without a move by `moveState`, or with a move that the
 * registered machine does not allow.
 */
export function moveCondition(machines: Machines, changes: Changes): Where {
  const conditions = machines
    .filter((machine) => machine.field in changes)
    .map((machine) => {
      const move = moveIn(machine, changes)
      if (!move || move.to !== changes[machine.field])
        throw new Error(
          `Change ${machine.entity}.${machine.field} only with the changes that \`moveState\` returns.`,
        )
      if (!mayMove(machine, move.from, move.to)) throw refusedMove(machine, move.from, move.to)
      return where.eq(machine.field, move.from)
    })
  return conditions.length === 0 ? everything : where.and(...conditions)
}
