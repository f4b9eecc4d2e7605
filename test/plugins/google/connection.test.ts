import { suiteRedirectUri, testConnection } from 'renown/testing'
import google from '../../../plugins/google'
import { createGoogleProfiles, googleClient, refreshToken } from '../../support/stand-ins/google-profiles'

const profiles = createGoogleProfiles({ tokens: new Set() })
profiles.redirectUris.add(suiteRedirectUri)
profiles.locations.set('accounts/111', [
  { name: 'locations/222', title: 'Acme Plumbing' },
  { name: 'locations/333', title: 'Acme Heating' },
])

testConnection({
  plugin: google,
  settings: {
    GOOGLE_CLIENT_ID: googleClient.id,
    GOOGLE_CLIENT_SECRET: googleClient.secret,
    GOOGLE_CONSENT_URL: 'http://google.test/consent',
    GOOGLE_TOKEN_URL: 'http://google.test/token',
    GOOGLE_ACCOUNTS_URL: 'http://google.test/v1',
    GOOGLE_LOCATIONS_URL: 'http://google.test/v1',
    GOOGLE_REVIEWS_URL: 'http://google.test/v4',
  },
  connection: { provider: 'google', account_id: 'accounts/111', refresh_token: refreshToken },
  locations: ['locations/222', 'locations/333'],
  fetch: (request) => profiles.fetch(request),
  allow: (consentUrl) => profiles.answer(consentUrl),
  // Google leaves out fields that are empty.
  real: ['locations 1: {}'],
  ended: () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
})
