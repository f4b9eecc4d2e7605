import { field, nearest } from 'renown'

/** Answer engines by key. An engine that a provider cannot reach is reported as unavailable, never faked. */
export const engines = [
  'chatgpt',
  'claude',
  'gemini',
  'perplexity',
  'google_ai_overview',
  'google_ai_mode',
  'copilot',
  'grok',
  'mistral',
] as const

/** Engines that cannot be asked from a chosen country: they choose a location, or use none. */
const unpinned: readonly string[] = ['copilot', 'grok', 'mistral']

/** Engines that can answer for a country. */
export const pinnedEngines = engines.filter((engine) => !unpinned.includes(engine))

const folded = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Other spellings of engines that people and agents use. */
const spellings: Readonly<Record<string, (typeof engines)[number]>> = {
  chatgptcom: 'chatgpt',
  claudeai: 'claude',
  geminigooglecom: 'gemini',
  perplexityai: 'perplexity',
  googleaioverviews: 'google_ai_overview',
  aioverview: 'google_ai_overview',
  aioverviews: 'google_ai_overview',
  aimode: 'google_ai_mode',
  microsoftcopilot: 'copilot',
  copilotmicrosoftcom: 'copilot',
  grokcom: 'grok',
  lechat: 'mistral',
  mistralai: 'mistral',
  chatmistralai: 'mistral',
}

/** Returns the key of the engine that a text names, in any spelling. Returns other texts unchanged. */
export function engineMeant(text: string): string {
  const name = folded(text)
  return engines.find((engine) => folded(engine) === name) ?? spellings[name] ?? text
}

const key = /^[a-z][a-z0-9_]{0,39}$/

/** A stored answer engine. Plugins add engines, so a key that resembles no known one is accepted. */
export const engineField = (description: string) =>
  field.spelled(description, (text) => {
    const meant = engineMeant(text)
    const isKnown = engines.some((engine) => engine === meant)
    if (isKnown || (key.test(text) && nearest(text, engines) === undefined)) return meant
    return { message: 'is not an answer engine', allowed: engines }
  })
