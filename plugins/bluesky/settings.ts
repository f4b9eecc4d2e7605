import { defineSettings, setting, settingForm } from 'renown'
import * as v from 'valibot'

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
  BLUESKY_STREAM: setting(
    v.picklist(['on', 'off'], '`on` or `off`'),
    'off',
    'Whether Renown reads all new posts of Bluesky: about 2 GB a day, as plain JSON. Renown does not include the dictionary that compressed messages (zstd) need. `on` or `off`.',
  ),
  BLUESKY_STREAM_URL: setting(
    settingForm.text,
    'wss://jetstream2.us-east.bsky.network/subscribe',
    'The server of Jetstream with the stream of new posts.',
  ),
})
