import { oauthPath } from '../auth/oauth/route-table'
import { prefers } from '../requests/accept'

/** Links for programs that request the root. They are paths, so they work on every host. */
const entries = {
  name: 'Renown',
  app: '/app',
  documentation: '/docs',
  openapi: '/openapi.json',
  surface: '/api/surface',
  mcp: '/api/mcp',
  oauth_protected_resource: oauthPath('resource'),
  oauth_authorization_server: oauthPath('server'),
}

const links = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</app>; rel="alternate"; type="text/html"',
].join(', ')

/** Answers `GET /`: redirects a browser to `/app` and gives other clients links to the API and its documents. */
export function rootAnswer(request: Request): Response {
  const headers = { link: links, vary: 'Accept', 'cache-control': 'no-store' }
  if (prefers(request.headers.get('accept'), 'text/html', 'application/json'))
    return new Response(null, { status: 302, headers: { ...headers, location: '/app' } })
  return Response.json(entries, { headers })
}
