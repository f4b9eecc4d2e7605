import { defineSettings, setting, settingForm } from 'renown'
import * as v from 'valibot'

/** How long trials last. */
export const billingSettings = defineSettings({
  TRIAL_DAYS: setting(
    v.pipe(settingForm.count, v.minValue(1, '1 to 365 days'), v.maxValue(365, '1 to 365 days')),
    '14',
    'Length of a trial in days. A location above the paid capacity can start one. Running trials keep their end.',
  ),
})
