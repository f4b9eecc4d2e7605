import { defineSettings, setting, settingForm } from 'renown'

/** Settings of Stack Exchange as a source of mentions. */
export const stackExchangeSettings = defineSettings({
  STACKEXCHANGE_URL: setting(settingForm.text, 'https://api.stackexchange.com/2.3', "Stack Exchange's API."),
  STACKEXCHANGE_SITE: setting(
    settingForm.text,
    'stackoverflow',
    'The site that is searched, as the API names it. If empty, Renown does not search Stack Exchange.',
  ),
  STACKEXCHANGE_KEY: setting(
    settingForm.text,
    '',
    'Key of the API. It is free and raises the limit from 300 to 10,000 requests a day.',
  ),
})
