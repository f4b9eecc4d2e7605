import * as v from 'valibot'
import type { ProviderContext, RenewedToken } from '../contracts/connection'
import type { ServiceAnswer } from '../contracts/outbound'
import { type FaultKind, foreignFault, ServiceFault, statusFault } from '../contracts/service-fault'

/** A request to a token endpoint of OAuth 2 (RFC 6749). */
export interface TokenRequest {
  readonly url: string
  readonly form: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Texts that errors must not repeat. */
  readonly secrets: readonly string[]
  /** The name of the service for people. */
  readonly label: string
  /** Names of the settings with the client's id and secret. */
  readonly clientSettings: readonly string[]
}

/** Tokens that an endpoint issued. */
export interface IssuedToken extends RenewedToken {
  readonly scopes: readonly string[]
}

const granted = v.object({
  access_token: v.pipe(v.string(), v.minLength(1)),
  expires_in: v.pipe(v.number(), v.minValue(1)),
  refresh_token: v.nullish(v.string()),
  scope: v.nullish(v.string(), ''),
})
const refused = v.object({
  error: v.pipe(v.string(), v.regex(/^[a-z_]{1,60}$/)),
  error_description: v.nullish(v.string()),
})

/**
 * Requests a token. Throws a ServiceFault of kind `auth` only if the service says that the refresh token has ended. A code that the
 * service no longer accepts is of kind `permanent`. A refused client is of kind `permission`: the settings are wrong, and the connection
 * may be right.
 */
export async function askToken(
  ctx: ProviderContext,
  { label, clientSettings, ...asked }: TokenRequest,
): Promise<IssuedToken> {
  const { access_token, expires_in, refresh_token, scope } = await ctx.outbound.ask({
    ...asked,
    what: `${label}'s token`,
    answer: granted,
    faultOf: (answer) => tokenFault(answer, { label, clientSettings, form: asked.form }),
  })
  return {
    accessToken: access_token,
    livesMs: expires_in * 1_000,
    scopes: scope.split(/[ ,]+/).filter(Boolean),
    ...(refresh_token ? { refreshToken: refresh_token } : {}),
  }
}

interface OwnWords {
  readonly kind: FaultKind
  readonly what: string
}
const oldCode: OwnWords = { kind: 'permanent', what: 'no longer accepts the code' }
const ownWords = new Map<string, OwnWords>([
  ['invalid_grant', { kind: 'auth', what: 'ended the connection' }],
  ['invalid_client', { kind: 'permission', what: 'does not accept this installation' }],
  ['unauthorized_client', { kind: 'permission', what: 'does not accept this installation' }],
  ['redirect_uri_mismatch', { kind: 'permission', what: 'does not accept the redirect address' }],
])

/** Reads OAuth's error form, also with status 200. */
function tokenFault(
  answer: ServiceAnswer,
  { label, clientSettings, form }: Pick<TokenRequest, 'label' | 'clientSettings' | 'form'>,
): ServiceFault | null {
  const said = v.safeParse(refused, answer.json)
  const isRefusal = said.success && (answer.status < 300 || [400, 401, 403].includes(answer.status))
  if (!isRefusal) return answer.status < 300 ? null : permission(foreignFault(answer, `${label}'s token`))
  const { error: code, error_description } = said.output
  const words = error_description || code
  const isOldCode = code === 'invalid_grant' && form.grant_type === 'authorization_code'
  const known = isOldCode ? oldCode : ownWords.get(code)
  if (known) {
    const settings = code.endsWith('_client') ? ` (${clientSettings.join(', ')})` : ''
    return new ServiceFault(known.kind, `${label} ${known.what}${settings}: ${words}`, { code })
  }
  return permission(
    statusFault(answer, `${label} returned no token: ${words}`) ??
      new ServiceFault('permanent', `${label} returned no token: ${words}`, { code }),
  )
}

/** Only `invalid_grant` means that the connection has ended. */
const permission = (fault: ServiceFault): ServiceFault =>
  fault.kind === 'auth' ? new ServiceFault('permission', fault.message, { code: fault.code }) : fault
