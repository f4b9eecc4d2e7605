import { defineSettings, setting, settingForm } from 'renown'
import * as v from 'valibot'

/** Settings of GDELT as a source of mentions. */
export const gdeltSettings = defineSettings({
  GDELT_READS: setting(
    v.picklist(['on', 'off'], '`on` or `off`'),
    'off',
    'Whether Renown reads the news of GDELT: about 10 MB every 15 minutes. `on` or `off`.',
  ),
  GDELT_URL: setting(
    settingForm.text,
    'https://storage.googleapis.com/data.gdeltproject.org/gdeltv2',
    'The folder with the files of GDELT 2.0.',
  ),
})
