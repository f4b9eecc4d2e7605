import { ServiceFault } from 'renown'
import {
  askToken,
  type ConsentAnswer,
  type IssuedToken,
  type ProviderContext,
  type RenewedToken,
} from 'renown/sources'
import { googleSettings } from './settings'

const clientSettings = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']

/** Renews a token at Google. `invalid_grant` ends the connection. `invalid_client` is an error in the settings. */
export async function renewGoogle(ctx: ProviderContext, refresh_token: string): Promise<RenewedToken> {
  const form = { grant_type: 'refresh_token', refresh_token }
  const { scopes: _, ...renewed } = await askGoogleToken(ctx, form, refresh_token)
  return renewed
}

/** Exchanges the code of a consent for tokens. The verifier proves that Renown started the consent. */
export const exchangeCode = (
  ctx: ProviderContext,
  { code, verifier, redirectUri }: ConsentAnswer,
): Promise<IssuedToken> => {
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  }
  return askGoogleToken(ctx, form, code)
}

function askGoogleToken(ctx: ProviderContext, form: Readonly<Record<string, string>>, secret: string) {
  const {
    GOOGLE_TOKEN_URL: url,
    GOOGLE_CLIENT_ID: client_id,
    GOOGLE_CLIENT_SECRET: client_secret,
  } = googleSettings.of(ctx)
  if (client_id === '') {
    throw new ServiceFault('unsupported', `Google is not set up: set ${clientSettings.join(' and ')}`)
  }
  return askToken(ctx, {
    url,
    form: { ...form, client_id, client_secret },
    secrets: [secret, client_secret],
    label: 'Google',
    clientSettings,
  })
}
