import type { ReadContext } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'
import { type Fault, isRefusal, Refusal, recoverIf } from '../contracts/errors'
import { where } from '../contracts/where'
import { nearest } from '../kit/suggest'
import { parseFilter } from '../query/filter'
import { withDefaults } from '../query/parse'
import { readNarrow } from './breadth'
import { type Caller, type ContextDeps, clampOf, readContext } from './context'
import { viewOf } from './personal'

/**
 * The context of core's own operations: a `read` that can also list records of any type by name. Plugins never get
 * it.
 */
export interface RecordsContext extends ReadContext {
  /** Counts the rows of a list with this filter, on all pages. */
  countRecords(entity: string, q: Readonly<Record<string, unknown>> | undefined): Promise<number>
  /** The types of events that plugins declare. */
  readonly eventTypes: readonly string[]
}

/** The name of the plugin whose operations get a RecordsContext. */
export const gatewayPluginName = 'gate'

export function recordsContext(deps: ContextDeps, caller: Caller): RecordsContext {
  const { registry, sources } = deps
  const count: RecordsContext['countRecords'] = async (name, q) => {
    const entity = listed([...registry.entities.values()], name)
    const view = viewOf(entity, caller.workspace)
    const { where: parsed, named } = q ? parseFilter(view, JSON.stringify(q)) : everyRow
    const condition = where.and(clampOf(entity, caller), withDefaults(view, parsed, named))
    const read = () => sources.reader(entity).count(condition)
    return readNarrow(sources, { entity, view }, { where: condition }, read)
  }
  const countRecords: RecordsContext['countRecords'] = (name, q) =>
    count(name, q).catch(recoverIf(isRefusal, refuseInBody))
  const eventTypes = [...registry.eventTypes.keys()].sort()
  return Object.freeze({ ...readContext(deps, caller), countRecords, eventTypes })
}

function listed(entities: readonly AnyEntity[], name: string): AnyEntity {
  const offered = entities.filter(({ reads }) => reads.includes('list'))
  const found = offered.find((entity) => entity.name === name)
  if (found) return found
  const allowed = offered.map((entity) => entity.name).sort()
  const meant = nearest(name, allowed)
  const fault = { pointer: '/entity', code: 'invalid', message: 'is not an available record type', allowed }
  throw new Refusal('invalid_field', 'The body of countRecords is invalid: entity.', {
    errors: [meant ? { ...fault, did_you_mean: meant } : fault],
  })
}

const everyRow = { where: null, named: new Set<string>() }

/** Throws a refusal whose faults about the parameter `q` are about the body field. */
function refuseInBody({ code, message, details: { errors = [], ...details } }: Refusal): never {
  throw new Refusal(code, message, { ...details, errors: errors.map(pointed) })
}

const pointed = ({ parameter, pointer = '', ...fault }: Fault): Fault =>
  parameter === 'q' ? { pointer: `/q${pointer}`, ...fault } : { pointer, ...fault }
