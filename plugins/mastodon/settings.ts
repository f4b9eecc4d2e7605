import { defineSettings, setting, settingForm } from 'renown'

/** Settings of Mastodon. */
export const mastodonSettings = defineSettings({
  MASTODON_URL: setting(
    settingForm.text,
    'https://mastodon.social',
    'The Mastodon server whose hashtags are read. If empty, Renown does not read Mastodon.',
  ),
  MASTODON_TOKEN: setting(
    settingForm.text,
    '',
    'Access token for that server with the scope `read:statuses`. Most servers list hashtags without one.',
  ),
})
