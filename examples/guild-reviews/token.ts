import { foreignFault, ServiceFault } from 'renown'
import type { ProviderContext, RenewedToken, ServiceAnswer } from 'renown/sources'
import * as v from 'valibot'
import { guildSettings } from './settings'

const granted = v.object({
  access_token: v.pipe(v.string(), v.minLength(1)),
  expires_in: v.pipe(v.number(), v.minValue(1)),
  refresh_token: v.optional(v.pipe(v.string(), v.minLength(1))),
})
const refused = v.object({ error: v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)) })

/** Asks for a token, by a code or by a refresh token. */
export async function askToken(
  ctx: ProviderContext,
  form: Readonly<Record<string, string>>,
  secret: string,
): Promise<RenewedToken> {
  const { GUILD_URL, GUILD_CLIENT_ID: client_id, GUILD_CLIENT_SECRET } = guildSettings.of(ctx)
  const { access_token, expires_in, refresh_token } = await ctx.outbound.ask({
    url: `${GUILD_URL}/oauth/token`,
    form: { ...form, client_id, client_secret: GUILD_CLIENT_SECRET },
    secrets: [secret, GUILD_CLIENT_SECRET],
    what: "The Guild's token",
    answer: granted,
    faultOf: tokenFault,
  })
  return { accessToken: access_token, livesMs: expires_in * 1_000, refreshToken: refresh_token }
}

/** Reads OAuth's error form (RFC 6749, section 5.2). Only `invalid_grant` says that a connection has ended. */
function tokenFault(answer: ServiceAnswer): ServiceFault | null {
  const said = v.safeParse(refused, answer.json)
  if (!said.success || ![400, 401].includes(answer.status))
    return answer.status === 200 ? null : foreignFault(answer, "The Guild's token")
  const { error: code } = said.output
  return code === 'invalid_grant'
    ? new ServiceFault('auth', 'The Guild no longer accepts this grant. Connect the member again.', { code })
    : new ServiceFault('permission', `The Guild refused the client: ${code}. Check GUILD_CLIENT_ID.`, {
        code,
      })
}
