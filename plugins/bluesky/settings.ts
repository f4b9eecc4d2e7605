import { defineSettings, setting, settingForm } from 'renown'

/** Settings of Bluesky. */
export const blueskySettings = defineSettings({
  BLUESKY_URL: setting(
    settingForm.text,
    'https://bsky.social',
    'The server of the Bluesky account that searches.',
  ),
  BLUESKY_HANDLE: setting(
    settingForm.text,
    '',
    'Handle of the Bluesky account that searches. If empty, Renown does not search Bluesky.',
  ),
  BLUESKY_APP_PASSWORD: setting(settingForm.text, '', 'App password of that account.'),
})
