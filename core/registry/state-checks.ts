import type { AnyEntity } from '../contracts/entity'
import type { PluginDeclaration } from '../contracts/plugin'
import type { StateMachine } from '../contracts/states'
import { fieldsOf } from '../kit/fields'

/**
 * Returns what is wrong with a plugin's state machines. Each must match a field of the plugin's own entity, value by
 * value.
 */
export function stateFaults({ name, states = [], entities = [] }: PluginDeclaration): string[] {
  return states.flatMap((machine) => {
    const entity = entities.find((own) => own.name === machine.entity)
    const at = `${name}: states of ${machine.entity}.${machine.field}`
    if (!entity) return [`${at}: ${machine.entity} is not an entity of this plugin`]
    return machineFaults(machine, entity).map((fault) => `${at}: ${fault}`)
  })
}

function machineFaults(machine: StateMachine, entity: AnyEntity): string[] {
  const fields = new Map(fieldsOf(entity).map((field) => [field.name, field]))
  const states = Object.keys(machine.moves)
  const values = fields.get(machine.field)?.values ?? []
  const faults: string[] = []
  if (states.toSorted().join() !== values.map(String).toSorted().join()) {
    faults.push(
      `the states are ${states.join(', ')}, but the field accepts ${values.join(', ') || 'no list of values'}`,
    )
  }
  const named = [...machine.initial, ...Object.values(machine.moves).flat()]
  const marked = [machine.needs, machine.clears].flatMap((map) => Object.keys(map ?? {}))
  const stamped = Object.keys(machine.stamps ?? {}).filter((state) => state !== 'every')
  for (const state of [...named, ...marked, ...stamped]) {
    if (!states.includes(state)) faults.push(`${state} is not a state`)
  }
  if (machine.initial.length === 0) faults.push('no state is initial')
  for (const name of Object.values(machine.stamps ?? {}) as string[]) {
    if (fields.get(name)?.kind !== 'instant')
      faults.push(`sets ${name}, which is not a date field of the entity`)
  }
  for (const name of [...Object.values(machine.needs ?? {}), ...Object.values(machine.clears ?? {})].flat()) {
    if (name !== undefined && !fields.has(name))
      faults.push(`names ${name}, which is not a field of the entity`)
  }
  return faults
}
