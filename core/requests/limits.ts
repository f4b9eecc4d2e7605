import { Refusal } from '../contracts/errors'
import type { OperationClass } from '../contracts/operation'
import type { Settings } from '../contracts/settings'
import { where } from '../contracts/where'
import type { Documents } from '../stores/documents/port'
import { addressBucket } from './client-address'
import type { RequestState } from './request'
import { UsageDay } from './UsageDay'
import { createWindows, type Windows } from './windows'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Windows of one address at the token endpoint: whoever asks chooses the client's name. */
const clientWindows = 64

export interface Policy {
  readonly name: string
  readonly quota: number
  readonly windowSeconds: number
}

/** Returns every limit of a deployment by name, for `GET /api/surface` and the docs. */
export const policiesOf = (settings: Settings) =>
  ({
    reads: minutely('reads', settings.LIMIT_READS_PER_MINUTE),
    operations: minutely('operations', settings.LIMIT_OPERATIONS_PER_MINUTE),
    pages: minutely('pages', settings.LIMIT_PAGES_PER_MINUTE),
    agencyPages: minutely('agency-pages', settings.LIMIT_AGENCY_PAGES_PER_MINUTE),
    drafts: minutely('drafts', settings.LIMIT_DRAFTS_PER_MINUTE),
    draftsDay: daily('drafts-day', settings.LIMIT_DRAFTS_PER_DAY),
    reportsDay: daily('reports-day', settings.LIMIT_REPORTS_PER_DAY),
    setupsDay: daily('setups-day', settings.LIMIT_SETUPS_PER_DAY),
    failures: minutely('failed-authentication', settings.LIMIT_FAILED_AUTHENTICATION_PER_MINUTE),
    registrations: {
      name: 'registrations',
      quota: settings.LIMIT_REGISTRATIONS_PER_HOUR,
      windowSeconds: 3_600,
    },
    authorizations: {
      name: 'authorizations',
      quota: settings.LIMIT_AUTHORIZATIONS_PER_15_MINUTES,
      windowSeconds: 900,
    },
    tokens: minutely('tokens', settings.LIMIT_TOKENS_PER_MINUTE),
    // Counted before a body is read: what it asks for is known, and counted in turn, only after it was parsed.
    mcpRequests: minutely(
      'mcp-requests',
      settings.LIMIT_READS_PER_MINUTE + settings.LIMIT_OPERATIONS_PER_MINUTE,
    ),
    tokenRequests: minutely('token-requests', settings.LIMIT_TOKENS_PER_MINUTE * clientWindows),
    appDocuments: minutely('app-documents', settings.LIMIT_APP_DOCUMENTS_PER_MINUTE),
    appDocumentRequests: minutely('app-document-requests', settings.LIMIT_APP_DOCUMENTS_PER_MINUTE),
  }) as const satisfies Record<string, Policy>

export interface Limits {
  readonly policies: ReturnType<typeof policiesOf>
  /** Counts a read, or refuses it. */
  read(state: RequestState, credential: string): void
  /** Counts a page of a person, or refuses it. */
  page(state: RequestState, person: string, agencyId: string): void
  /** Counts a request to the operations, whatever comes of it: the call that it leads to is not counted again. */
  operation(state: RequestState, credential: string): void
  /** Counts a call against the limits per minute. */
  call(state: RequestState, credential: string, kind: OperationClass): void
  /** Counts a call that is about to write against the stored quota of the day. */
  spend(state: RequestState, credential: string, agencyId: string, kind: OperationClass): Promise<void>
  /** Counts a failed authentication; refuses it with 429 once there were too many from that address. */
  failure(state: RequestState): void
  /** Counts a registration of an app, by address. */
  registration(state: RequestState): void
  /** Counts what an app asks people for, by address. */
  authorization(state: RequestState): void
  /** Counts what an app asks the token endpoint, by app and address. */
  token(state: RequestState, client: string): void
  /** Counts a request to the MCP endpoint before its body is read. */
  mcpRequest(state: RequestState, credential: string): void
  /** Counts a request to the token endpoint before its body is read, by address. */
  tokenRequest(state: RequestState): void
  /** Adds the fields to an answer that was counted against no limit: what is left of the limit that would refuse its like. */
  show(state: RequestState): void
  /** Counts what is fetched to learn of an app, by the host that describes it and by the address that names it. */
  appDocument(state: RequestState, host: string): void
}

