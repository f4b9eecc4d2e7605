import { ServiceFault } from 'renown'
import { type ConsentAnswer, defineConnection, type ProviderContext } from 'renown/sources'
import * as v from 'valibot'
import { askAsAccount, askRedditToken, renewReddit } from './account'
import { redditSettings } from './settings'

/** The permissions to know the account, read threads and its comments, and write comments. */
const scopes = ['identity', 'read', 'history', 'submit'] as const
const me = v.object({
  id: v.pipe(v.string(), v.regex(/^[0-9a-z]{1,15}$/)),
  name: v.pipe(v.string(), v.regex(/^[\w-]{1,30}$/)),
})

/** Reddit accounts, through which people answer. They need an app that Reddit approved. */
export const redditConnection = defineConnection({
  provider: 'reddit',
  label: 'Reddit',
  order: 50,
  account: { one: 'Account', many: 'Accounts' },
  tokenFile: {
    kind: 'refresh',
    called: 'a refresh token',
    accountId: "the account's fullname, such as t2_1abc",
    refusal: (id) =>
      /^t2_[0-9a-z]{1,15}$/.test(id) ? undefined : 'The fullname of an account begins with t2_.',
  },
  renew: renewReddit,
  consent: {
    needs: ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET', 'REDDIT_USER'],
    address(ctx, { state, redirectUri }) {
      const settings = redditSettings.of(ctx)
      const url = new URL(settings.REDDIT_CONSENT_URL)
      const query = {
        client_id: settings.REDDIT_CLIENT_ID,
        redirect_uri: redirectUri,
        response_type: 'code',
        state,
        duration: 'permanent',
        scope: scopes.join(' '),
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url.href
    },
    exchange: async (ctx, answer) => ({ accounts: [await reachedAccount(ctx, answer)] }),
    about: 'Reddit asks whether Renown may read threads and write comments as this account.',
    setup: 'Apply to Reddit for access to its API. Reddit approves few apps. Then create a web app.',
    redirectHint: 'At Reddit, enter exactly this address as the redirect uri of the app.',
    connected: 'The account is connected. Enter its fullname at each location that answers with it.',
    failures: { scope_missing: { hint: 'Start again, and allow everything that Reddit asks for.' } },
  },
})

async function reachedAccount(ctx: ProviderContext, { code, redirectUri: redirect_uri }: ConsentAnswer) {
  const given = await askRedditToken(ctx, { grant_type: 'authorization_code', code, redirect_uri }, code)
  const missing = scopes.filter((scope) => !given.scopes.includes(scope) && !given.scopes.includes('*'))
  if (missing.length > 0) {
    throw new ServiceFault('permission', `Reddit did not receive your permission: ${missing.join(', ')}`, {
      code: 'scope_missing',
    })
  }
  if (given.refreshToken === undefined) {
    throw new ServiceFault('permission', 'Reddit returned no refresh token', { code: 'no_refresh_token' })
  }
  const { id, name } = await askAsAccount(ctx, given.accessToken, '/api/v1/me', { answer: me })
  const access = { token: given.accessToken, livesMs: given.livesMs }
  return { account_id: `t2_${id}`, account_name: name, tokens: { access, refresh: given.refreshToken } }
}
