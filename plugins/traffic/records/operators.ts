import type { AgentRegistry } from 'renown/traffic'

/**
 * The operators of assistants by host, under the same names as their crawlers. Subdomains belong to their
 * domain.
 */
const operators: Readonly<Record<string, readonly string[]>> = {
  OpenAI: ['chatgpt.com', 'openai.com', 'chat.com'],
  Perplexity: ['perplexity.ai'],
  Anthropic: ['claude.ai'],
  Google: [
    'gemini.google.com',
    'bard.google.com',
    'business.gemini.google',
    'notebooklm.google.com',
    'notebooklm.google',
    'aistudio.google.com',
  ],
  Microsoft: ['copilot.microsoft.com', 'copilot.com', 'cloud.microsoft', 'bing.com'],
  Meta: ['meta.ai'],
  'Mistral AI': ['mistral.ai'],
  xAI: ['grok.com', 'x.ai', 'x.com'],
  'You.com': ['you.com'],
  DeepSeek: ['deepseek.com'],
  DuckDuckGo: ['duck.ai', 'duckduckgo.com'],
  Alibaba: ['qwen.ai', 'tongyi.aliyun.com', 'tongyi.com'],
  'Moonshot AI': ['kimi.com', 'moonshot.cn'],
  ByteDance: ['doubao.com'],
  'Zhipu AI': ['chatglm.cn', 'z.ai'],
  Baidu: ['baidu.com'],
  Phind: ['phind.com'],
  iAsk: ['iask.ai'],
  Andi: ['andisearch.com'],
  Liner: ['liner.com'],
  Kagi: ['kagi.com'],
  Brave: ['search.brave.com'],
  Manus: ['manus.im'],
}

/** The operators of assistants, by host and by name. */
export interface Operators {
  /** Returns the operator of an assistant's host, or null if it has no known crawler. */
  operatorOf(host: string): string | null
  /** Whether an operator has an assistant that is known to send visits. */
  hasAssistant(operator: string): boolean
}

const domainsOf = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([operator, domains]) => domains.map((domain) => [domain, operator] as const))

/** The operators of this release. */
export const releaseOperators: Operators = operatorsIn(domainsOf(operators))

/**
 * Returns the operators of a newer registry. Those of the release still apply to hosts that it does not have, because
 * stored days keep them.
 */
export function operatorsWith({ assistants }: Pick<AgentRegistry, 'assistants'>): Operators {
  const newer = assistants.flatMap(({ operator, hosts }) =>
    operator === undefined ? [] : hosts.map((host) => [host, operator] as const),
  )
  return operatorsIn([...domainsOf(operators), ...newer])
}

function operatorsIn(all: readonly (readonly [domain: string, operator: string])[]): Operators {
  const byDomain = new Map(all)
  const names = new Set(byDomain.values())
  return {
    operatorOf(host) {
      for (let rest = host; rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
        const operator = byDomain.get(rest)
        if (operator !== undefined) return operator
        if (!rest.includes('.')) return null
      }
      return null
    },
    hasAssistant: (operator) => names.has(operator),
  }
}

/** Returns the operator of an assistant's host in this release. */
export const { operatorOf } = releaseOperators
