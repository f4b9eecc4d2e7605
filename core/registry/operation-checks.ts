import * as v from 'valibot'
import { type AnyOperation, operationClasses } from '../contracts/operation'

/** Returns what is wrong with an operation. Its name is checked with those of the other declarations. */
export function operationFaults(operation: AnyOperation): string[] {
  const at = `operation ${operation.name}`
  const faults: string[] = []
  if (!operationClasses.includes(operation.class)) {
    faults.push(
      `${at}: class ${String(operation.class)} is not allowed. Use one of ${operationClasses.join(', ')}`,
    )
  }
  if (operation.crossAgency !== 'allowed' && operation.crossAgency !== 'own') {
    faults.push(`${at}: crossAgency must be allowed or own`)
  }
  const input = operation.input as v.GenericSchema & { entries?: Record<string, unknown> }
  if (input?.type !== 'strict_object') faults.push(`${at}: its input must be a v.strictObject`)
  else if (input.entries && 'dry_run' in input.entries)
    faults.push(`${at}: dry_run is reserved for the gateway`)
  if (!v.isOfKind('schema', operation.output ?? {})) faults.push(`${at} has no output schema`)
  if (typeof operation.run !== 'function') faults.push(`${at} has no run function`)
  return faults
}
