import { defineSettings, setting, settingForm } from 'renown'

/** Settings of Hacker News as a source of mentions. */
export const hackerNewsSettings = defineSettings({
  HACKERNEWS_URL: setting(
    settingForm.text,
    'https://hn.algolia.com/api/v1',
    "Algolia's search of Hacker News. It needs no key.",
  ),
})
