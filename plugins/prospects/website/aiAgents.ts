/** Why an agent fetches pages: to train models, to build a search index, or for a user's question. */
export type Purpose = 'training' | 'search' | 'user'

/** An agent that its operator documents, by its token in robots.txt. */
export interface AiAgent {
  readonly agent: string
  readonly operator: string
  readonly purpose: Purpose
  /** Whether the operator promises to follow robots.txt. Agents that fetch for a user often do not. */
  readonly heeds_robots_txt: boolean
}

const heeding: Readonly<Record<string, Readonly<Partial<Record<Purpose, readonly string[]>>>>> = {
  OpenAI: { training: ['GPTBot'], search: ['OAI-SearchBot'] },
  Anthropic: { training: ['ClaudeBot'], search: ['Claude-SearchBot'], user: ['Claude-User'] },
  Perplexity: { search: ['PerplexityBot'] },
  Google: { training: ['Google-Extended'], search: ['Googlebot'] },
  Microsoft: { search: ['bingbot'] },
  Apple: { training: ['Applebot-Extended'], search: ['Applebot'] },
  Amazon: { training: ['Amazonbot'], search: ['Amzn-SearchBot'], user: ['Amzn-User'] },
  Meta: { training: ['meta-externalagent'], search: ['meta-webindexer'] },
  DuckDuckGo: { search: ['DuckDuckBot'], user: ['DuckAssistBot'] },
  'Mistral AI': { training: ['MistralAI-Training'], search: ['MistralAI-Index'], user: ['MistralAI-User'] },
  'Moonshot AI': { training: ['KimiBot'], search: ['Kimi-SearchBot'] },
  'Common Crawl': { training: ['CCBot'] },
  Parallel: { search: ['ShapBot'] },
  Liner: { user: ['LinerBot'] },
}

const unbound: Readonly<Record<string, readonly string[]>> = {
  OpenAI: ['ChatGPT-User'],
  Perplexity: ['Perplexity-User'],
  Google: ['Google-Agent', 'Google-GeminiNotebook'],
  Meta: ['meta-externalfetcher'],
  'Moonshot AI': ['Kimi-User'],
}

/** All agents with documentation, for the check of robots.txt. */
export const aiAgents: readonly AiAgent[] = [
  ...Object.entries(heeding).flatMap(([operator, byPurpose]) =>
    Object.entries(byPurpose).flatMap(([purpose, names]) =>
      names.map((agent) => ({ agent, operator, purpose: purpose as Purpose, heeds_robots_txt: true })),
    ),
  ),
  ...Object.entries(unbound).flatMap(([operator, names]) =>
    names.map((agent) => ({ agent, operator, purpose: 'user' as const, heeds_robots_txt: false })),
  ),
]
