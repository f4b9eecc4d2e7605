import { defineSettings, setting, settingForm } from 'renown'

/** Settings of AI visibility. */
export const visibilitySettings = defineSettings({
  VISIBILITY_RECORDED_FILE: setting(
    settingForm.text,
    '',
    'File with recorded answers of AI assistants, one JSON object per line, for a trial without keys. docs/PLUGINS.md says how a line looks.',
  ),
})
