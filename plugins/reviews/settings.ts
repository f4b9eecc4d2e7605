import { defineSettings, setting, settingForm } from 'renown'

/** Settings that review platforms share. */
export const replySettings = defineSettings(
  {
    CALLS_KEPT_FOR_REPLIES: setting(
      settingForm.count,
      '10',
      "Calls of a platform's limit per minute that reading never uses, so that a reply does not wait for it. Counts for each platform that has such a limit.",
    ),
  },
  { shared: ['CALLS_KEPT_FOR_REPLIES'] },
)
