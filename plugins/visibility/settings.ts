import { defineSettings, setting, settingForm } from 'renown'

/** Settings of AI visibility. */
export const visibilitySettings = defineSettings({
  VISIBILITY_RECORDED_FILE: setting(
    settingForm.text,
    '',
    'File with recorded answers of AI assistants, one JSON object per line, for a trial without keys. docs/plugin-authors/visibility-engines.md describes the lines.',
  ),
  VISIBILITY_SEARCHES_PER_DAY: setting(
    settingForm.count,
    '2000',
    "Maximum searches of AI assistants per workspace and UTC day. Searches are the largest part of an answer's cost.",
  ),
  VISIBILITY_SEARCHES_PER_ANSWER: setting(
    settingForm.count,
    '3',
    'Maximum searches of an AI assistant for one answer, if the assistant accepts a limit.',
  ),
})
