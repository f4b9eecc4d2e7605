import { defineSettings, setting, settingForm } from 'renown'

/** Settings of AI visibility. */
export const visibilitySettings = defineSettings({
  VISIBILITY_RECORDED_FILE: setting(
    settingForm.text,
    '',
    'File with recorded answers of AI assistants, one JSON object per line, for a trial without keys. docs/PLUGINS.md says how a line looks.',
  ),
  VISIBILITY_SEARCHES_PER_DAY: setting(
    settingForm.count,
    '2000',
    'Searches that AI assistants may make for one workspace in a day, in UTC. Searches are most of what an answer costs.',
  ),
  VISIBILITY_SEARCHES_PER_ANSWER: setting(
    settingForm.count,
    '3',
    'Most searches that an AI assistant may make for one answer, where the assistant accepts a limit.',
  ),
})