/**
 * Creates the limits. Limits of less than a day are kept in this process. Daily quotas are stored and shared by all
 * processes.
 */
export function createLimits(settings: Settings, documents: Documents, now: () => Date): Limits {
  const policies = policiesOf(settings)
  const windows = new Map(
    Object.values(policies).map(({ name, windowSeconds }) => [name, createWindows(windowSeconds * 1_000)]),
  )
  const take = (state: RequestState, policy: Policy, owner: string, isTold = true) => {
    const at = now().getTime()
    const window = windowsOf(policy).of(owner, at)
    window.used++
    if (!isTold && window.used <= policy.quota) return
    report(state, policy, policy.quota - window.used, Math.ceil((window.endsAt - at) / 1000))
  }
  const show: Limits['show'] = (state) => {
    if (state.headers.ratelimit !== undefined) return
    const { policy, owner } = limitOf(policies, state)
    const at = now().getTime()
    const window = windowsOf(policy).running(owner, at)
    const { used, endsAt } = window ?? { used: 0, endsAt: at + policy.windowSeconds * 1_000 }
    describe(state, policy, policy.quota - used, Math.ceil((endsAt - at) / 1000))
  }
  const windowsOf = ({ name }: Policy): Windows => {
    const known = windows.get(name)
    if (!known) throw new Error(`There is no limit ${name}`)
    return known
  }
  const spend: Limits['spend'] = async (state, credential, agencyId, kind) => {
    const policy = dailyPolicy(policies, kind)
    if (!policy) return
    const at = now()
    const midnight = Math.floor(at.getTime() / dayMs) * dayMs + dayMs
    const used = await countDay(
      documents,
      `${credential}:${policy.name}:${at.toISOString().slice(0, 10)}`,
      agencyId,
      at,
    )
    report(state, policy, policy.quota - used, Math.ceil((midnight - at.getTime()) / 1000))
  }
  const operation: Limits['operation'] = (state, credential) => {
    state.isCounted = true
    take(state, policies.operations, credential)
  }
  return {
    policies,
    operation,
    read: (state, credential) => take(state, policies.reads, credential),
    page: (state, person, agencyId) => {
      take(state, policies.pages, person)
      take(state, policies.agencyPages, agencyId)
    },
    call: (state, credential, kind) => {
      if (!state.isCounted) take(state, policies.operations, credential)
      state.isCounted = false
      if (kind === 'draft') take(state, policies.drafts, credential)
    },
    spend,
    failure: (state) => take(state, policies.failures, addressBucket(state.address())),
    registration: (state) => take(state, policies.registrations, addressBucket(state.address())),
    authorization: (state) => take(state, policies.authorizations, addressBucket(state.address())),
    token: (state, client) =>
      take(
        state,
        policies.tokens,
        `${addressBucket(state.address())} ${Bun.hash.crc32(client) % clientWindows}`,
      ),
    show,
    mcpRequest: (state, credential) => take(state, policies.mcpRequests, credential, false),
    tokenRequest: (state) => take(state, policies.tokenRequests, addressBucket(state.address()), false),
    appDocument: (state, host) => {
      take(state, policies.appDocumentRequests, addressBucket(state.address()))
      take(state, policies.appDocuments, host)
    },
  }
}

/** The limit that a request runs into first, and whose window it is. Without a credential, the address's failures. */
function limitOf(policies: Limits['policies'], { path, principal, address }: RequestState) {
  if (!principal) return { policy: policies.failures, owner: addressBucket(address()) }
  if (path === '/api/mcp' || path === '/api/mcp/')
    return { policy: policies.mcpRequests, owner: principal.id }
  const policy = path.startsWith('/api/functions/') ? policies.operations : policies.reads
  return { policy, owner: principal.id }
}

/** Writes the IETF fields. */
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

/** Writes the IETF fields and refuses what is over the quota. */
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
    { upsert: true, returning: 'after' },
  )
  return Number(row?.used ?? 1)
}

const dailyPolicy = (policies: Limits['policies'], kind: OperationClass): Policy | undefined =>
  ({
    draft: policies.draftsDay,
    queue: policies.reportsDay,
    setup: policies.setupsDay,
    read: undefined,
    mark: undefined,
  })[kind]

const minutely = (name: string, quota: number): Policy => ({ name, quota, windowSeconds: 60 })
const daily = (name: string, quota: number): Policy => ({ name, quota, windowSeconds: dayMs / 1000 })
