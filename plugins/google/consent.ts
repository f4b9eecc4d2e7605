import { ServiceFault } from 'renown'
import type { ConsentAnswer, ConsentDeclaration, ProviderContext } from 'renown/sources'
import { googleAccounts } from './accounts'
import { askGoogleWith } from './ask'
import { googleSettings } from './settings'
import { exchangeCode } from './token'

const scope = 'https://www.googleapis.com/auth/business.manage'

/** How people connect Google accounts. Google returns a second refresh token only with `access_type` and `prompt`. */
export const googleConsent: ConsentDeclaration = {
  needs: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  address(ctx, { state, challenge, redirectUri }) {
    const settings = googleSettings.of(ctx)
    const url = new URL(settings.GOOGLE_CONSENT_URL)
    const query = {
      client_id: settings.GOOGLE_CLIENT_ID,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url.href
  },
  exchange: async (ctx, answer) => ({ accounts: await reachedAccounts(ctx, answer) }),
  about:
    'Google asks whether Renown may manage your business profiles. Renown then lists every account that you can access.',
  setup:
    'At Google, create an OAuth client for a web application, in a project with access to the Business Profile APIs.',
  redirectHint:
    'At Google, add exactly this address to the authorised redirect URIs of the OAuth client (APIs & Services, Credentials).',
  connected: 'Google gave Renown access. These are its accounts. Add locations from each.',
  failures: {
    admin_policy_enforced: {
      words: 'The administrator of that account does not allow Renown.',
      hint: 'Ask them to trust the OAuth client of this installation, or use another account.',
    },
    org_internal: {
      words: 'The OAuth client works only for accounts of its own organisation.',
      hint: 'In the project at Google, make the consent screen external.',
    },
    scope_missing: { hint: 'Start again, and leave the box for business profiles checked.' },
    no_refresh_token: {
      hint: 'Remove the access of Renown in the security settings of the account, then start again.',
    },
    rate: {
      hint: 'A new Google project cannot call the Business Profile APIs until Google grants it access. Otherwise try again in a minute.',
    },
  },
}

/** Exchanges the code for tokens and lists every account that they give access to. */
async function reachedAccounts(ctx: ProviderContext, answer: ConsentAnswer) {
  const given = await exchangeCode(ctx, answer)
  if (given.scopes.length > 0 && !given.scopes.includes(scope)) {
    throw new ServiceFault(
      'permission',
      'Google did not receive your permission for Renown to manage business profiles',
      {
        code: 'scope_missing',
      },
    )
  }
  if (given.refreshToken === undefined) {
    throw new ServiceFault('permission', 'Google returned no refresh token', { code: 'no_refresh_token' })
  }
  const accounts = await googleAccounts(ctx, (asked) => askGoogleWith(ctx, given.accessToken, asked))
  if (accounts.length === 0) {
    throw new ServiceFault('permission', 'Google lists no Business Profile account for this person', {
      code: 'no_accounts',
    })
  }
  const tokens = {
    access: { token: given.accessToken, livesMs: given.livesMs },
    refresh: given.refreshToken,
  }
  return accounts.map(({ name, title, type }) => ({
    account_id: name,
    account_name: title,
    account_type: type,
    tokens,
  }))
}
