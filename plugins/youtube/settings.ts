import { defineSettings, setting, settingForm } from 'renown'

/** Settings of YouTube. */
export const youTubeSettings = defineSettings({
  YOUTUBE_URL: setting(settingForm.text, 'https://www.googleapis.com/youtube/v3', "YouTube's Data API."),
  YOUTUBE_API_KEY: setting(
    settingForm.text,
    '',
    'Key of the YouTube Data API. If empty, Renown does not search YouTube.',
  ),
  YOUTUBE_CLIENT_ID: setting(
    settingForm.text,
    '',
    'OAuth client of this installation at Google, for replies on YouTube. If empty, channels cannot be connected.',
  ),
  YOUTUBE_CLIENT_SECRET: setting(settingForm.text, '', 'Secret of that client.'),
  YOUTUBE_CONSENT_URL: setting(
    settingForm.text,
    'https://accounts.google.com/o/oauth2/v2/auth',
    "Google's page where a person gives access to a channel.",
  ),
  YOUTUBE_TOKEN_URL: setting(
    settingForm.text,
    'https://oauth2.googleapis.com/token',
    'Where Google issues the tokens of channels.',
  ),
  YOUTUBE_SEARCHES_PER_DAY: setting(
    settingForm.count,
    '90',
    'Maximum searches a day. Google allows 100 and counts from midnight in Los Angeles.',
  ),
  YOUTUBE_COMMENT_READS_PER_DAY: setting(
    settingForm.count,
    '5000',
    'Maximum requests a day for comments on found videos. Each uses one of the 10,000 units that Google allows a day. The others are for replies and for reading mentions again.',
  ),
})
