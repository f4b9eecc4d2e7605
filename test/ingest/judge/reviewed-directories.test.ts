import { describe, expect, test } from 'bun:test'
import type { TrafficCategory } from 'renown/contracts'
import { record, withIngest } from '../support/ingest'
import { readJournal } from '../support/journal'

// One hit of each agent, and one visit of each assistant, that the directories named in docs/REGISTRY.md added lately.
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
