import { testReviewSource } from 'renown/testing'
import dataforseo from '../../../plugins/dataforseo'
import facebook from '../../../plugins/facebook'
import google from '../../../plugins/google'
import places from '../../../plugins/places'
import type { ReviewStandIn, StandInReview } from '../../support/review-source-suite'
import { createDataforseo, dataforseoLogin } from '../../support/stand-ins/dataforseo'
import { appSecret, createFacebook, pageToken } from '../../support/stand-ins/facebook'
import { createGoogle, type PlatformReview } from '../../support/stand-ins/google'
import { createPlaces, placesKey } from '../../support/stand-ins/places'

interface Held {
  readonly reviews: Map<string, PlatformReview>
  fetch(request: Request): Promise<Response>
}

const platformReview = ({ id, stars, text, at }: StandInReview): PlatformReview => ({
  id,
  stars,
  text,
  author: `author of ${id}`,
  created: at.getTime(),
  updated: at.getTime(),
})

const driven = ({ reviews, fetch }: Held): ReviewStandIn => ({
  fetch,
  set(all) {
    reviews.clear()
    for (const one of all) reviews.set(one.id, platformReview(one))
  },
})

testReviewSource({
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
  standIn: (clock) => driven(createGoogle(clock)),
})

testReviewSource({
  plugin: facebook,
  name: 'facebook',
  settings: { FACEBOOK_GRAPH_URL: 'http://graph.test', FACEBOOK_APP_SECRET: appSecret },
  location: { source: 'facebook', facebook_page_id: '777' },
  connection: { provider: 'facebook', account_id: '777', access_token: pageToken },
  standIn: (clock) => driven(createFacebook(clock)),
})

testReviewSource({
  plugin: places,
  name: 'places',
  listsAtMost: 5,
  settings: { PLACES_URL: 'http://places.test/v1', PLACES_API_KEY: placesKey },
  location: { added_via: 'places', google_place_id: 'ChIJx' },
  standIn: () => driven(createPlaces(new Map())),
})

testReviewSource({
  plugin: dataforseo,
  name: 'dataforseo',
  listsAtMost: 100,
  settings: {
    DATAFORSEO_URL: 'http://dfs.test',
    DATAFORSEO_REVIEWS_PER_DAY: '1000000',
    DATAFORSEO_LOGIN: dataforseoLogin.login,
    DATAFORSEO_PASSWORD: dataforseoLogin.password,
  },
  location: { added_via: 'dfs_keyword', country: 'GB', city: 'Leeds' },
  standIn: () => driven(createDataforseo(new Map())),
})
