import { testPlatformId } from 'renown/testing'
import google from '../../../plugins/google'

testPlatformId({
  plugin: google,
  name: 'google-listing',
  written: ['locations/222', '222', 'accounts/111/locations/222'],
  other: 'locations/333',
  invalid: ['locations/', 'places/222', '2 2'],
  parts: { google_account_id: 'accounts/111' },
})
