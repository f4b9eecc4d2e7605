import { defineSettings, setting, settingForm } from 'renown'

/** Settings of DataForSEO. */
export const dataforseoSettings = defineSettings({
  DATAFORSEO_URL: setting(settingForm.text, 'https://api.dataforseo.com', "DataForSEO's API."),
  DATAFORSEO_LOGIN: setting(settingForm.text, '', 'Login at DataForSEO. If empty, Renown does not use it.'),
  DATAFORSEO_PASSWORD: setting(settingForm.text, '', 'Password at DataForSEO.'),
  DATAFORSEO_REVIEWS_PER_DAY: setting(
    settingForm.count,
    '20000',
    'Reviews that the installation orders from DataForSEO per day, a hundred per location. DataForSEO bills in tens.',
  ),
  DATAFORSEO_ANSWERS_PER_DAY: setting(
    settingForm.count,
    '2000',
    'Answers of AI assistants that the installation reads through DataForSEO per day.',
  ),
})
