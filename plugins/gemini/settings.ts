import { defineSettings, setting, settingForm } from 'renown'
import { priceForm } from 'renown/visibility'

/** Settings of Google's Gemini API as an engine of AI visibility. */
export const geminiSettings = defineSettings({
  GEMINI_URL: setting(
    settingForm.text,
    'https://generativelanguage.googleapis.com/v1beta',
    "Google's Gemini API.",
  ),
  GEMINI_API_KEY: setting(
    settingForm.text,
    '',
    'Key of the Gemini API. If empty, Renown does not ask Gemini.',
  ),
  GEMINI_MODEL: setting(settingForm.text, 'gemini-3.8-flash', 'The model that answers for Gemini.'),
  GEMINI_PRICES: setting(
    priceForm,
    '',
    'Prices of Gemini as `input,output,search` in US dollars. If empty, the built-in list is used. Free searches count with the normal price.',
  ),
})
