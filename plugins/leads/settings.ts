import { defineSettings, setting, settingForm } from 'renown'

/** Settings of mentions and leads. */
export const leadSettings = defineSettings({
  LEAD_STALE_POST_FLAG_DAYS: setting(
    settingForm.count,
    '30',
    'A lead gets stale_post if its post was older than this number of days when Renown found it.',
  ),
  LEAD_INTENT_MIN: setting(
    settingForm.count,
    '50',
    'Minimum intent score, 0 to 100, from which a mention becomes a lead.',
  ),
  LEAD_AUTHOR_MENTIONS_MIN: setting(
    settingForm.count,
    '3',
    'Number of posts of one author on one source, within 90 days, from which they are a lead without a clear intent. 0: never.',
  ),
})
