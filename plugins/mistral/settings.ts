import { defineSettings, setting, settingForm } from 'renown'
import { priceForm } from 'renown/visibility'

/** Settings of Mistral as an engine of AI visibility. */
export const mistralSettings = defineSettings({
  MISTRAL_URL: setting(settingForm.text, 'https://api.mistral.ai/v1', "Mistral's API."),
  MISTRAL_API_KEY: setting(
    settingForm.text,
    '',
    'Key of the Mistral API. If empty, Renown does not ask Mistral.',
  ),
  MISTRAL_MODEL: setting(settingForm.text, 'mistral-medium-latest', 'The model that answers for Mistral.'),
  MISTRAL_PRICES: setting(
    priceForm,
    '',
    'Prices of Mistral as `input,output,search` in US dollars. If empty, the built-in list is used.',
  ),
})
