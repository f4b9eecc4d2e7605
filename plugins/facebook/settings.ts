import { defineSettings, setting, settingForm } from 'renown'
import * as v from 'valibot'

/** The address and the app of Facebook. */
export const facebookSettings = defineSettings({
  FACEBOOK_GRAPH_URL: setting(settingForm.text, 'https://graph.facebook.com', "Facebook's Graph API."),
  FACEBOOK_GRAPH_VERSION: setting(
    v.pipe(settingForm.text, v.regex(/^v\d+\.\d+$/, 'a version such as v21.0')),
    'v21.0',
    'Version of the Graph API: v21.0 is the last one that serves recommendations, until 21 January 2027.',
  ),
  FACEBOOK_CALLS_PER_MINUTE: setting(
    v.pipe(settingForm.count, v.minValue(2, 'at least 2')),
    '120',
    "Maximum calls to Facebook's Graph API in any minute, for all processes together.",
  ),
  FACEBOOK_CONSENT_URL: setting(
    settingForm.text,
    'https://www.facebook.com',
    "Host of Facebook's page where a person gives this installation access.",
  ),
  FACEBOOK_APP_ID: setting(
    settingForm.text,
    '',
    'Facebook app of this installation, for Pages. If empty, Pages can be connected only with their tokens.',
  ),
  FACEBOOK_APP_SECRET: setting(
    settingForm.text,
    '',
    'Secret of the Facebook app, for connecting Pages and for `appsecret_proof`. If empty, requests have no proof.',
  ),
})
