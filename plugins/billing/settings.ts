import { defineSettings, setting, settingForm } from 'renown'
import * as v from 'valibot'

/** How long trials last. */
export const billingSettings = defineSettings({
  TRIAL_DAYS: setting(
    v.pipe(settingForm.count, v.minValue(1, '1 to 365 days'), v.maxValue(365, '1 to 365 days')),
    '14',
    'Days for which a location that was added beyond paid capacity is on trial. Trials that run keep their end.',
  ),
})
