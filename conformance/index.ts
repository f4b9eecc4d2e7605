import { ceilingChecks } from './checks/ceiling'
import { clampChecks } from './checks/clamp'
import { discoveryChecks } from './checks/discovery'
import { errorChecks } from './checks/errors'
import { markChecks } from './checks/marks'
import { protocolChecks } from './checks/protocol'
import { toolChecks } from './checks/tools'
import { writeChecks } from './checks/writes'
import { type ConnectionDeps, createConnection, NoAnswer } from './connection'
import { CannotRun, type Installation, type Keys, openInstallation } from './installation'
import { type Check, type CheckResult, createProof } from './proof'

/** What is tested, with which keys, and within which limits. */
export interface Options extends Keys, Omit<ConnectionDeps, 'endsAt' | 'key'> {
  readonly allowsWrites: boolean
  /** Longest time of the whole run. */
  readonly totalMs: number
  /** Words of checks to run, such as `marks`. Empty: all. */
  readonly only?: readonly string[]
  /** Called after each check. */
  readonly onResult?: (result: CheckResult) => void
}

/** The result of a run. */
export interface Report {
  readonly url: string
  /** `cannot run`: the installation did not answer, or not as Renown does. */
  readonly outcome: 'held' | 'broken' | 'cannot run'
  /** Why it could not run. */
  readonly reason?: string
  readonly requests: number
  readonly checks: readonly CheckResult[]
}

/** Every check, in the order in which they run. */
export const checks: readonly Check<Installation>[] = [
  ...protocolChecks,
  ...discoveryChecks,
  ...ceilingChecks,
  ...clampChecks,
  ...toolChecks,
  ...markChecks,
  ...errorChecks,
  ...writeChecks,
]

/** Checks in a row without an answer, after which the rest is not run. */
const silentMax = 3

/** Proves that the promises of Renown hold for a running installation. Reads only, unless writes are allowed. */
export async function prove({ only = [], onResult, ...options }: Options): Promise<Report> {
  const connection = createConnection({ ...options, endsAt: options.now() + options.totalMs })
  const results: CheckResult[] = []
  const reportOf = (reason?: string): Report => ({
    url: options.url,
    outcome: outcomeOf(results, reason),
    ...(reason === undefined ? {} : { reason: withoutKeys(reason, options) }),
    requests: connection.requests(),
    checks: results,
  })
  let installation: Installation
  try {
    installation = await openInstallation(connection, options, options.allowsWrites)
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof CannotRun) return reportOf(error.message)
    throw error
  }
  let silent = 0
  for (const check of checks.filter(
    ({ id }) => only.length === 0 || only.some((word) => id.includes(word)),
  )) {
    const result = silent >= silentMax ? notRun(check) : await runCheck(check, installation)
    silent = result.status === 'not run' ? silent + 1 : 0
    results.push(withoutKeysIn(result, options))
    onResult?.(withoutKeysIn(result, options))
  }
  return reportOf()
}

const notRun = ({ id, promise }: Check<Installation>): CheckResult => ({
  id,
  promise,
  status: 'not run',
  facts: 0,
  unproven: [],
  faults: ['The installation no longer answers.'],
})

async function runCheck(check: Check<Installation>, installation: Installation): Promise<CheckResult> {
  const { proof, result } = createProof()
  const { id, promise } = check
  try {
    await check.run(installation, proof)
  } catch (error) {
    const { facts, faults, unproven } = result()
    const said = error instanceof Error ? error.message : String(error)
    const status = faults.length > 0 ? 'broken' : 'not run'
    return { id, promise, status, facts, faults: [...faults, said], unproven }
  }
  return { id, promise, ...result() }
}

function outcomeOf(results: readonly CheckResult[], reason?: string): Report['outcome'] {
  if (results.some(({ status }) => status === 'broken')) return 'broken'
  const isSilent = results.some(({ status }) => status === 'not run')
  const isEmpty = !results.some(({ status }) => status === 'held')
  return reason !== undefined || isSilent || isEmpty ? 'cannot run' : 'held'
}

const withoutKeysIn = (result: CheckResult, keys: Keys): CheckResult => ({
  ...result,
  faults: result.faults.map((text) => withoutKeys(text, keys)),
  unproven: result.unproven.map((text) => withoutKeys(text, keys)),
})

/** Returns a text without the keys, which an installation may repeat in its answers. */
function withoutKeys(text: string, { key, otherKey, readKey }: Keys): string {
  return [key, otherKey, readKey].reduce<string>(
    (left, one) => (one ? left.replaceAll(one, '<key>') : left),
    text,
  )
}
