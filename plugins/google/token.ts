import {
  type ConsentAnswer,
  foreignFault,
  type ProviderContext,
  type RenewedToken,
  type ServiceAnswer,
  ServiceFault,
  statusFault,
} from 'renown'
import * as v from 'valibot'
import { googleSettings } from './settings'

/** The first token of a consent. */
interface FirstToken extends RenewedToken {
  readonly scopes: readonly string[]
}

const granted = v.object({
  access_token: v.pipe(v.string(), v.minLength(1)),
  expires_in: v.pipe(v.number(), v.minValue(1)),
  refresh_token: v.optional(v.string()),
  scope: v.optional(v.string(), ''),
})
const refused = v.object({
  error: v.pipe(v.string(), v.regex(/^[a-z_]{1,60}$/)),
  error_description: v.optional(v.string()),
})

/** Renews a token at Google. `invalid_grant` ends the connection. `invalid_client` is an error in the settings. */
export async function renewGoogle(ctx: ProviderContext, refreshToken: string): Promise<RenewedToken> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const { scopes: _, ...renewed } = await askToken(ctx, form, refreshToken, (words) => ({
    kind: 'auth',
    said: `Google ended the connection: ${words}`,
  }))
  return renewed
}

/** Exchanges the code of a consent for tokens. The verifier proves that Renown started the consent. */
export const exchangeCode = (
  ctx: ProviderContext,
  { code, verifier, redirectUri }: ConsentAnswer,
): Promise<FirstToken> =>
  askToken(
    ctx,
    { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri },
    code,
    (words) => ({ kind: 'permanent', said: `Google does not take the code any more: ${words}` }),
  )

async function askToken(
  ctx: ProviderContext,
  form: Readonly<Record<string, string>>,
  secret: string,
  ended: (words: string) => { readonly kind: 'auth' | 'permanent'; readonly said: string },
): Promise<FirstToken> {
  const settings = googleSettings.of(ctx)
  const { GOOGLE_CLIENT_ID: client_id, GOOGLE_CLIENT_SECRET: client_secret } = settings
  if (client_id === '') {
    throw new ServiceFault(
      'unsupported',
      'Google is not set up: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET',
    )
  }
  const { access_token, expires_in, refresh_token, scope } = await ctx.outbound.ask({
    url: settings.GOOGLE_TOKEN_URL,
    ...{ form: { ...form, client_id, client_secret }, secrets: [secret, client_secret] },
    what: "Google's token",
    answer: granted,
    faultOf: (answer) => tokenFault(answer, ended),
  })
  const scopes = scope.split(' ').filter(Boolean)
  return { accessToken: access_token, livesMs: expires_in * 1_000, refreshToken: refresh_token, scopes }
}

/** Reads OAuth's error form (RFC 6749, section 5.2). Only an answer in that form ends a connection. */
function tokenFault(
  answer: ServiceAnswer,
  ended: (words: string) => { readonly kind: 'auth' | 'permanent'; readonly said: string },
): ServiceFault | null {
  const said = v.safeParse(refused, answer.json)
  const isRefusal = said.success && [400, 401, 403].includes(answer.status)
  if (!isRefusal) return answer.status === 200 ? null : foreignFault(answer, "Google's token")
  const { error: code, error_description } = said.output
  const words = error_description || code
  if (code === 'invalid_grant') {
    const { kind, said } = ended(words)
    return new ServiceFault(kind, said, { code })
  }
  if (code === 'invalid_client' || code === 'unauthorized_client')
    return new ServiceFault(
      'permission',
      `Google does not accept this installation (GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET): ${words}`,
      { code },
    )
  if (code === 'redirect_uri_mismatch')
    return new ServiceFault('permission', `Google does not accept the redirect address: ${words}`, { code })
  const fault = statusFault(answer, `Google returned no token: ${words}`)
  // Only invalid_grant means that the connection has ended.
  return fault?.kind === 'auth' ? new ServiceFault('permission', fault.message, { code }) : fault
}
