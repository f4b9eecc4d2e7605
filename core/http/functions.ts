import * as v from 'valibot'
import { type Authorizer, authorizeOperation } from '../auth/authorize'
import { candidatesFor } from '../contexts/candidates'
import { type Caller, type ContextDeps, markContext, readContext, writeContext } from '../contexts/context'
import { gatewayPluginName, recordsContext } from '../contexts/records'
import { resolveInput } from '../contexts/references'
import type { Sources } from '../contexts/sources'
import type { WriteContext } from '../contracts/context'
import { echoed } from '../contracts/echoed'
import { type Fault, Refusal, recoverIf } from '../contracts/errors'
import type { AnyOperation } from '../contracts/operation'
import type { Model } from '../contracts/outbound'
import { isPassing, isServiceFault, type ServiceFault } from '../contracts/service-fault'
import type { Settings } from '../contracts/settings'
import { draftRefused } from '../drafts/request-draft'
import { canonicalJson } from '../kit/canonical-json'
import { faultsOf, unknownField } from '../kit/faults'
import { unstorable } from '../kit/fields'
import { oncePer } from '../kit/once-per'
import { nearest } from '../kit/suggest'
import type { Clock } from '../process/clock'
import type { Registry } from '../registry/registry'
import type { Limits } from '../requests/limits'
import { originOf, type Principal, type RequestState } from '../requests/request'
import type { Documents } from '../stores/documents/port'
import type { Audit } from '../tenancy/audit/audit'
import { proposalsPluginName } from '../tenancy/proposals/changes'
import { paid } from '../work/loop-time'
import { currentWork } from '../work/scope'
import { namedInBody, noticeHeaders } from './deprecation'
import { once } from './idempotency'
import type { UsedLimits } from './used-limits'

export interface CallDeps {
  readonly registry: Registry
  readonly documents: Documents
  readonly sources: Sources
  readonly limits: Limits
  readonly authorizer: Pick<Authorizer, 'requireActive'>
  readonly clock: Clock
  readonly apiUrl: string
  readonly usedLimits: UsedLimits
  /** Operations of proposals read them. Others read none. */
  readonly settings: Settings
  /** Writes drafts. Without a model, drafts come from templates. */
  readonly model?: Model
  /** Gets the audit entries of what operations did. */
  readonly audit?: Pick<Audit, 'record'>
}

/** A call of an operation, over HTTP or MCP. */
export interface Call {
  readonly operation: AnyOperation
  readonly caller: Caller
  readonly principal: Principal
  /** The parsed body. It is validated here. */
  readonly body: () => Record<string, unknown> | Promise<Record<string, unknown>>
  readonly idempotencyKey: string | null
  readonly state: RequestState
}

/** Returns the operation with this name. */
export function operationOf(registry: Registry, name: string): AnyOperation {
  const operation = registry.operations.get(name)
  if (operation) return operation
  const meant = nearest(name, [...registry.operations.keys()])
  throw new Refusal('outside_surface', `There is no operation ${echoed(name)}.`, {
    hint: `${meant ? `Did you mean ${meant}? ` : ''}GET /api/surface lists what is callable.`,
  })
}

/**
 * Authorizes, limits, validates and runs an operation. HTTP and MCP both use it. It returns only what the output
 * schema declares.
 */
