import { defineSettings, setting, settingForm } from 'renown'

/** Settings of feeds as sources of mentions. */
export const feedSettings = defineSettings({
  FEED_BYTES_MAX: setting(
    settingForm.count,
    '4194304',
    'Maximum size of a feed in bytes. A larger feed is not read.',
  ),
})
