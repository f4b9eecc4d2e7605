import { describe, expect, test } from 'bun:test'
import type { TrafficCategory } from 'renown/contracts'
import { record, withIngest } from '../support/ingest'
import { readJournal } from '../support/journal'

// One hit of each agent, and one visit of each assistant, that the directories named in docs/operators/registry.md added lately.
// The journal says what was counted.

const mozilla = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; '
const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const agents: readonly [ua: string, agent: string, operator: string, category: TrafficCategory][] = [
  [
    'ModelContextProtocol/1.0 (Autonomous; +https://github.com/modelcontextprotocol/servers)',
    'ModelContextProtocol',
    'Model Context Protocol',
    'ai_answers',
  ],
  [
    `${chrome} CloudflareBrowserRenderingCrawler/1.0`,
    'CloudflareBrowserRenderingCrawler',
    'Cloudflare',
    'other_ai',
  ],
  [`${mozilla}Diffbot-User/1.0; +https://diffbot.com)`, 'Diffbot-User', 'Diffbot', 'ai_answers'],
  [`${mozilla}Diffbot/0.1; +http://www.diffbot.com)`, 'Diffbot', 'Diffbot', 'training'],
  [`${mozilla}GLM-User/1.0; +https://z.ai/)`, 'GLM-User', 'Zhipu AI', 'ai_answers'],
  [`${mozilla}ChatGLM-Spider/1.0; +https://chatglm.cn/)`, 'ChatGLM-Spider', 'Zhipu AI', 'training'],
  [`${mozilla}GensparkBot/1.0; +https://www.genspark.ai)`, 'GensparkBot', 'Genspark', 'search_index'],
  ['Trae-Agent/1.0 (+https://www.trae.ai)', 'Trae-Agent', 'ByteDance', 'other_ai'],
  [`${mozilla}Kimi-Agent/1.0; +https://www.kimi.com)`, 'Kimi-Agent', 'Moonshot AI', 'ai_answers'],
  [`${mozilla}Kimi-User/1.0; +https://www.kimi.com)`, 'Kimi-User', 'Moonshot AI', 'ai_answers'],
  [
    `${mozilla}MistralAI-Training/1.0; +https://docs.mistral.ai/robots)`,
    'MistralAI-Training',
    'Mistral AI',
    'training',
  ],
  [
    `${mozilla}meta-webindexer/1.1; +https://developers.facebook.com/docs)`,
    'meta-webindexer',
    'Meta',
    'search_index',
  ],
  [`${mozilla}Amzn-User/0.1) Chrome/119.0.6045.214 Safari/537.36`, 'Amzn-User', 'Amazon', 'ai_answers'],
  [`${mozilla}Google-Agent; +https://developers.google.com)`, 'Google-Agent', 'Google', 'ai_answers'],
  ['Aranet-SearchBot/1.0', 'Aranet-SearchBot', 'Aranet', 'search_index'],
  ['Mozilla/5.0 (compatible; MyCentralAIScraperBot/1.0)', 'MyCentralAIScraperBot', 'MyCentralAI', 'training'],
  [`${mozilla}LinerBot/1.0; +https://liner.com)`, 'LinerBot', 'Liner', 'ai_answers'],
  ['PerplexityUser/1.0', 'Perplexity-User', 'Perplexity', 'ai_answers'],
  [
    `${chrome.replace('Safari/537.36', '')}Amazon-Bedrock-AgentCore-Browser/1.0 (Chromium; +https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/browser-tool.html)`,
    'Amazon-Bedrock-AgentCore-Browser',
    'Amazon',
    'ai_answers',
  ],
  ['amazon-Quick-on-behalf-of-20e61c5a', 'amazon-Quick-on-behalf-of', 'Amazon', 'other_ai'],
  [`${mozilla}CloudVertexBot)`, 'Google-CloudVertexBot', 'Google', 'other_ai'],
  [`${chrome} AnchorBrowser/1.0`, 'Anchor Browser', 'Anchor', 'ai_answers'],
  [
    'Mozilla/5.0 (compatible; Scrunchbot/1.0; +https://scrunchai.com/bots)',
    'Scrunchbot',
    'Scrunch',
    'other_ai',
  ],
  [
    'Mozilla/5.0 (compatible; Genspark/1.0; +https://www.genspark.ai)',
    'GensparkBot',
    'Genspark',
    'search_index',
  ],
  ['Nooshub/1.0', 'Nooshub', 'Nooshub', 'other_ai'],
  ['Mozilla/5.0 (compatible; Novellum AI Crawl/1.0)', 'Novellum', 'Novellum', 'training'],
  ['Mozilla/5.0 (compatible; linkReader/1.0)', 'linkReader', 'linkReader', 'other_ai'],
  ['Mozilla/5.0 (compatible; Spawning-AI/1.0)', 'Spawning-AI', 'Spawning', 'training'],
  [
    'Mozilla/5.0 (compatible; semantic-visions.com crawler; HTTPClient 3.1)',
    'semantic-visions.com',
    'Semantic Visions',
    'other_ai',
  ],
  ['ExteContextCrawl/1.0 (+http://crawl001.exte.ai/)', 'ExteContextCrawl', 'Exte', 'other_ai'],
  ['Mozilla/5.0 (compatible; WARDBot/1.0)', 'WARDBot', 'WARD', 'other_ai'],
  ['Mozilla/5.0 (compatible; AISearchBot/1.0)', 'AISearchBot', 'AISearchBot', 'search_index'],
  ['GeminiCLI/v0.9.0 (linux; x64)', 'Google-Gemini-CLI', 'Google', 'other_ai'],
  ['codex_cli_rs/0.46.0 (Ubuntu 22.4.0; x86_64) xterm-256color', 'codex_cli_rs', 'OpenAI', 'other_ai'],
  ['Lightpanda/1.0', 'Lightpanda/1', 'Lightpanda', 'other_ai'],
  ['Mozilla/5.0 (compatible; spider/2.0; +https://spider.cloud)', 'spider.cloud', 'Spider', 'other_ai'],
  [`${mozilla}ShapBot/0.1.0; +https://parallel.ai)`, 'ShapBot', 'Parallel', 'search_index'],
]

