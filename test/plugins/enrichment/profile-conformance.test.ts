import { testProfileSource } from 'renown/testing'
import facebook from '../../../plugins/facebook'
import google from '../../../plugins/google'
import places from '../../../plugins/places'
import { appSecret, pageToken } from '../../support/stand-ins/facebook'
import { placesKey } from '../../support/stand-ins/places'
import { createProfiles } from '../../support/stand-ins/profiles'
import { addedAs } from './support/world'

const profiles = createProfiles()
const { fetch } = profiles
Object.assign(profiles, {
  google: {
    websiteUri: 'https://acme.example/',
    phoneNumbers: { primaryPhone: '0113 1' },
    regularHours: {
      periods: [{ openDay: 'MONDAY', openTime: { hours: 9 }, closeDay: 'MONDAY', closeTime: { hours: 17 } }],
    },
  },
  media: {
    mediaItems: [{ locationAssociation: { category: 'COVER' }, googleUrl: 'https://lh3.example/cover' }],
  },
  facebook: {
    phone: '0113 1',
    website: 'acme.example',
    hours: { mon_1_open: '09:00', mon_1_close: '17:00' },
  },
  places: {
    internationalPhoneNumber: '+44 113 1',
    websiteUri: 'https://acme.example/',
    rating: 4.5,
    userRatingCount: 12,
    regularOpeningHours: { periods: [{ open: { day: 1, hour: 9 }, close: { day: 1, hour: 17 } }] },
  },
})

testProfileSource({
  plugin: google,
  name: 'google',
  fetch,
  location: addedAs.google,
  settings: {
    GOOGLE_LOCATIONS_URL: 'http://google.test/v1',
    GOOGLE_REVIEWS_URL: 'http://google.test/v4',
    GOOGLE_TOKEN_URL: 'http://google.test/token',
    GOOGLE_CLIENT_ID: 'client',
  },
  connection: { provider: 'google', account_id: 'accounts/111', refresh_token: '1//refresh' },
  isSetup: ({ url }) => new URL(url).pathname === '/token',
  fields: {
    phone: '0113 1',
    website: 'https://acme.example/',
    cover_photo_url: 'https://lh3.example/cover',
  },
  // Google leaves the list of photos out where there are none.
  real: ['2: {}'],
})

testProfileSource({
  plugin: facebook,
  name: 'facebook',
  fetch,
  location: addedAs.facebook,
  settings: { FACEBOOK_GRAPH_URL: 'http://graph.test', FACEBOOK_APP_SECRET: appSecret },
  connection: { provider: 'facebook', account_id: '777', access_token: pageToken },
  fields: { phone: '0113 1', website: 'https://acme.example' },
})

testProfileSource({
  plugin: places,
  name: 'places',
  fetch,
  location: addedAs.places,
  settings: { PLACES_URL: 'http://places.test/v1', PLACES_API_KEY: placesKey },
  fields: { phone: '+44 113 1', website: 'https://acme.example/' },
})
