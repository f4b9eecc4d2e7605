import { testConnection } from 'renown/testing'
import reddit from '../../../plugins/reddit'

const codes = new Set(['code-1'])
const renewal = 'reddit-refresh-token'

/** Reddit's token endpoint, which refuses with status 200, and the account of a person. */
async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/api/v1/me') return Response.json({ id: '1acme', name: 'acme_plumbing', total_karma: 3 })
  const form = new URLSearchParams(await request.text())
  const issued = { access_token: 'account-access', expires_in: 86_400, token_type: 'bearer' }
  const scope = 'identity read history submit'
  if (form.get('refresh_token') === renewal) return Response.json({ ...issued, scope })
  if (!codes.delete(form.get('code') ?? '')) return Response.json({ error: 'invalid_grant' })
  return Response.json({ ...issued, scope, refresh_token: renewal })
}

testConnection({
  plugin: reddit,
  settings: {
    REDDIT_URL: 'http://reddit.test',
    REDDIT_TOKEN_URL: 'http://reddit.test/api/v1/access_token',
    REDDIT_CLIENT_ID: 'client',
    REDDIT_CLIENT_SECRET: 'client-secret',
    REDDIT_USER: 'ann',
  },
  connection: { provider: 'reddit', account_id: 't2_1acme', refresh_token: renewal },
  fetch: answer,
  allow(consentUrl) {
    const asked = new URL(consentUrl).searchParams
    codes.add('code-1')
    return `${asked.get('redirect_uri')}?state=${asked.get('state')}&code=code-1`
  },
  ended: () => Response.json({ error: 'invalid_grant' }),
})
