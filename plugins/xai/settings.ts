import { defineSettings, setting, settingForm } from 'renown'
import { priceForm } from 'renown/visibility'

/** Settings of xAI as an engine of AI visibility. */
export const xaiSettings = defineSettings({
  XAI_URL: setting(settingForm.text, 'https://api.x.ai/v1', "xAI's API."),
  XAI_API_KEY: setting(settingForm.text, '', 'Key of the xAI API. If empty, Renown does not ask Grok.'),
  XAI_MODEL: setting(settingForm.text, 'grok-4.3', 'The model that answers for Grok.'),
  XAI_PRICES: setting(
    priceForm,
    '',
    'Prices for answers of xAI without a cost, as `input,output,search` in US dollars. If empty, the built-in list is used.',
  ),
})
