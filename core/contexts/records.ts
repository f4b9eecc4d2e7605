import type { ReadContext } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'
import { type Fault, isRefusal, Refusal } from '../contracts/errors'
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
  const countRecords: RecordsContext['countRecords'] = async (name, q) => {
    const entity = listed([...registry.entities.values()], name)
    const view = viewOf(entity, caller.workspace)
    const asked = q === undefined ? withDefaults(view, null, new Set()) : filterOf(view, q)
    const condition = where.and(clampOf(entity, caller), asked)
    const count = () => sources.reader(entity).count(condition)
    return inBody(() => readNarrow(sources, { entity, view }, { where: condition }, count))
  }
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

function filterOf(view: AnyEntity, q: Readonly<Record<string, unknown>>) {
  try {
    const { where: parsed, named } = parseFilter(view, JSON.stringify(q))
    return withDefaults(view, parsed, named)
  } catch (error) {
    throw toBody(error)
  }
}

async function inBody<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toBody(error)
  }
}

/** Changes faults about the parameter `q` to faults about the body field. */
function toBody(error: unknown): unknown {
  if (!isRefusal(error)) return error
  const { errors = [], ...details } = error.details
  return new Refusal(error.code, error.message, { ...details, errors: errors.map(pointed) })
}

const pointed = ({ parameter, pointer = '', ...fault }: Fault): Fault =>
  parameter === 'q' ? { pointer: `/q${pointer}`, ...fault } : { pointer, ...fault }
