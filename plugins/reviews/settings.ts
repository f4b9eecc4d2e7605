import { defineSettings, setting, settingForm } from 'renown'

/** Settings that review platforms share. */
export const replySettings = defineSettings(
  {
    CALLS_KEPT_FOR_REPLIES: setting(
      settingForm.count,
      '10',
      'Calls per minute to each platform that syncs leave for replies, so that a reply does not wait for a sync. Applies to platforms with a limit per minute.',
    ),
  },
  { shared: ['CALLS_KEPT_FOR_REPLIES'] },
)
