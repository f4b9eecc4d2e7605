import { defineSettings, setting, settingForm } from 'renown'
import { priceForm } from 'renown/visibility'

/** Settings of OpenAI as an engine of AI visibility. */
export const openaiSettings = defineSettings({
  OPENAI_URL: setting(settingForm.text, 'https://api.openai.com/v1', "OpenAI's API."),
  OPENAI_API_KEY: setting(
    settingForm.text,
    '',
    'Key of the OpenAI API. If empty, Renown does not ask ChatGPT.',
  ),
  OPENAI_MODEL: setting(settingForm.text, 'gpt-6-luna', 'The model that answers for ChatGPT.'),
  OPENAI_PRICES: setting(
    priceForm,
    '',
    'Prices in US dollars, `input,output,search`: per million tokens read, per million written, per 1,000 searches. If empty, the built-in list is used.',
  ),
})
