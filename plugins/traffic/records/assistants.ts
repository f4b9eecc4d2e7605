import { nearest } from 'renown'
import { normaliseDomain } from 'renown/sources'
import { operatorOf } from './operators'

/** The assistants whose visits the ingest counts, with the hosts that daily rows name. */
export const assistantHosts: Readonly<Record<string, readonly string[]>> = {
  ChatGPT: ['chatgpt.com', 'chat.openai.com', 'labs.openai.com', 'chat.com'],
  Perplexity: ['perplexity.ai'],
  Claude: ['claude.ai'],
  Gemini: ['gemini.google.com', 'bard.google.com', 'business.gemini.google', 'aistudio.google.com'],
  NotebookLM: ['notebooklm.google.com', 'notebooklm.google'],
  Copilot: [
    'copilot.microsoft.com',
    'copilot.com',
    'copilot.cloud.microsoft',
    'm365.cloud.microsoft',
    'edgeservices.bing.com',
    'bing.com',
  ],
  'Meta AI': ['meta.ai'],
  'Le Chat': ['chat.mistral.ai'],
  Grok: ['grok.com', 'x.ai', 'x.com'],
  'You.com': ['you.com'],
  DeepSeek: ['chat.deepseek.com', 'deepseek.com'],
  'Duck.ai': ['duck.ai', 'duckduckgo.com'],
  Qwen: ['chat.qwen.ai', 'qwen.ai', 'tongyi.aliyun.com', 'tongyi.com'],
  Kimi: ['kimi.com', 'kimi.moonshot.cn'],
  Doubao: ['doubao.com'],
  Yuanbao: ['yuanbao.tencent.com'],
  ChatGLM: ['chatglm.cn', 'chat.z.ai', 'z.ai'],
  'Baidu AI': ['chat.baidu.com', 'yiyan.baidu.com', 'ai.baidu.com'],
  Poe: ['poe.com'],
  Phind: ['phind.com'],
  iAsk: ['iask.ai'],
  Andi: ['andisearch.com'],
  Komo: ['komo.ai'],
  Felo: ['felo.ai'],
  Genspark: ['genspark.ai'],
  Liner: ['liner.com'],
  Monica: ['monica.im'],
  'Kagi Assistant': ['kagi.com'],
  Brave: ['search.brave.com'],
  Lumo: ['lumo.proton.me'],
  Manus: ['manus.im'],
  'Character.AI': ['character.ai'],
  Pi: ['pi.ai'],
  HuggingChat: ['huggingface.co'],
  Jasper: ['app.jasper.ai'],
  Writesonic: ['app.writesonic.com'],
  'Chat+': ['chatplus.com', 'chat-gpt.org'],
}

const folded = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const known = Object.entries(assistantHosts)

/**
 * Returns the hosts that the name of an assistant, its operator or one of its hosts means. Undefined if it is none of them.
 * Subdomains are hosts of their own.
 */
export function hostsNamed(text: string): readonly string[] | undefined {
  const name = folded(text)
  if (name === '') return undefined
  const named = known.find(([assistant]) => folded(assistant) === name)?.[1]
  if (named) return named
  const host = normaliseDomain(text)
  if (host !== null && known.some(([, hosts]) => hosts.includes(host))) return [host]
  const ofOperator = known
    .flatMap(([, hosts]) => hosts)
    .filter((one) => folded(operatorOf(one) ?? '') === name)
  return ofOperator.length > 0 ? ofOperator : undefined
}

/** Returns the assistant or host that a mistyped name most likely means. */
export const nearestAssistant = (text: string, hosts: readonly string[]): string | undefined =>
  nearest(text, [...known.map(([name]) => name), ...hosts, ...known.flatMap(([, own]) => own)])
