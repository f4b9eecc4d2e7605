import { defineSettings, setting, settingForm } from 'renown'

/** Settings of Hacker News as a source of mentions. */
export const hackerNewsSettings = defineSettings({
  HACKERNEWS_URL: setting(
    settingForm.text,
    'https://hn.algolia.com/api/v1',
    "Algolia's search of Hacker News. It needs no key.",
  ),
  HACKERNEWS_ITEMS_URL: setting(
    settingForm.text,
    'https://hacker-news.firebaseio.com/v0',
    'The API of Hacker News itself, which says whether an item was edited or deleted. It needs no key.',
  ),
})
