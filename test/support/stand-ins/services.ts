import type { Liar } from '../liar'
import { appSecret, createFacebook } from './facebook'
import { appId, createFacebookLogin } from './facebook-login'
import { createGoogle } from './google'
import { createGoogleProfiles, googleClient } from './google-profiles'

/** Google and Facebook on one real port, and the settings of an installation that asks there. */
export function startServices({
  now = () => 0,
  liar,
}: {
  readonly now?: () => number
  /** Stands between the product and the stand-ins. */
  readonly liar?: Liar
} = {}) {
  const google = createGoogle({ now })
  const profiles = createGoogleProfiles({ tokens: google.tokens })
  const facebook = createFacebook({ now })
  const login = createFacebookLogin()
  /** Every address that was asked, without the port. */
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      asked.push(`${pathname}${search}`)
      const honest = () => answer(request, pathname, search)
      return liar ? liar.answer(request, honest) : honest()
    },
  })
  async function answer(request: Request, pathname: string, search: string): Promise<Response> {
    const [, service, rest = ''] = /^\/(google|facebook)(\/.*)$/.exec(pathname) ?? []
    const inner = new Request(`http://stand-in${rest}${search}`, request)
    if (service === 'google') return rest.startsWith('/v4/') ? google.fetch(inner) : profiles.fetch(inner)
    if (service === 'facebook') return (await login.fetch(inner)) ?? facebook.fetch(inner)
    return new Response(null, { status: 404 })
  }
  const base = `http://127.0.0.1:${server.port}`
  return {
    google,
    profiles,
    facebook,
    login,
    asked,
    settings: {
      GOOGLE_CLIENT_ID: googleClient.id,
      GOOGLE_CLIENT_SECRET: googleClient.secret,
      GOOGLE_CONSENT_URL: `${base}/google/consent`,
      GOOGLE_TOKEN_URL: `${base}/google/token`,
      GOOGLE_ACCOUNTS_URL: `${base}/google/v1`,
      GOOGLE_LOCATIONS_URL: `${base}/google/v1`,
      GOOGLE_REVIEWS_URL: `${base}/google/v4`,
      FACEBOOK_APP_ID: appId,
      FACEBOOK_APP_SECRET: appSecret,
      FACEBOOK_CONSENT_URL: `${base}/facebook`,
      FACEBOOK_GRAPH_URL: `${base}/facebook`,
    },
    stop: () => server.stop(true),
  }
}

export type Services = ReturnType<typeof startServices>
