import { ServiceFault, trimTrailing } from 'renown'
import { askSource, type SourceAsk } from 'renown/leads'
import { askToken, type ProviderContext, type RenewedToken } from 'renown/sources'
import * as v from 'valibot'
import { youTubeSettings } from './settings'

/** The permission to write comments. YouTube has none that is narrower. */
export const youTubeScope = 'https://www.googleapis.com/auth/youtube.force-ssl'

const clientSettings = ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET']

/** Requests a token for the client of this installation. */
export function askYouTubeToken(
  ctx: ProviderContext,
  form: Readonly<Record<string, string>>,
  secret: string,
) {
  const {
    YOUTUBE_TOKEN_URL: url,
    YOUTUBE_CLIENT_ID: client_id,
    YOUTUBE_CLIENT_SECRET: client_secret,
  } = youTubeSettings.of(ctx)
  if (client_id === '') {
    throw new ServiceFault('unsupported', `YouTube is not set up: set ${clientSettings.join(' and ')}`)
  }
  const given = { ...form, client_id, client_secret }
  return askToken(ctx, {
    url,
    form: given,
    secrets: [secret, client_secret],
    label: 'YouTube',
    clientSettings,
  })
}

/** Renews the access token of a channel. */
export async function renewYouTube(ctx: ProviderContext, refresh_token: string): Promise<RenewedToken> {
  const form = { grant_type: 'refresh_token', refresh_token }
  const { scopes: _, ...renewed } = await askYouTubeToken(ctx, form, refresh_token)
  return renewed
}

const faultKinds: Readonly<Record<string, ServiceFault['kind']>> = {
  quotaExceeded: 'quota',
  dailyLimitExceeded: 'quota',
  rateLimitExceeded: 'rate',
  authError: 'auth',
  forbidden: 'permission',
  insufficientPermissions: 'permission',
  commentsDisabled: 'permanent',
  processingFailure: 'permanent',
  videoNotFound: 'permanent',
  parentCommentNotFound: 'permanent',
}

/** Calls YouTube with the token of a channel. */
export const askAsChannel = <S extends v.GenericSchema>(
  ctx: Parameters<typeof askSource>[0] & ProviderContext,
  token: string,
  path: string,
  asked: Omit<SourceAsk<S>, 'url'>,
): Promise<v.InferOutput<S>> =>
  askSource(
    ctx,
    {
      label: 'YouTube',
      headers: { authorization: `Bearer ${token}` },
      secrets: [token],
      kindOf: (code, _, status) => (status === 401 ? 'auth' : faultKinds[code]),
    },
    { ...asked, url: `${trimTrailing(youTubeSettings.of(ctx).YOUTUBE_URL, '/')}/${path}` },
  )

/** Channels that a token can use. */
export const channelsForm = v.object({
  items: v.array(
    v.object({
      id: v.pipe(v.string(), v.regex(/^UC[\w-]{1,60}$/)),
      snippet: v.object({ title: v.string() }),
    }),
  ),
})
