import { defineSettings, setting, settingForm } from 'renown'

/** Settings of Brave Search as a source of mentions. */
export const braveSettings = defineSettings({
  BRAVE_URL: setting(settingForm.text, 'https://api.search.brave.com/res/v1', "Brave's Search API."),
  BRAVE_API_KEY: setting(
    settingForm.text,
    '',
    'Key of the Search API, with a plan that allows to store results. If empty, Renown does not search with Brave.',
  ),
  BRAVE_SEARCHES_PER_DAY: setting(
    settingForm.count,
    '30',
    'Maximum searches a day. Each costs half a US cent.',
  ),
})
