/** Answer engines by key. One that a provider cannot reach is said to be unavailable, never faked. */
export const engines = [
  'chatgpt',
  'claude',
  'gemini',
  'perplexity',
  'google_ai_overview',
  'google_ai_mode',
  'copilot',
] as const

/** Those that can be asked as from a country. Copilot has no way to be. */
export const pinnedEngines = engines.filter((engine) => engine !== 'copilot')
