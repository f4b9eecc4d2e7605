import { testPostTarget } from 'renown/testing'
import bluesky from '../../../plugins/bluesky'
import facebook from '../../../plugins/facebook'
import google from '../../../plugins/google'
import linkedin from '../../../plugins/linkedin'
import mastodon from '../../../plugins/mastodon'
import webhook from '../../../plugins/webhook'
import wordpress from '../../../plugins/wordpress'
import { appSecret, pageToken } from '../../support/stand-ins/facebook'
import { createGoogle } from '../../support/stand-ins/google'
import {
  createBluesky,
  createLinkedin,
  createLocalPosts,
  createMastodon,
  createPageFeed,
  createReceiver,
  createWordpress,
} from '../../support/stand-ins/post-platforms'

const refusing = (body: (status: number) => object) => (status: number) =>
  Response.json(body(status), { status })

testPostTarget({
  plugin: webhook,
  name: 'webhook',
  location: {},
  standIn: createReceiver,
  channel: { address: 'https://hooks.test/in', secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  refusal: refusing(() => ({})),
})

testPostTarget({
  plugin: mastodon,
  name: 'mastodon',
  location: {},
  standIn: createMastodon,
  channel: { address: 'https://social.test/', secret: 'mastodon-token' },
  emptyAnswers: ['[]'],
  refusal: refusing(() => ({ error: 'Validation failed: mastodon-token' })),
})

testPostTarget({
  plugin: bluesky,
  name: 'bluesky',
  location: {},
  standIn: createBluesky,
  channel: { address: 'https://bsky.test', account: 'acme.test', secret: 'app-password' },
  refusal: refusing(() => ({ error: 'InvalidRequest', message: 'no app-password' })),
})

testPostTarget({
  plugin: wordpress,
  name: 'wordpress',
  location: {},
  standIn: createWordpress,
  channel: { address: 'https://site.test', account: 'ada', secret: 'abcd EFGH' },
  emptyAnswers: ['[]'],
  refusal: refusing(() => ({ code: 'rest_cannot_create', message: 'Sorry' })),
})

testPostTarget({
  plugin: linkedin,
  name: 'linkedin',
  location: {},
  standIn: createLinkedin,
  settings: { LINKEDIN_URL: 'https://linkedin.test' },
  channel: { account: 'urn:li:organization:7', secret: 'linkedin-token' },
  refusal: refusing((status) => ({ status, message: 'Bearer linkedin-token is not allowed' })),
})

testPostTarget({
  plugin: google,
  name: 'google',
  settings: {
    GOOGLE_REVIEWS_URL: 'http://google.test/v4',
    GOOGLE_TOKEN_URL: 'http://google.test/token',
    GOOGLE_CLIENT_ID: 'client',
  },
  location: {
    added_via: 'gbp_oauth',
    google_account_id: 'accounts/111',
    google_location_id: 'locations/222',
  },
  connection: { provider: 'google', account_id: 'accounts/111', refresh_token: '1//refresh' },
  isSetup: ({ url }) => new URL(url).pathname === '/token',
  standIn(clock) {
    const accounts = createGoogle(clock)
    return createLocalPosts(clock, async (request) => {
      const isToken = new URL(request.url).pathname === '/token'
      if (isToken) return accounts.fetch(request)
      const token = request.headers.get('authorization')?.slice('Bearer '.length) ?? ''
      return accounts.tokens.has(token) ? null : Response.json({}, { status: 401 })
    })
  },
  // Google leaves out empty lists.
  emptyAnswers: ['{}'],
  refusal: refusing((code) => ({ error: { code, status: 'INVALID_ARGUMENT', message: 'No' } })),
})

testPostTarget({
  plugin: facebook,
  name: 'facebook',
  settings: { FACEBOOK_GRAPH_URL: 'http://graph.test', FACEBOOK_APP_SECRET: appSecret },
  location: { source: 'facebook', facebook_page_id: '777' },
  connection: { provider: 'facebook', account_id: '777', access_token: pageToken },
  standIn: (clock) => createPageFeed(clock, pageToken),
  refusal: (status) =>
    Response.json(
      { error: { code: status === 500 ? 2 : 506, message: 'Duplicate status message' } },
      { status },
    ),
})
