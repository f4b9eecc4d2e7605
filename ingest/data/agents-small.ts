import { agentsOf } from './agent-row'
import { lists } from './operators'

/** All other agents: regional assistants, answer engines, data collectors and tools. */
export const smallOperators = [
  ...agentsOf('Common Crawl', [['CCBot', 'training', 'documented', { lists: [lists.commonCrawl] }]]),
  ...agentsOf('ByteDance', [
    ['Bytespider', 'training', 'observed'],
    ['TikTokSpider', 'other_ai', 'observed'],
    ['Trae-Agent', 'other_ai', 'reported', { client: true }],
    ['Doubaobot', 'other_ai', 'reported'],
    ['imageSpider', 'training', 'reported'],
  ]),
  ...agentsOf('Huawei', [
    ['PetalBot', 'search_index', 'observed'],
    ['PanguBot', 'training', 'reported'],
  ]),
  ...agentsOf('Cohere', [
    ['cohere-training-data-crawler', 'training', 'observed'],
    ['cohere-ai', 'ai_answers', 'reported'],
  ]),
  ...agentsOf('Ai2', [
    ['AI2Bot', 'training', 'observed'],
    ['Ai2Bot-Dolma', 'training', 'observed'],
    ['AI2Bot-DeepResearchEval', 'other_ai', 'observed'],
  ]),
  ...agentsOf('Diffbot', [
    ['Diffbot', 'training', 'observed'],
    ['Diffbot-User', 'ai_answers', 'reported'],
  ]),
  ...agentsOf('You.com', [['YouBot', 'search_index', 'observed']]),
  // xAI documents none of these. Its assistant's own fetches look like those of a browser.
  ...agentsOf('xAI', [
    ['xAI-SearchBot', 'search_index', 'reported'],
    ['xAI-Web-Crawler', 'other_ai', 'reported'],
    ['xAI-Grok', 'other_ai', 'reported'],
    ['xAI-Bot', 'other_ai', 'reported'],
    ['Grok-DeepSearch', 'ai_answers', 'reported'],
    ['GrokBot', 'other_ai', 'reported'],
  ]),
  ...agentsOf('DeepSeek', [['DeepSeekBot', 'training', 'reported']]),
  ...agentsOf('Zhipu AI', [
    ['ChatGLM-Spider', 'training', 'reported'],
    ['GLM-User', 'ai_answers', 'reported'],
  ]),
  ...agentsOf('Alibaba', [
    ['QwenBot', 'training', 'reported'],
    ['Qwen-User', 'ai_answers', 'reported'],
    ['TongyiBot', 'ai_answers', 'reported'],
  ]),
  ...agentsOf('Baidu', [
    ['YiyanBot', 'ai_answers', 'reported'],
    ['ERNIEBot', 'training', 'reported'],
    ['Baiduspider', 'search_index', 'observed', { class: 'search_engine' }],
  ]),
  ...agentsOf('Yandex', [
    ['YandexAdditionalBot', 'training', 'observed', { aliases: ['YandexAdditional'] }],
    ['YandexBot', 'search_index', 'observed', { class: 'search_engine' }],
  ]),
  ...agentsOf('Manus', [['Manus-User', 'ai_answers', 'observed']]),
  ...agentsOf('Cognition', [['Devin', 'other_ai', 'observed']]),
  ...agentsOf('Kagi', [['kagi-fetcher', 'ai_answers', 'observed']]),
  ...agentsOf('Phind', [['PhindBot', 'search_index', 'reported']]),
  ...agentsOf('Andi', [['Andibot', 'search_index', 'reported']]),
  ...agentsOf('iAsk', [['iAskBot', 'search_index', 'reported', { aliases: ['iaskspider'] }]]),
  ...agentsOf('Liner', [['LinerBot', 'ai_answers', 'documented', { lists: [lists.linerbot] }]]),
  ...agentsOf('Exa', [['ExaBot', 'search_index', 'reported', { aliases: ['ExaSearchBot'] }]]),
  // The search engine Exalead used the name before: Exabot/2.0, Exabot/3.0, Exabot-Images/3.0 and others.
  ...agentsOf('Exalead', [
    [
      'Exabot/3',
      'search_index',
      'legacy',
      { class: 'namesake', aliases: ['Exabot/2', 'Exabot-Images', 'Exabot-Test', 'Exabot-Thumbnails'] },
    ],
  ]),
  ...agentsOf('Tavily', [['TavilyBot', 'search_index', 'reported']]),
  ...agentsOf('Linkup', [['LinkupBot', 'search_index', 'observed']]),
  ...agentsOf('Parallel', [
    ['ShapBot', 'search_index', 'documented', { lists: [lists.shapbot] }],
    ['Shap-User', 'ai_answers', 'observed'],
  ]),
  ...agentsOf('Brave', [['Bravebot', 'search_index', 'observed']]),
  ...agentsOf('Ceramic AI', [['TerraCotta', 'search_index', 'observed']]),
  ...agentsOf('Querit', [['Querit-SearchBot', 'search_index', 'reported', { aliases: ['QueritBot'] }]]),
  ...agentsOf('ProRata', [['ProRataInc', 'search_index', 'observed']]),
  ...agentsOf('Ibou', [['IbouBot', 'search_index', 'reported']]),
  ...agentsOf('Zanista', [['ZanistaBot', 'search_index', 'reported']]),
  ...agentsOf('Channel3', [['Channel3Bot', 'search_index', 'reported']]),
  ...agentsOf('Direqt', [['Anomura', 'search_index', 'observed']]),
  ...agentsOf('Poggio', [['Poggio-Citations', 'ai_answers', 'reported']]),
  ...agentsOf('Big Sur AI', [['bigsur.ai', 'ai_answers', 'reported']]),
  ...agentsOf('Twin', [['TwinAgent', 'ai_answers', 'reported']]),
  // The app of this operator has the bare name too, but not the address.
  ...agentsOf('Genspark', [['GensparkBot', 'search_index', 'reported', { aliases: ['genspark.ai'] }]]),
  ...agentsOf('Anchor', [['Anchor Browser', 'ai_answers', 'reported', { aliases: ['AnchorBrowser'] }]]),
  // https://scrunchai.com/bots. It shows customers how AI reads their pages.
  ...agentsOf('Scrunch', [['Scrunchbot', 'other_ai', 'documented', { aliases: ['ScrunchAI-testbot'] }]]),
  ...agentsOf('Use AI', [['UseAI', 'ai_answers', 'reported']]),
  ...agentsOf('GeistHaus', [['GeistHaus-PageFetcher', 'ai_answers', 'reported']]),
  ...agentsOf('AddSearch', [['AddSearchBot', 'search_index', 'reported']]),
  ...agentsOf('Lyrenth', [['AIWebIndex', 'search_index', 'reported']]),
  ...agentsOf('Valyu', [['HenkBot', 'search_index', 'reported']]),
  ...agentsOf('Wrtn', [['WRTNBot', 'search_index', 'reported']]),
  // The reference server that fetches pages for MCP clients runs on the machine of its user.
  ...agentsOf('Model Context Protocol', [
    ['ModelContextProtocol', 'ai_answers', 'observed', { client: true }],
  ]),

  ...agentsOf('Timpi', [['Timpibot', 'training', 'reported']]),
  ...agentsOf('Webz.io', [
    ['webzio-extended', 'training', 'observed'],
    ['omgilibot', 'training', 'legacy', { aliases: ['omgili'] }],
  ]),
  ...agentsOf('ImageSift', [['ImagesiftBot', 'training', 'observed']]),
  ...agentsOf('img2dataset', [['img2dataset', 'training', 'observed', { client: true }]]),
  ...agentsOf('LAION', [
    ['LAIONDownloader', 'training', 'reported', { aliases: ['laion-huggingface-processor'] }],
  ]),
  ...agentsOf('NICT', [['ICC-Crawler', 'training', 'observed']]),
  ...agentsOf('ROIS', [['Cotoyogi', 'training', 'observed']]),
  ...agentsOf('SB Intuitions', [['SBIntuitionsBot', 'training', 'observed']]),
  ...agentsOf('Kangaroo LLM', [['Kangaroo Bot', 'training', 'reported']]),
  ...agentsOf('Poseidon', [
    ['PoseidonResearchCrawler', 'training', 'reported', { aliases: ['Poseidon Research Crawler'] }],
  ]),
  ...agentsOf('unknown', [['FriendlyCrawler', 'training', 'reported']]),
  ...agentsOf('Velen', [['VelenPublicWebCrawler', 'training', 'observed']]),
  ...agentsOf('Bright Data', [['Brightbot', 'training', 'reported']]),
  ...agentsOf('Sidetrade', [['Sidetrade indexer bot', 'training', 'reported']]),

  ...agentsOf('aiHit', [['aiHitBot', 'training', 'observed']]),
  ...agentsOf('FactSet', [['Factset_spyderbot', 'training', 'reported']]),
  ...agentsOf('Kunato', [['KunatoCrawler', 'other_ai', 'reported']]),
  ...agentsOf('Naget', [['NagetBot', 'other_ai', 'reported']]),
  ...agentsOf('CragSoftware', [['CragCrawler', 'other_ai', 'reported']]),
  ...agentsOf('Aranet', [['Aranet-SearchBot', 'search_index', 'reported']]),
  ...agentsOf('BuddyBot', [['BuddyBot', 'training', 'reported']]),
  ...agentsOf('MyCentralAI', [['MyCentralAIScraperBot', 'training', 'reported']]),
  ...agentsOf('Agent Times', [['AgentTimes', 'other_ai', 'reported']]),
  ...agentsOf('Nooshub', [['Nooshub', 'other_ai', 'reported']]),
  ...agentsOf('Novellum', [['Novellum', 'training', 'reported', { aliases: ['Novellum AI Crawl'] }]]),
  ...agentsOf('Spawning', [['Spawning-AI', 'training', 'reported']]),
  ...agentsOf('Exte', [['ExteContextCrawl', 'other_ai', 'reported']]),
  ...agentsOf('Semantic Visions', [['semantic-visions.com', 'other_ai', 'observed']]),
  ...agentsOf('linkReader', [['linkReader', 'other_ai', 'reported']]),
  ...agentsOf('AISearchBot', [['AISearchBot', 'search_index', 'reported']]),
  ...agentsOf('WARD', [['WARDBot', 'other_ai', 'reported']]),
  // The browser of robots names itself so unless its user changes that. "Lightpanda" alone is a word of apps.
  ...agentsOf('Lightpanda', [['Lightpanda/1', 'other_ai', 'documented', { client: true }]]),
  ...agentsOf('Spider', [['spider.cloud', 'other_ai', 'reported']]),
  ...agentsOf('Thinkbot', [['Thinkbot', 'other_ai', 'reported']]),

  ...agentsOf('Firecrawl', [['FirecrawlAgent', 'other_ai', 'observed']]),
  ...agentsOf('Apify', [
    ['ApifyWebsiteContentCrawler', 'other_ai', 'reported'],
    ['ApifyBot', 'other_ai', 'reported'],
  ]),
  ...agentsOf('Crawl4AI', [['Crawl4AI', 'other_ai', 'reported']]),
  ...agentsOf('Crawlspace', [['Crawlspace', 'other_ai', 'reported']]),
  ...agentsOf('Atlassian', [['atlassian-bot', 'other_ai', 'observed']]),
  ...agentsOf('Qualified', [['QualifiedBot', 'other_ai', 'reported']]),
  ...agentsOf('Cloudflare', [
    ['Cloudflare-AutoRAG', 'other_ai', 'observed'],
    ['CloudflareBrowserRenderingCrawler', 'other_ai', 'observed'],
  ]),
  ...agentsOf('Klaviyo', [['KlaviyoAIBot', 'other_ai', 'observed']]),
  ...agentsOf('Mozilla', [['Mozilla-Tabstack', 'other_ai', 'observed']]),
  ...agentsOf('Reflection AI', [['Reflectionbot', 'other_ai', 'reported']]),
  ...agentsOf('Semrush', [
    ['SemrushBot-OCOB', 'other_ai', 'observed'],
    ['SemrushBot-SWA', 'other_ai', 'observed'],
  ]),
  ...agentsOf('opencode', [['opencode', 'other_ai', 'reported', { client: true }]]),
]