export async function callOperation(
  deps: CallDeps,
  call: Call,
): Promise<{ output: unknown; replayed: boolean }> {
  const { operation, principal, state, caller } = call
  if (operation.class === 'draft') deps.limits.count(state, 'draftCall', { credential: principal.id })
  // A draft of a model takes longer than a read. The first write commits.
  if (operation.class !== 'read') currentWork().takeTime()
  authorizeOperation(operation, principal, caller.workspace)
  await deps.authorizer.requireActive(operation, caller.workspace)
  const plugin = deps.registry.pluginOf('operation', operation.name) ?? ''
  const { dryRun, fields: sent } = splitDryRun(operation, await call.body())
  const missing = missingIn(operation, sent)
  const fields =
    missing.length === 0 ? sent : await withOnlyRecords(deps, call, { plugin, fields: sent, missing })
  const used = [operation.deprecated, ...namedInBody(operation, fields)]
  Object.assign(state.headers, noticeHeaders(originOf(state, deps.apiUrl), operation, used))
  const input = paid(undefined, () => validated(operation, fields))
  const key = idempotencyKeyOf(operation, call.idempotencyKey)
  const run = async () => {
    // A reference that is refused costs nothing of a quota.
    const resolved = resolveInput(deps, caller, { operation, plugin, input })
    const { input: meant, held } = resolved instanceof Promise ? await resolved : resolved
    const context = contextOf(deps, call, plugin, dryRun, held)
    const answer = async () => operation.run(context, meant)
    if (!dryRun) await deps.limits.spend(state, principal.id, principal.agency_id, operation.class)
    const output = await answer().catch(recoverIf(isServiceFault, refuseUnavailable))
    return paid(undefined, () => printed(operation, output))
  }
  if (key === null || dryRun) return { output: await run(), replayed: false }
  const scope = `${principal.id}\n${caller.workspace.id}\n${operation.name}`
  const body = canonicalJson(fields)
  return once(deps, { key, scope, agencyId: principal.agency_id, body, requestId: idOf(caller) }, run)
}

/** Reports the failure of an outside service to the caller: nothing was saved, and when to try again. */
function refuseUnavailable(fault: ServiceFault): never {
  const retryAfterSeconds = Math.ceil((fault.retryAfterMs ?? (isPassing(fault) ? 30_000 : 300_000)) / 1_000)
  const why =
    fault.code === draftRefused
      ? `${fault.message} Nothing was saved. Write the draft yourself, or try again.`
      : 'The language model returned no draft. Nothing was saved. Try again.'
  const refusal = new Refusal('unavailable', why, { retryAfterSeconds })
  throw Object.assign(refusal, { cause: fault })
}

function contextOf(
  deps: CallDeps,
  { operation, caller, principal }: Call,
  plugin: string,
  dryRun: boolean,
  held: ContextDeps['held'] = new Map(),
) {
  const { registry, sources, model } = deps
  const context = { registry, sources, held, now: deps.clock.now, ...(model ? { model } : {}) }
  if (operation.class === 'read') {
    if (plugin !== gatewayPluginName) return readContext(context, caller)
    const { workspace } = caller
    return recordsContext(context, caller, () => deps.usedLimits({ workspace, principal }))
  }
  if (operation.class === 'mark') return markContext(context, caller, plugin, dryRun)
  const writing = writeContext(context, caller, plugin, dryRun)
  const readsSettings = plugin === proposalsPluginName || operation.class === 'setup'
  return Object.freeze({
    ...writing,
    ...(readsSettings && { settings: deps.settings }),
    recordAudit: auditing(deps, caller, principal, dryRun),
  })
}

/** Returns what records the audit entries of a call. A call that only tries records none. */
const auditing =
  ({ audit, apiUrl }: CallDeps, { workspace: { agency_id } }: Caller, { id }: Principal, dryRun: boolean) =>
  async (event: Parameters<NonNullable<WriteContext['recordAudit']>>[0]): Promise<void> => {
    if (!dryRun) await audit?.record({ ...event, agency_id, host: apiUrl, credential: id })
  }

function splitDryRun(operation: AnyOperation, body: Record<string, unknown>) {
  if (operation.class === 'read' || !Object.hasOwn(body, 'dry_run')) return { dryRun: false, fields: body }
  const { dry_run, ...fields } = body
  if (typeof dry_run === 'boolean') return { dryRun: dry_run, fields }
  throw invalid(operation, [{ pointer: '/dry_run', code: 'invalid', message: 'expected true or false' }])
}

/** Returns the required fields of an operation that a body does not have. */
const missingIn = (operation: AnyOperation, fields: Record<string, unknown>): readonly string[] =>
  requiredOf(operation).filter((name) => fields[name] === undefined)

const requiredOf = oncePer((operation: AnyOperation) =>
  Object.entries((operation.input as { entries?: Record<string, { type: string }> }).entries ?? {}).flatMap(
    ([name, { type }]) => (type === 'optional' || type === 'nullish' ? [] : [name]),
  ),
)

