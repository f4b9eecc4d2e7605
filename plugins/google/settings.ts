import { defineSettings, setting, settingForm } from 'renown'
import * as v from 'valibot'

const atLeastTwo = v.pipe(settingForm.count, v.minValue(2, 'at least 2'))

/** The address and the app of Google. */
export const googleSettings = defineSettings({
  GOOGLE_CLIENT_ID: setting(
    settingForm.text,
    '',
    'OAuth client of this installation at Google, for business profiles. If empty, Google accounts cannot be connected.',
  ),
  GOOGLE_CLIENT_SECRET: setting(settingForm.text, '', 'Secret of that client.'),
  GOOGLE_CONSENT_URL: setting(
    settingForm.text,
    'https://accounts.google.com/o/oauth2/v2/auth',
    "Google's page where a person gives this installation access.",
  ),
  GOOGLE_TOKEN_URL: setting(
    settingForm.text,
    'https://oauth2.googleapis.com/token',
    "Google's token endpoint.",
  ),
  GOOGLE_ACCOUNTS_URL: setting(
    settingForm.text,
    'https://mybusinessaccountmanagement.googleapis.com/v1',
    "Google's accounts of business profiles.",
  ),
  GOOGLE_LOCATIONS_URL: setting(
    settingForm.text,
    'https://mybusinessbusinessinformation.googleapis.com/v1',
    "Google's locations of business profiles.",
  ),
  GOOGLE_REVIEWS_URL: setting(
    settingForm.text,
    'https://mybusiness.googleapis.com/v4',
    "Google's reviews and posts of business profiles.",
  ),
  GOOGLE_CALLS_PER_MINUTE: setting(
    atLeastTwo,
    '290',
    "Maximum calls to Google's reviews in any minute, for all processes together. Google allows a project 300.",
  ),
  GOOGLE_EDITS_PER_MINUTE: setting(
    atLeastTwo,
    '10',
    'Maximum replies and other edits of one Google profile in any minute. Google allows 10.',
  ),
})
