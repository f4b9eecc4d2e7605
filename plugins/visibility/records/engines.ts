/** Answer engines by key. One that a provider cannot reach is reported as unavailable, never faked. */
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

/** Engines that cannot be asked from a country: they choose a place of their own, or none. */
const unpinned: readonly string[] = ['copilot', 'grok', 'mistral']

/** Engines that can answer for a country. */
export const pinnedEngines = engines.filter((engine) => !unpinned.includes(engine))