/**
 * Returns a body with the record that a required field can only mean, because the workspace has no other. If it has several, the
 * refusal names them. An operation that writes is always told which one.
 */
async function withOnlyRecords(
  deps: CallDeps,
  call: Call,
  given: {
    readonly plugin: string
    readonly fields: Record<string, unknown>
    readonly missing: readonly string[]
  },
): Promise<Record<string, unknown>> {
  const { operation } = call
  const { plugin, fields, missing } = given
  const context = contextOf(deps, call, plugin, true)
  const found = await candidatesFor(deps.registry, context, plugin, missing)
  const isRead = operation.class === 'read'
  const severals = found.filter(({ only, names }) => names.length > 0 && !(isRead && only !== null))
  if (severals.length > 0) {
    throw invalid(
      operation,
      severals.map(({ argument, names }) => ({
        pointer: pointerTo(argument),
        code: 'required',
        message: 'is required',
        allowed: names,
      })),
    )
  }
  const meant = found.flatMap(({ argument, only }) => (only === null ? [] : [[argument, only]]))
  return { ...fields, ...Object.fromEntries(meant) }
}

const fieldNamesOf = oncePer((operation: AnyOperation) => {
  const known = Object.keys((operation.input as { entries?: object }).entries ?? {})
  return { known, takes: operation.class === 'read' ? known : [...known, 'dry_run'] }
})

function validated(operation: AnyOperation, fields: Record<string, unknown>): unknown {
  const { known, takes } = fieldNamesOf(operation)
  const unknown = Object.keys(fields).filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new Refusal(
      'unknown_field',
      `${operation.name} does not accept ${unknown.slice(0, 5).join(', ').slice(0, 200)}.`,
      {
        errors: unknown.slice(0, 20).map((name) => unknownField(pointerTo(name), name, takes)),
      },
    )
  }
  const result = v.safeParse(operation.input as v.GenericSchema, fields)
  if (result.success) {
    // A text that no store holds is named here by the caller's field, not later by a field of a row.
    const fault = operation.class === 'read' ? null : unstorable(fields, '')
    if (fault === null) return result.output
    const end = fault.indexOf(': ')
    throw invalid(operation, [
      { pointer: fault.slice(0, end), code: 'invalid', message: `must not contain ${fault.slice(end + 2)}` },
    ])
  }
  const faults = faultsOf(result.issues)
  if (faults.every(({ code }) => code === 'unknown_field')) {
    throw new Refusal('unknown_field', `${operation.name} does not accept a field of the body.`, {
      errors: faults,
    })
  }
  throw invalid(operation, faults)
}

/** Returns only what the output schema declares. An answer that does not match is a bug of the operation. */
function printed(operation: AnyOperation, answer: unknown): unknown {
  const result = v.safeParse(operation.output as v.GenericSchema, answer)
  if (result.success) return result.output
  const where = faultsOf(result.issues).map(({ pointer, message }) => `${pointer} ${message}`)
  throw new Error(`${operation.name} returned a value outside its output schema: ${where.join('; ')}`)
}

function idempotencyKeyOf(operation: AnyOperation, key: string | null): string | null {
  if (key === null) return null
  if (operation.class === 'read') return null
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new Refusal('invalid_parameter', 'The Idempotency-Key must have 1 to 255 visible ASCII characters.', {
    errors: [
      { header: 'Idempotency-Key', code: 'invalid', message: 'expected 1 to 255 visible ASCII characters' },
    ],
  })
}

function invalid(operation: AnyOperation, errors: readonly Fault[]): Refusal {
  const names = [...new Set(errors.map(({ pointer = '' }) => pointer.split('/')[1] ?? ''))].filter(Boolean)
  return new Refusal('invalid_field', `The body of ${operation.name} is invalid: ${names.join(', ')}.`, {
    errors,
  })
}

const pointerTo = (name: string) => `/${echoed(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Returns a unique name for the claim of a request, because a caller may send the same request id twice. */
const idOf = ({ requestId }: Caller) => `${requestId} ${crypto.randomUUID()}`
