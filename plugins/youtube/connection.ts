import { ServiceFault } from 'renown'
import { type ConsentAnswer, defineConnection, type ProviderContext } from 'renown/sources'
import { askAsChannel, askYouTubeToken, channelsForm, renewYouTube, youTubeScope } from './account'
import { youTubeSettings } from './settings'

/** YouTube channels, through which people answer videos and comments. */
export const youTubeConnection = defineConnection({
  provider: 'youtube',
  label: 'YouTube',
  order: 40,
  account: { one: 'Channel', many: 'Channels' },
  tokenFile: {
    kind: 'refresh',
    called: 'a refresh token',
    accountId: "the channel's id, such as UC…",
    refusal: (id) => (/^UC[\w-]{1,60}$/.test(id) ? undefined : 'The id of a channel begins with UC.'),
  },
  renew: renewYouTube,
  consent: {
    needs: ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET'],
    address(ctx, { state, challenge, redirectUri }) {
      const settings = youTubeSettings.of(ctx)
      const url = new URL(settings.YOUTUBE_CONSENT_URL)
      const query = {
        client_id: settings.YOUTUBE_CLIENT_ID,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: youTubeScope,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        access_type: 'offline',
        prompt: 'consent',
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url.href
    },
    exchange: async (ctx, answer) => ({ accounts: await reachedChannels(ctx, answer) }),
    about: 'Google asks which channel Renown may use, and for permission to write comments as this channel.',
    setup: 'At Google, create an OAuth client for a web application, in a project with the YouTube Data API.',
    redirectHint:
      'At Google, add exactly this address to the authorised redirect URIs of the OAuth client (APIs & Services, Credentials).',
    connected: 'The channel is connected. Enter its id at each location that answers with it.',
    failures: {
      scope_missing: { hint: 'Start again, and leave the box for YouTube checked.' },
      no_channel: { hint: 'Create a channel on YouTube first, or choose another account.' },
    },
  },
})

async function reachedChannels(ctx: ProviderContext, { code, verifier, redirectUri }: ConsentAnswer) {
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri }
  const given = await askYouTubeToken(ctx, form, code)
  if (given.scopes.length > 0 && !given.scopes.includes(youTubeScope)) {
    throw new ServiceFault('permission', 'Google did not receive your permission to write comments', {
      code: 'scope_missing',
    })
  }
  if (given.refreshToken === undefined) {
    throw new ServiceFault('permission', 'Google returned no refresh token', { code: 'no_refresh_token' })
  }
  const query = { part: 'snippet', mine: 'true', maxResults: 50 }
  const asked = { query, answer: channelsForm }
  const { items } = await askAsChannel(ctx, given.accessToken, 'channels', asked)
  if (items.length === 0) {
    throw new ServiceFault('permission', 'This Google account has no YouTube channel', { code: 'no_channel' })
  }
  const tokens = {
    access: { token: given.accessToken, livesMs: given.livesMs },
    refresh: given.refreshToken,
  }
  return items.map(({ id, snippet }) => ({ account_id: id, account_name: snippet.title, tokens }))
}
