import { defineSettings, setting, settingForm } from 'renown'

/** Settings of Reddit. */
export const redditSettings = defineSettings({
  REDDIT_URL: setting(settingForm.text, 'https://oauth.reddit.com', "Reddit's API."),
  REDDIT_TOKEN_URL: setting(
    settingForm.text,
    'https://www.reddit.com/api/v1/access_token',
    "Where Reddit issues the API's access tokens.",
  ),
  REDDIT_CONSENT_URL: setting(
    settingForm.text,
    'https://www.reddit.com/api/v1/authorize',
    "Reddit's page where a person gives access to an account.",
  ),
  REDDIT_CLIENT_ID: setting(
    settingForm.text,
    '',
    'Client id of an app that Reddit approved. If empty, Renown does not search Reddit, and accounts cannot be connected.',
  ),
  REDDIT_CLIENT_SECRET: setting(settingForm.text, '', 'Secret of that app.'),
  REDDIT_USER: setting(
    settingForm.text,
    '',
    'Reddit name of the person responsible for the app. Reddit requires it with each request.',
  ),
})
