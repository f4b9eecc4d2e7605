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
