import type { ClientReads } from '../contracts/clients'
import type { ReadContext, WorkspaceInfo } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'
import { type Fault, isRefusal, Refusal, recoverIf } from '../contracts/errors'
import { everything } from '../contracts/where'
import type { UsedLimit } from '../contracts/workspace-limits'
import { type Field, visibleFields } from '../kit/fields'
import type { NamedWorkspace } from '../tenancy/named-workspaces'
import { readNarrow } from './breadth'
import { clientReads } from './client-reads'
import { type Caller, type ContextDeps, readContext, readRows, resolve } from './context'
import { groupedAcross } from './grouped-across'
import { listable, listedRows } from './listed-rows'
import { viewOf, withheldFields } from './personal'
import { readableWorkspaces } from './readable-workspaces'
import { readerView } from './reader-view'
import type { GroupedRequest, GroupedValue } from './summed-groups'

/**
 * The context of core's own operations: a `read` that can also list records of any type by name. Plugins never get
 * it.
 */
export interface RecordsContext extends ReadContext {
  /** Counts the rows of a list with this filter, on all pages. */
  countRecords(entity: string, q: Readonly<Record<string, unknown>> | undefined): Promise<number>
  /** Counts the rows of a list by keys and by the values of a number, by the id of each workspace. The credential reads all of them. */
  groupRecords(
    request: GroupedRequest,
    workspaces: readonly WorkspaceInfo[],
  ): Promise<ReadonlyMap<string, GroupedValue[]>>
  /** Returns the first `limit` workspaces of the caller's agency that the credential reads, sorted by name. */
  workspaces(limit: number): Promise<readonly NamedWorkspace[]>
  /** Returns the context of reads in another workspace that the credential reads. */
  inWorkspace(workspace: WorkspaceInfo): ReadContext
  /** Returns reads over several workspaces that the credential reads. */
  across(workspaces: readonly NamedWorkspace[]): ClientReads
  /** Returns the limits of the caller and its workspace, with what is used of them. */
  usedLimits(): Promise<readonly UsedLimit[]>
  /** Returns the fields that callers see of a record type that can be listed. */
  fieldsOfRecords(entity: string): { readonly entity: AnyEntity; readonly fields: readonly Field[] }
  /** The types of events that plugins declare. */
  readonly eventTypes: readonly string[]
}

/** The name of the plugin whose operations get a RecordsContext. */
export const gatewayPluginName = 'gate'

export function recordsContext(
  deps: ContextDeps,
  caller: Caller,
  usedLimits: RecordsContext['usedLimits'],
): RecordsContext {
  const { registry, sources } = deps
  const count: RecordsContext['countRecords'] = async (name, q) => {
    const { entity, view, condition } = listedRows(registry, caller, name, q)
    const read = () => sources.reader(entity).count(condition)
    return readNarrow(sources, { entity, view }, { where: condition }, read)
  }
  const countRecords: RecordsContext['countRecords'] = (name, q) =>
    count(name, q).catch(recoverIf(isRefusal, refuseInBody))
  const eventTypes = [...registry.eventTypes.keys()].sort()
  const groupRecords: RecordsContext['groupRecords'] = (request, workspaces) =>
    groupedAcross(deps, caller, request, workspaces).catch(recoverIf(isRefusal, refuseInBody))
  const fieldsOfRecords: RecordsContext['fieldsOfRecords'] = (name) => {
    const entity = listable([...registry.entities.values()], name)
    return { entity, fields: visibleFields(viewOf(entity, caller.workspace)) }
  }
  return Object.freeze({
    ...readContext(deps, caller),
    countRecords,
    groupRecords,
    fieldsOfRecords,
    eventTypes,
    usedLimits,
    across: (workspaces: readonly NamedWorkspace[]) => acrossReads(deps, workspaces),
    inWorkspace: (workspace: WorkspaceInfo) => readContext(deps, { ...caller, workspace }),
    workspaces: (limit: number) => readableWorkspaces(deps, caller, limit),
  })
}

/** Reads whose every condition is that rows belong to one of these workspaces. One that hides contact details hides them for all. */
function acrossReads(
  { registry, sources, now }: ContextDeps,
  workspaces: readonly NamedWorkspace[],
): ClientReads {
  const hiding = workspaces.find(({ redact_pii }) => redact_pii === true)
  const rows = <E extends AnyEntity>(entity: E) => {
    const target = resolve(registry, entity)
    if (target.scope.by === 'agency' || target.scope.by === 'self')
      throw new Error(`${target.name} is not in a workspace and cannot be read across them`)
    const view = readerView(entity, target, hiding ? withheldFields(target, hiding) : [])
    return readRows<E>(sources.reader(target), target, everything, view)
  }
  return clientReads({ rows, now }, workspaces)
}

/** Throws a refusal whose faults about the parameter `q` are about the body field. */
function refuseInBody({ code, message, details: { errors = [], ...details } }: Refusal): never {
  throw new Refusal(code, message, { ...details, errors: errors.map(pointed) })
}

const pointed = ({ parameter, pointer = '', ...fault }: Fault): Fault =>
  parameter === 'q' ? { pointer: `/q${pointer}`, ...fault } : { pointer, ...fault }
