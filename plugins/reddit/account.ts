import { type ServiceFault, trimTrailing } from 'renown'
import { askSource, type SourceAsk } from 'renown/leads'
import { askToken, type ProviderContext, type RenewedToken } from 'renown/sources'
import type * as v from 'valibot'
import { redditSettings } from './settings'

/** Returns how Renown names itself. Reddit requires the name of the responsible person. */
export const agentOf = (ctx: Pick<ProviderContext, 'settings'>): string =>
  `web:renown:v1 (by /u/${redditSettings.of(ctx).REDDIT_USER})`

/** Requests a token for the approved app. */
export function askRedditToken(ctx: ProviderContext, form: Readonly<Record<string, string>>, secret: string) {
  const settings = redditSettings.of(ctx)
  const { REDDIT_TOKEN_URL: url, REDDIT_CLIENT_ID: id, REDDIT_CLIENT_SECRET: clientSecret } = settings
  const authorization = `Basic ${Buffer.from(`${id}:${clientSecret}`).toString('base64')}`
  return askToken(ctx, {
    url,
    form,
    headers: { authorization, 'user-agent': agentOf(ctx) },
    secrets: [secret, clientSecret],
    label: 'Reddit',
    clientSettings: ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'],
  })
}

/** Renews the access token of an account. */
export async function renewReddit(ctx: ProviderContext, refresh_token: string): Promise<RenewedToken> {
  const form = { grant_type: 'refresh_token', refresh_token }
  const { scopes: _, ...renewed } = await askRedditToken(ctx, form, refresh_token)
  return renewed
}

/** Calls Reddit with the token of an account. */
export const askAsAccount = <S extends v.GenericSchema>(
  ctx: Parameters<typeof askSource>[0] & ProviderContext,
  token: string,
  path: string,
  asked: Omit<SourceAsk<S>, 'url'>,
): Promise<v.InferOutput<S>> => {
  const headers = { authorization: `Bearer ${token}`, 'user-agent': agentOf(ctx) }
  const kindOf = (_: string, __: string, status: number): ServiceFault['kind'] | undefined =>
    status === 401 ? 'auth' : undefined
  const url = `${trimTrailing(redditSettings.of(ctx).REDDIT_URL, '/')}${path}`
  return askSource(ctx, { label: 'Reddit', headers, secrets: [token], kindOf }, { ...asked, url })
}
