import type { AnyEntity } from '../contracts/entity'

/** Returns the table of an entity: its name in snake case. */
export const tableOf = (entity: AnyEntity): string =>
  entity.name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()
