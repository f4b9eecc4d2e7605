import { defineSettings, setting, settingForm } from 'renown'
import { priceForm } from 'renown/visibility'

/** Settings of Perplexity as an engine of AI visibility. */
export const perplexitySettings = defineSettings({
  PERPLEXITY_URL: setting(settingForm.text, 'https://api.perplexity.ai/v1', "Perplexity's API."),
  PERPLEXITY_API_KEY: setting(
    settingForm.text,
    '',
    'Key of the Perplexity API. If empty, Renown does not ask Perplexity.',
  ),
  PERPLEXITY_MODEL: setting(
    settingForm.text,
    'perplexity/sonar',
    'The model that answers for Perplexity. Presets change their model without notice.',
  ),
  PERPLEXITY_PRICES: setting(
    priceForm,
    '',
    'Prices for answers of Perplexity without a cost, as `input,output,search` in US dollars. If empty, the built-in list is used.',
  ),
})
