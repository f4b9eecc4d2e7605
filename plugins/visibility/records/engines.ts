/** Answer engines by key. One that a provider cannot reach is reported as unavailable, never faked. */
export const engines = [
  'chatgpt',
  'claude',
  'gemini',
  'perplexity',
  'google_ai_overview',
  'google_ai_mode',
  'copilot',
] as const

/** Engines that can answer for a country. Copilot cannot. */
export const pinnedEngines = engines.filter((engine) => engine !== 'copilot')
