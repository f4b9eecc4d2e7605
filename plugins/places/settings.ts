import { defineSettings, setting, settingForm } from 'renown'

/** Settings of the Places API. */
export const placesSettings = defineSettings({
  PLACES_URL: setting(settingForm.text, 'https://places.googleapis.com/v1', "Google's Places API."),
  PLACES_API_KEY: setting(settingForm.text, '', 'Key of the Places API. If empty, Renown reads no places.'),
  PLACES_CALLS_PER_DAY: setting(
    settingForm.count,
    '1000',
    'Calls to the Places API per day, for the whole installation.',
  ),
})
