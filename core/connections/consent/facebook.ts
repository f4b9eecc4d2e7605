import * as v from 'valibot'
import type { Row } from '../../contracts/entity'
import { facebookFault } from '../../contracts/facebook-api'
import type { OwnerContext } from '../../contracts/plugin'
import type { Settings } from '../../contracts/settings'
import type { Connection } from '../../outbound/Connection'
import { keepConnection } from '../keep-connection'
import type { ManagedPage } from '../listing/facebook-pages'
import { type Begun, type Consent, callbackPath } from './consents'

/** What a person is asked for: to see their Pages, to read what is said there, and to answer it. */
export const facebookPermissions = [
  'pages_show_list',
  'pages_read_engagement',
  'pages_read_user_content',
  'pages_manage_engagement',
] as const

/** Facebook's page, which leads back with a code. It takes a proof of who asked (PKCE) with OpenID Connect alone. */
export function facebookConsentUrl(settings: Settings, { state, redirectUri }: Begun): string {
  const url = new URL(`${settings.FACEBOOK_CONSENT_URL}/${settings.FACEBOOK_GRAPH_VERSION}/dialog/oauth`)
  const query = {
    ...{ client_id: settings.FACEBOOK_APP_ID, redirect_uri: redirectUri, response_type: 'code', state },
    scope: facebookPermissions.join(','),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** The token of the person, for two months: the tokens of Pages that it gives last as long as the consent. */
export async function facebookUserToken(ctx: OwnerContext, consent: Consent, code: string): Promise<string> {
  const redirect_uri = `${consent.host}${callbackPath('facebook')}`
  const short = await askToken(ctx, { code, redirect_uri }, code)
  return askToken(ctx, { grant_type: 'fb_exchange_token', fb_exchange_token: short }, short)
}

/** Connects the Pages that were chosen. */
export async function connectPages(
  ctx: OwnerContext,
  { workspace_id, provider }: Consent,
  chosen: readonly ManagedPage[],
): Promise<Row<typeof Connection>[]> {
  const kept: Row<typeof Connection>[] = []
  for (const { id, name, token } of chosen) {
    const account = { workspace_id, provider, account_id: id, account_name: name }
    kept.push((await keepConnection(ctx, { ...account, tokens: { access: { token } } })).connection)
  }
  return kept
}

const granted = v.object({ access_token: v.pipe(v.string(), v.minLength(1)) })

/** Asked by a form, so that neither code nor secret stands in an address. */
async function askToken(
  { outbound, settings }: OwnerContext,
  form: Readonly<Record<string, string>>,
  secret: string,
): Promise<string> {
  const { FACEBOOK_GRAPH_URL: base, FACEBOOK_GRAPH_VERSION: version } = settings
  const { FACEBOOK_APP_ID: client_id, FACEBOOK_APP_SECRET: client_secret } = settings
  const { access_token } = await outbound.ask({
    url: `${base}/${version}/oauth/access_token`,
    ...{ form: { ...form, client_id, client_secret }, secrets: [secret, client_secret] },
    ...{ what: "Facebook's token", answer: granted, faultOf: facebookFault },
  })
  return access_token
}
