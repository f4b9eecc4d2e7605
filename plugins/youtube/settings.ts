import { defineSettings, setting, settingForm } from 'renown'

/** Settings of YouTube as a source of mentions. */
export const youTubeSettings = defineSettings({
  YOUTUBE_URL: setting(settingForm.text, 'https://www.googleapis.com/youtube/v3', "YouTube's Data API."),
  YOUTUBE_API_KEY: setting(
    settingForm.text,
    '',
    'Key of the YouTube Data API. If empty, Renown does not search YouTube.',
  ),
  YOUTUBE_SEARCHES_PER_DAY: setting(
    settingForm.count,
    '90',
    'Maximum searches a day. Google allows 100 and counts from midnight in Los Angeles.',
  ),
})
