import { suiteRedirectUri, testConnection } from 'renown/testing'
import facebook from '../../../plugins/facebook'
import { appSecret } from '../../support/stand-ins/facebook'
import { appId, createFacebookLogin } from '../../support/stand-ins/facebook-login'

const login = createFacebookLogin()
login.redirectUris.add(suiteRedirectUri)
const pageToken = 'EAA-token-of-the-page'
login.pages.push({ id: '777', name: 'Acme', access_token: pageToken, tasks: ['MODERATE'] })

testConnection({
  plugin: facebook,
  settings: {
    FACEBOOK_APP_ID: appId,
    FACEBOOK_APP_SECRET: appSecret,
    FACEBOOK_CONSENT_URL: 'http://graph.test',
    FACEBOOK_GRAPH_URL: 'http://graph.test',
  },
  connection: { provider: 'facebook', account_id: '777', access_token: pageToken },
  locations: ['777'],
  fetch: async (request) => (await login.fetch(request)) ?? new Response(null, { status: 404 }),
  allow: (consentUrl) => login.answer(consentUrl),
})
