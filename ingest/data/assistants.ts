/** One assistant that refers people to websites, with every trace it leaves. */
export interface Assistant {
  readonly name: string
  /**
   * Hosts whose visitors the assistant referred, subdomains included. The first is the key when a trace has no host.
   */
  readonly hosts: readonly string[]
  /**
   * Parts of hosts that also do other things: `host/path`, or `host?query`. The host alone does not count as an
   * assistant.
   */
  readonly parts?: readonly string[]
  /** Values of `utm_source` in addition to the hosts. */
  readonly utm?: readonly string[]
  /** Android packages, seen as `android-app://<package>/`. */
  readonly android?: readonly string[]
  /** Product tokens of the app's own browser in the user agent. */
  readonly markers?: readonly string[]
}

/**
 * Assistants whose visits are counted. Google Search is missing, because its AI answers look like its links. Whole
 * browsers (Atlas, Comet) have no marker here, because typed addresses would count.
 */
export const assistants: readonly Assistant[] = [
  {
    name: 'ChatGPT',
    hosts: ['chatgpt.com', 'chat.openai.com', 'labs.openai.com', 'chat.com'],
    utm: ['chatgpt', 'openai', 'openai.com'],
    android: ['com.openai.chatgpt'],
  },
  {
    name: 'Perplexity',
    hosts: ['perplexity.ai'],
    utm: ['perplexity'],
    android: ['ai.perplexity.app.android'],
  },
  { name: 'Claude', hosts: ['claude.ai'], utm: ['claude'], android: ['com.anthropic.claude'] },
  {
    name: 'Gemini',
    hosts: ['gemini.google.com', 'bard.google.com', 'business.gemini.google', 'aistudio.google.com'],
    utm: ['gemini'],
    android: ['com.google.android.apps.bard'],
  },
  { name: 'NotebookLM', hosts: ['notebooklm.google.com', 'notebooklm.google'], utm: ['notebooklm'] },
  {
    name: 'Copilot',
    hosts: [
      'copilot.microsoft.com',
      'copilot.com',
      'copilot.cloud.microsoft',
      'm365.cloud.microsoft',
      'edgeservices.bing.com',
    ],
    parts: ['bing.com/chat'],
    utm: ['copilot'],
    android: ['com.microsoft.copilot'],
    markers: ['CopilotSapphire'],
  },
  { name: 'Meta AI', hosts: ['meta.ai'] },
  { name: 'Le Chat', hosts: ['chat.mistral.ai'], utm: ['mistral'], android: ['ai.mistral.chat'] },
  {
    name: 'Grok',
    hosts: ['grok.com', 'x.ai'],
    parts: ['x.com/i/grok'],
    utm: ['grok'],
    android: ['ai.x.grok'],
    markers: ['GrokApp'],
  },
  { name: 'You.com', hosts: ['you.com'] },
  {
    name: 'DeepSeek',
    hosts: ['chat.deepseek.com', 'deepseek.com'],
    utm: ['deepseek'],
    android: ['com.deepseek.chat'],
  },
  { name: 'Duck.ai', hosts: ['duck.ai'], parts: ['duckduckgo.com?ia=chat'] },
  { name: 'Qwen', hosts: ['chat.qwen.ai', 'qwen.ai', 'tongyi.aliyun.com', 'tongyi.com'], utm: ['qwen'] },
  { name: 'Kimi', hosts: ['kimi.com', 'kimi.moonshot.cn'], utm: ['kimi'], markers: ['Kimi'] },
  { name: 'Doubao', hosts: ['doubao.com'], utm: ['doubao'], markers: ['SamanthaDoubao'] },
  { name: 'Yuanbao', hosts: ['yuanbao.tencent.com'] },
  { name: 'ChatGLM', hosts: ['chatglm.cn', 'chat.z.ai', 'z.ai'] },
  { name: 'Baidu AI', hosts: ['chat.baidu.com', 'yiyan.baidu.com', 'ai.baidu.com'] },
  { name: 'Poe', hosts: ['poe.com'] },
  { name: 'Phind', hosts: ['phind.com'] },
  { name: 'iAsk', hosts: ['iask.ai'] },
  { name: 'Andi', hosts: ['andisearch.com'] },
  { name: 'Komo', hosts: ['komo.ai'] },
  { name: 'Felo', hosts: ['felo.ai'] },
  { name: 'Genspark', hosts: ['genspark.ai'] },
  { name: 'Liner', hosts: ['liner.com'] },
  { name: 'Monica', hosts: ['monica.im'] },
  { name: 'Kagi Assistant', hosts: [], parts: ['kagi.com/assistant'] },
  { name: 'Brave', hosts: [], parts: ['search.brave.com/ask'] },
  { name: 'Lumo', hosts: ['lumo.proton.me'] },
  { name: 'Manus', hosts: ['manus.im'] },
  { name: 'Character.AI', hosts: ['character.ai'] },
  { name: 'Pi', hosts: ['pi.ai'] },
  { name: 'HuggingChat', hosts: [], parts: ['huggingface.co/chat'] },
  { name: 'Jasper', hosts: ['app.jasper.ai'] },
  { name: 'Writesonic', hosts: ['app.writesonic.com'] },
  { name: 'Chat+', hosts: ['chatplus.com', 'chat-gpt.org'] },
]
