import type { Row } from '../../contracts/entity'
import type { OwnerContext } from '../../contracts/plugin'
import { ServiceFault } from '../../contracts/service-fault'
import type { Settings } from '../../contracts/settings'
import type { Connection } from '../../outbound/Connection'
import { consentedGoogle, googleClient } from '../../outbound/google-token'
import { keepConnection } from '../keep-connection'
import { askGoogleWith } from '../listing/ask-google'
import { googleAccounts } from '../listing/google-accounts'
import { type Begun, type Consent, callbackPath } from './consents'

const scope = 'https://www.googleapis.com/auth/business.manage'

/** Google's page, which leads back with a code. Only with both words of the end does Google give a refresh token again. */
export function googleConsentUrl(settings: Settings, { state, challenge, redirectUri }: Begun): string {
  const url = new URL(settings.GOOGLE_CONSENT_URL)
  const query = {
    ...{ client_id: settings.GOOGLE_CLIENT_ID, redirect_uri: redirectUri, response_type: 'code', scope },
    ...{ state, code_challenge: challenge, code_challenge_method: 'S256' },
    ...{ access_type: 'offline', prompt: 'consent' },
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** Changes the code into tokens and connects every account that they reach. */
export async function connectGoogle(
  ctx: OwnerContext,
  { consent, verifier }: { readonly consent: Consent; readonly verifier: string },
  code: string,
): Promise<Row<typeof Connection>[]> {
  const { workspace_id, host, provider } = consent
  const deps = { ask: ctx.outbound.ask, google: googleClient(ctx.settings) }
  const redirectUri = `${host}${callbackPath(provider)}`
  const given = await consentedGoogle(deps, { code, verifier, redirectUri })
  if (given.scopes.length > 0 && !given.scopes.includes(scope)) {
    throw new ServiceFault('permission', 'Google was not told to let Renown manage business profiles', {
      code: 'scope_missing',
    })
  }
  if (given.refreshToken === undefined) {
    throw new ServiceFault('permission', 'Google gave no token that lasts', { code: 'no_refresh_token' })
  }
  const accounts = await googleAccounts(ctx, askGoogleWith(ctx, given.accessToken))
  if (accounts.length === 0) {
    throw new ServiceFault('permission', 'Google lists no account of business profiles for this person', {
      code: 'no_accounts',
    })
  }
  const tokens = {
    access: { token: given.accessToken, livesMs: given.livesMs },
    refresh: given.refreshToken,
  }
  const kept: Row<typeof Connection>[] = []
  for (const { name, title, type } of accounts) {
    const account = { workspace_id, provider, account_id: name, account_name: title, account_type: type }
    kept.push((await keepConnection(ctx, { ...account, tokens })).connection)
  }
  return kept
}