describe('an agent that directories of crawlers list', () => {
  test.each(agents)('%s is counted', (ua, agent, operator, category) =>
    withIngest(async ({ send, directory }) => {
      expect((await send('/v1/hits', JSON.stringify(record({ ua })))).body).toMatchObject({ accepted: 1 })
      expect((await readJournal(directory, ['.seg', '.open'])).hits).toMatchObject([
        { kind: 'crawl', agent, operator, category },
      ])
    }),
  )
})

test.each([
  `${chrome.replace('Chrome/142.0.0.0', 'Trae/1.100.3 Chrome/132.0.6834.210 Electron/34.5.1')}`,
  'Mozilla/5.0 (Linux; Android 13; Spider 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Genspark/2.1 Mobile/15E148',
  `${chrome} Lightpanda`,
])('%s is a person and not counted', (ua) =>
  withIngest(async ({ send }) => {
    expect((await send('/v1/hits', JSON.stringify(record({ ua })))).body).toMatchObject({ accepted: 0 })
  }),
)

const referrers = [
  'qwen.ai',
  'chat.qwen.ai',
  'z.ai',
  'chat.z.ai',
  'tongyi.com',
  'lumo.proton.me',
  'aistudio.google.com',
  'genspark.ai',
  'kimi.com',
  'duck.ai',
  'chat.mistral.ai',
  'notebooklm.google.com',
  'm365.cloud.microsoft',
]

describe('an assistant that sends people', () => {
  test.each(referrers)('from %s is counted as a visit', (host) =>
    withIngest(async ({ send, directory }) => {
      const origin = { origin: 'https://example.com', 'user-agent': chrome }
      await send('/s/key1', `,https://www.${host}/,/pricing`, origin)
      expect((await readJournal(directory, ['.seg', '.open'])).hits).toMatchObject([
        { kind: 'visit', agent: host, path: '/pricing' },
      ])
    }),
  )
})
