import { testConnection } from 'renown/testing'
import youtube from '../../../plugins/youtube'

const codes = new Set(['code-1'])
const renewal = '1//channel-refresh'

/** Google's token endpoint, and the channels of a person. */
async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/youtube/v3/channels') {
    return Response.json({ kind: 'x', items: [{ id: 'UCacme', snippet: { title: 'Acme' } }] })
  }
  const form = new URLSearchParams(await request.text())
  const issued = { access_token: 'channel-access', expires_in: 3_600, token_type: 'Bearer' }
  if (form.get('refresh_token') === renewal) return Response.json(issued)
  if (!codes.delete(form.get('code') ?? '')) return Response.json({ error: 'invalid_grant' }, { status: 400 })
  const scope = 'https://www.googleapis.com/auth/youtube.force-ssl'
  return Response.json({ ...issued, refresh_token: renewal, scope })
}

testConnection({
  plugin: youtube,
  settings: {
    YOUTUBE_URL: 'http://youtube.test/youtube/v3',
    YOUTUBE_TOKEN_URL: 'http://youtube.test/token',
    YOUTUBE_CLIENT_ID: 'client',
    YOUTUBE_CLIENT_SECRET: 'client-secret',
  },
  connection: { provider: 'youtube', account_id: 'UCacme', refresh_token: renewal },
  fetch: answer,
  allow(consentUrl) {
    const asked = new URL(consentUrl).searchParams
    codes.add('code-1')
    return `${asked.get('redirect_uri')}?state=${asked.get('state')}&code=code-1`
  },
  ended: () =>
    Response.json({ error: 'invalid_grant', error_description: 'Token has been revoked' }, { status: 400 }),
})
