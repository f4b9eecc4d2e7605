import { defineSettings, setting, settingForm } from 'renown'

/** Settings of LinkedIn as a target of posts. */
export const linkedinSettings = defineSettings({
  LINKEDIN_URL: setting(settingForm.text, 'https://api.linkedin.com', "LinkedIn's API."),
  LINKEDIN_VERSION: setting(
    settingForm.text,
    '202610',
    "The version of LinkedIn's API, as a year and a month. LinkedIn ends each after twelve months.",
  ),
})
