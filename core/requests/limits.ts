import { Refusal } from '../contracts/errors'
import type { OperationClass } from '../contracts/operation'
import type { Settings } from '../contracts/settings'
import { dayMs } from '../contracts/time'
import { where } from '../contracts/where'
import type { Documents } from '../stores/documents/port'
import { currentWork, type Work } from '../work/scope'
import { addressBucket } from './client-address'
import {
  type ChargeName,
  charges,
  clientWindows,
  type LimitName,
  limitTable,
  type Policy,
  policiesOf,
  writeCharges,
} from './limit-table'
import { createLoopBudget } from './loop-budget'
import type { RequestState } from './request'
import { UsageDay } from './UsageDay'
import { createWindows, type Windows } from './windows'

/** The caller that a charge counts for, besides the address. The limits decide which ids are needed. */
interface Counted {
  readonly credential?: string
  readonly person?: string
  readonly agency?: string
  readonly app?: string
  /** The host that describes an app. */
  readonly host?: string
}

export interface Limits {
  /** Counts a request against every limit that `charges` lists for it. Throws if a limit is exceeded. */
  count(state: RequestState, charge: ChargeName, of?: Counted): void
  /** Counts a call that is about to write against the stored quota of the day. */
  spend(
    state: RequestState,
    credential: string,
    agencyId: string,
    kind: OperationClass,
  ): Promise<void> | undefined
  /** Charges the processor time of a request that was answered. */
  settle(work: Pick<Work, 'loopTime'>, status: number): void
  /**
   * Adds the limit headers to an answer that counted against no limit: what is left of the limit that such a
   * request would reach first.
   */
  show(state: RequestState): void
}

/**
 * Creates the limits. Those of less than a day exist only in this process. Daily quotas are stored and shared
 * by all processes.
 */
export function createLimits(settings: Settings, documents: Documents, now: () => Date): Limits {
  const policies = policiesOf(settings)
  const budget = createLoopBudget(settings, () => performance.now())
  const windows = new Map(
    Object.values(policies).map(({ name, windowSeconds }) => [name, createWindows(windowSeconds * 1_000)]),
  )
  const windowsOf = ({ name }: Policy): Windows => {
    const known = windows.get(name)
    if (!known) throw new Error(`There is no limit ${name}`)
    return known
  }
  const take = (state: RequestState, limit: LimitName, of: Counted) => {
    const policy = policies[limit]
    const at = now().getTime()
    const window = windowsOf(policy).of(ownerOf(limit, state, of), at)
    window.used++
    if ('isSilent' in limitTable[limit] && window.used <= policy.quota) return
    report(state, policy, policy.quota - window.used, Math.ceil((window.endsAt - at) / 1000))
  }
  const show: Limits['show'] = (state) => {
    if (state.headers.ratelimit !== undefined) return
    const limit = firstLimit(state)
    const policy = policies[limit]
    const at = now().getTime()
    const owner = ownerOf(limit, state, { credential: state.principal?.id ?? '' })
    const window = windowsOf(policy).running(owner, at)
    const { used, endsAt } = window ?? { used: 0, endsAt: at + policy.windowSeconds * 1_000 }
    describe(state, policy, policy.quota - used, Math.ceil((endsAt - at) / 1000))
  }
  const spend: Limits['spend'] = (state, credential, agencyId, kind) => {
    const charge = writeCharges[kind]
    return charge === null ? undefined : spendDay(state, credential, agencyId, charge)
  }
  const spendDay = async (state: RequestState, credential: string, agencyId: string, charge: ChargeName) => {
    const at = now()
    const midnight = Math.floor(at.getTime() / dayMs) * dayMs + dayMs
    for (const limit of charges[charge].against) {
      const policy = policies[limit]
      const id = `${credential}:${policy.name}:${at.toISOString().slice(0, 10)}`
      const used = await countDay(documents, id, agencyId, at)
      report(state, policy, policy.quota - used, Math.ceil((midnight - at.getTime()) / 1000))
    }
  }
  const count: Limits['count'] = (state, charge, of = {}) => {
    for (const limit of charges[charge].against) take(state, limit, of)
    const { loopTime } = currentWork()
    if (loopTime && charge !== 'failure') {
      budget.enter(loopTime, of.credential ?? of.person ?? addressBucket(state.address()))
    }
  }
  return { count, spend, show, settle: ({ loopTime }, status) => budget.settle(loopTime, status) }
}

/** Returns the owner of a limit's window. */
function ownerOf(limit: LimitName, { address }: RequestState, of: Counted): string {
  const { per } = limitTable[limit]
  if (per === 'address') return addressBucket(address())
  if (per === 'app and address')
    return `${addressBucket(address())} ${Bun.hash.crc32(of.app ?? '') % clientWindows}`
  if (per === 'page and address') return `${addressBucket(address())} ${of.credential ?? ''}`
  const owner = {
    credential: of.credential,
    person: of.person,
    agency: of.agency,
    'host of the app': of.host,
  }[per]
  if (owner === undefined) throw new Error(`The limit ${limit} counts by ${per}, and none was named`)
  return owner
}

/**
 * Returns the limit that a request reaches first. Without a credential, that is the limit of the address's
 * failures.
 */
function firstLimit({ path, principal }: RequestState): LimitName {
  if (!principal) return 'failures'
  if (path === '/api/mcp' || path === '/api/mcp/') return 'mcpRequests'
  return path.startsWith('/api/functions/') ? 'operations' : 'reads'
}

/** Writes the rate limit headers of the IETF draft. */
function describe(
  state: RequestState,
  { name, quota, windowSeconds }: Policy,
  left: number,
  seconds: number,
) {
  const { headers } = state
  append(headers, 'ratelimit-policy', `"${name}";q=${quota};w=${windowSeconds}`)
  append(headers, 'ratelimit', `"${name}";r=${Math.max(0, left)};t=${seconds}`)
}

/** Writes the rate limit headers of the IETF draft. Throws if the quota is exceeded. */
function report(state: RequestState, policy: Policy, left: number, seconds: number) {
  describe(state, policy, left, seconds)
  if (left >= 0) return
  const { name, quota, windowSeconds } = policy
  throw new Refusal(
    'quota_exceeded',
    `The limit "${name}" of ${quota} requests in ${windowSeconds} seconds is used up.`,
    {
      retryAfterSeconds: seconds,
      extra: { 'violated-policies': [name] },
    },
  )
}

function append(headers: Record<string, string>, name: string, value: string) {
  headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
}

async function countDay(documents: Documents, id: string, agencyId: string, at: Date): Promise<number> {
  const stamp = at.toISOString()
  const row = await documents.collection(UsageDay).updateOne(
    where.eq('id', id),
    {
      inc: { used: 1 },
      set: { updated_date: stamp },
      setOnInsert: {
        id,
        workspace_id: agencyId,
        created_date: stamp,
        expires_at: new Date(at.getTime() + 2 * dayMs).toISOString(),
      },
    },
    { upsert: true },
  )
  return Number(row?.used ?? 1)
}
