import {
  type ConnectionInfo,
  type FaultKind,
  type OwnerContext,
  ServiceFault,
  type ServiceRequest,
  statusFault,
} from 'renown'
import * as v from 'valibot'
import type { ReviewedLocation } from './source'

/** What a fault is called that says that something is not there. */
export const notThere = 'not_there'

interface Asked extends Pick<ServiceRequest, 'method' | 'form'> {
  /** Below the version. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Asks the Graph API as the location's Page. A token that is dead breaks the connection: page tokens are not renewed. */
export async function askFacebook(
  ctx: OwnerContext,
  location: ReviewedLocation,
  { path, query = {}, ...asked }: Asked,
): Promise<unknown> {
  const connection = await pageConnection(ctx, location)
  const token = await ctx.outbound.connections.token(connection.id)
  const { FACEBOOK_GRAPH_URL: base, FACEBOOK_GRAPH_VERSION: version } = ctx.settings
  const secret = ctx.settings.FACEBOOK_APP_SECRET
  const signed = new URLSearchParams({
    ...query,
    ...(secret === '' ? {} : { appsecret_proof: hmac(secret, token) }),
  })
  const answer = await ctx.outbound.ask({
    ...asked,
    url: `${base}/${version}/${path}${signed.size === 0 ? '' : `?${signed}`}`,
    headers: { authorization: `Bearer ${token}` },
    secrets: [token, secret],
  })
  const fault = faultOf(answer)
  if (fault === null) return answer.json
  if (fault.kind === 'auth') await ctx.outbound.connections.fail(connection.id, 'broken', fault.message)
  throw fault
}

/** The connection of the location's Page, among those of its workspace. */
export async function pageConnection(
  ctx: OwnerContext,
  { workspace_id, facebook_page_id }: ReviewedLocation,
): Promise<ConnectionInfo> {
  const known = await ctx.outbound.connections.list({ workspace_id, provider: 'facebook' })
  const own = known.find(({ account_id }) => account_id === facebook_page_id)
  if (own) return own
  throw new ServiceFault('auth', "The location's Facebook Page is not connected", { code: 'no_connection' })
}

const hmac = (secret: string, token: string) =>
  new Bun.CryptoHasher('sha256', secret).update(token).digest('hex')

const envelope = v.object({
  error: v.object({
    message: v.optional(v.string(), ''),
    code: v.optional(v.number(), 0),
    error_subcode: v.optional(v.number()),
    is_transient: v.optional(v.boolean(), false),
  }),
})

/** What Facebook's answer means. Its status says little: nearly every error comes as a 400. */
export function faultOf(answer: Awaited<ReturnType<OwnerContext['outbound']['ask']>>): ServiceFault | null {
  const read = v.safeParse(envelope, answer.json)
  if (!read.success) {
    if (answer.status < 300 && answer.json === undefined) {
      return new ServiceFault('transient', 'Facebook answered with something that is no JSON')
    }
    return statusFault(answer, `Facebook answered with status ${answer.status}`)
  }
  const { message, code, error_subcode, is_transient } = read.output.error
  const kind = kindOf(code, message, is_transient)
  const said = `Facebook refused: ${message || `error ${code}`}`.slice(0, 300)
  const retryAfterMs = kind === 'rate' ? waitOf(answer) : undefined
  const isMissing = code === 803 || (code === 100 && error_subcode === 33)
  return new ServiceFault(kind, said, { code: isMissing ? notThere : String(code), retryAfterMs })
}

const kinds: Readonly<Record<number, FaultKind>> = {
  ...{ 102: 'auth', 190: 'auth', 1: 'transient', 2: 'transient', 10: 'permission' },
  ...{ 4: 'rate', 17: 'rate', 32: 'rate', 341: 'rate', 613: 'rate' },
}

function kindOf(code: number, message: string, isTransient: boolean): FaultKind {
  // The same code for an edge that is gone and for an id in a form that is gone.
  if (code === 12) return /singular/i.test(message) ? 'permanent' : 'unsupported'
  if (code >= 200 && code <= 299) return 'permission'
  if (code >= 80_000 && code <= 80_014) return 'rate'
  return kinds[code] ?? (isTransient ? 'transient' : 'permanent')
}

const usage = v.record(
  v.string(),
  v.array(v.object({ estimated_time_to_regain_access: v.optional(v.number(), 0) })),
)

/** How long Facebook wants to be left alone, in minutes of its own header. */
function waitOf({
  headers,
  retryAfterMs,
}: {
  readonly headers: Headers
  readonly retryAfterMs?: number
}): number | undefined {
  try {
    const read = v.safeParse(usage, JSON.parse(headers.get('x-business-use-case-usage') ?? ''))
    if (!read.success) return retryAfterMs
    const minutes = Object.values(read.output)
      .flat()
      .map((one) => one.estimated_time_to_regain_access)
    const most = Math.max(0, ...minutes)
    return most === 0 ? retryAfterMs : most * 60_000
  } catch {
    return retryAfterMs
  }
}
