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

const byDomain = new Map(
  Object.entries(operators).flatMap(([operator, domains]) =>
    domains.map((domain) => [domain, operator] as const),
  ),
)

/** Returns the operator of an assistant's host, or null if it has no known crawler. */
export function operatorOf(host: string): string | null {
  for (let rest = host; rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
    const operator = byDomain.get(rest)
    if (operator !== undefined) return operator
    if (!rest.includes('.')) return null
  }
  return null
}

/** Whether an operator has an assistant that is known to send visits. */
export const hasAssistant = (operator: string): boolean => Object.hasOwn(operators, operator)
