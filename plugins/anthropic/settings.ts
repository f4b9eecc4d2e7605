import { defineSettings, setting, settingForm } from 'renown'
import { priceForm } from 'renown/visibility'

/** Settings of Anthropic as an engine of AI visibility. */
export const anthropicSettings = defineSettings({
  ANTHROPIC_URL: setting(settingForm.text, 'https://api.anthropic.com/v1', "Anthropic's API."),
  ANTHROPIC_API_KEY: setting(
    settingForm.text,
    '',
    'Key of the Anthropic API. If empty, Renown does not ask Claude.',
  ),
  ANTHROPIC_MODEL: setting(settingForm.text, 'claude-haiku-5-5', 'The model that answers for Claude.'),
  ANTHROPIC_PRICES: setting(
    priceForm,
    '',
    'Prices of Anthropic as `input,output,search` in US dollars. If empty, the built-in list is used.',
  ),
})
