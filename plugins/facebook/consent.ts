import type { ConsentDeclaration, ProviderContext } from 'renown/sources'
import * as v from 'valibot'
import { facebookFault } from './graph-api'
import { declinedPermissions, managedPages } from './pages'
import { facebookSettings } from './settings'

/**
 * The permissions that Renown requests: to see a person's Pages, to read what people write there, to
 * answer, and to publish posts.
 */
const permissions = [
  'pages_show_list',
  'pages_read_engagement',
  'pages_read_user_content',
  'pages_manage_engagement',
  'pages_manage_posts',
] as const

/** How people connect Pages. Facebook supports PKCE only with OpenID Connect, so none is sent. */
export const facebookConsent: ConsentDeclaration = {
  needs: ['FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET'],
  address(ctx, { state, redirectUri }) {
    const settings = facebookSettings.of(ctx)
    const url = new URL(`${settings.FACEBOOK_CONSENT_URL}/${settings.FACEBOOK_GRAPH_VERSION}/dialog/oauth`)
    const query = {
      client_id: settings.FACEBOOK_APP_ID,
      redirect_uri: redirectUri,
      response_type: 'code',
      state,
      scope: permissions.join(','),
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url.href
  },
  /**
   * The person's token expires after two months. The Page tokens that come with it are valid as long as the
   * consent.
   */
  async exchange(ctx, { code, redirectUri: redirect_uri }) {
    const short = await askToken(ctx, { code, redirect_uri }, code)
    const form = { grant_type: 'fb_exchange_token', fb_exchange_token: short }
    return { userToken: await askToken(ctx, form, short) }
  },
  choice: {
    list: async (ctx, userToken) =>
      (await managedPages(ctx, userToken)).map(({ id, name, token, caution }) => ({
        account_id: id,
        account_name: name,
        caution,
        tokens: { access: { token } },
      })),
    declined: (ctx, userToken) => declinedPermissions(ctx, userToken, permissions),
    permissions,
    emptyHint: 'Begin again, and choose the Pages on the page of Facebook; you need a role on them.',
  },
  about:
    'Facebook asks which Pages Renown may access, and for permission to read and answer recommendations. Then choose among these Pages.',
  setup: 'At Meta, create an app for business with Facebook Login.',
  redirectHint:
    'At Meta, add exactly this address to the valid OAuth redirect URIs of the app (Facebook Login, Settings).',
  connected: 'The Pages are connected. Add them as locations, so that Renown reads their reviews.',
}

const granted = v.object({ access_token: v.pipe(v.string(), v.minLength(1)) })

/** Requests a token with a form, so that neither code nor secret is in an address. */
async function askToken(
  ctx: ProviderContext,
  form: Readonly<Record<string, string>>,
  secret: string,
): Promise<string> {
  const { FACEBOOK_GRAPH_URL: base, FACEBOOK_GRAPH_VERSION: version, ...app } = facebookSettings.of(ctx)
  const { FACEBOOK_APP_ID: client_id, FACEBOOK_APP_SECRET: client_secret } = app
  const { access_token } = await ctx.outbound.ask({
    url: `${base}/${version}/oauth/access_token`,
    form: { ...form, client_id, client_secret },
    secrets: [secret, client_secret],
    what: "Facebook's token",
    answer: granted,
    faultOf: facebookFault,
  })
  return access_token
}
