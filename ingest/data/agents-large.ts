import { agentsOf } from './agent-row'
import { lists } from './operators'

const common = { lists: [lists.googleCommon] } as const
const claude = { lists: [lists.claude] } as const

/** The agents of the large assistants and search companies. */
export const largeOperators = [
  ...agentsOf('OpenAI', [
    ['ChatGPT-User', 'ai_answers', 'documented', { lists: [lists.chatgptUser] }],
    ['OAI-SearchBot', 'search_index', 'documented', { lists: [lists.searchbot] }],
    ['GPTBot', 'training', 'documented', { lists: [lists.gptbot] }],
    ['OAI-AdsBot', 'other_ai', 'documented', { lists: [lists.adsbot] }],
    ['ChatGPT Agent', 'ai_answers', 'reported'],
    // Codex runs on the machine of its developer.
    ['codex_cli_rs', 'other_ai', 'observed', { aliases: ['codex_cli', 'codex-cli'], client: true }],
  ]),
  ...agentsOf('Anthropic', [
    ['Claude-User', 'ai_answers', 'documented', claude],
    // The coding tool fetches from its developer's machine, with the name of the hosted agent.
    ['Claude-User', 'ai_answers', 'observed', { aliases: ['Claude-User (claude-code'], client: true }],
    ['Claude-SearchBot', 'search_index', 'documented', claude],
    ['ClaudeBot', 'training', 'documented', claude],
    ['anthropic-ai', 'training', 'legacy'],
    ['Claude-Web', 'training', 'legacy'],
    ['Claude-Code', 'other_ai', 'reported', { client: true }],
  ]),
  ...agentsOf('Perplexity', [
    [
      'Perplexity-User',
      'ai_answers',
      'documented',
      { aliases: ['PerplexityUser'], lists: [lists.perplexityUser] },
    ],
    ['PerplexityBot', 'search_index', 'documented', { lists: [lists.perplexitybot] }],
  ]),
  ...agentsOf('Google', [
    ['Google-Agent', 'ai_answers', 'documented', { lists: [lists.googleAgents] }],
    [
      'Google-GeminiNotebook',
      'ai_answers',
      'documented',
      { aliases: ['Google-NotebookLM'], lists: [lists.googleUser, lists.googleUserOwn] },
    ],
    ['Gemini-Deep-Research', 'ai_answers', 'observed'],
    ['GoogleAgent-Mariner', 'ai_answers', 'observed'],
    ['GoogleAgent-URLContext', 'ai_answers', 'observed'],
    ['GoogleAgent-Search', 'ai_answers', 'reported'],
    ['Google-CloudVertexBot', 'other_ai', 'documented', { aliases: ['CloudVertexBot'], ...common }],
    ['GoogleOther', 'other_ai', 'documented', common],
    ['GoogleOther-Image', 'other_ai', 'documented', common],
    ['GoogleOther-Video', 'other_ai', 'documented', common],
    ['Google-Pinpoint', 'other_ai', 'observed', { lists: [lists.googleUser, lists.googleUserOwn] }],
    ['Google-Firebase', 'other_ai', 'reported'],
    ['Google-Gemini-CLI', 'other_ai', 'reported', { aliases: ['GeminiCLI'], client: true }],
    ['Google-Extended', 'training', 'documented', { class: 'robots_only' }],
    ['Googlebot', 'search_index', 'documented', { class: 'search_engine', ...common }],
  ]),
  ...agentsOf('Microsoft', [
    ['AzureAI-SearchBot', 'search_index', 'reported'],
    ['GitHubCopilotChat', 'other_ai', 'observed', { client: true }],
    ['bingbot', 'search_index', 'documented', { class: 'search_engine', lists: [lists.bingbot] }],
  ]),
  ...agentsOf('Apple', [
    ['Applebot', 'search_index', 'documented', { lists: [lists.applebot] }],
    ['Applebot-Extended', 'training', 'documented', { class: 'robots_only' }],
  ]),
  ...agentsOf('Amazon', [
    ['Amzn-User', 'ai_answers', 'documented', { lists: [lists.amazonUser] }],
    ['Amzn-SearchBot', 'search_index', 'documented', { lists: [lists.amazonSearchbot] }],
    ['Amazonbot', 'training', 'documented', { lists: [lists.amazonbot] }],
    ['NovaAct', 'ai_answers', 'reported'],
    ['AmazonBuyForMe', 'other_ai', 'reported'],
    ['bedrockbot', 'other_ai', 'observed'],
    ['amazon-QBusiness', 'other_ai', 'reported'],
    // https://docs.aws.amazon.com/quick: an id of the customer follows the name.
    ['amazon-Quick-on-behalf-of', 'other_ai', 'documented'],
    ['Amazon-Bedrock-AgentCore-Browser', 'ai_answers', 'observed'],
    ['amazon-kendra', 'other_ai', 'observed', { aliases: ['KendraBot'] }],
  ]),
  // Meta's geofeed covers all of its networks and is not a list of crawlers. It can verify a hit, but never
  // shows that one is spoofed.
  ...agentsOf('Meta', [
    ['meta-externalfetcher', 'ai_answers', 'documented'],
    ['meta-webindexer', 'search_index', 'documented'],
    ['meta-externalagent', 'training', 'documented'],
    ['FacebookBot', 'training', 'legacy'],
  ]),
  ...agentsOf('DuckDuckGo', [
    ['DuckAssistBot', 'ai_answers', 'documented', { lists: [lists.duckassistbot] }],
    ['DuckDuckBot', 'search_index', 'documented', { class: 'search_engine', lists: [lists.duckduckbot] }],
  ]),
  ...agentsOf('Mistral AI', [
    ['MistralAI-User', 'ai_answers', 'documented', { lists: [lists.mistralUser] }],
    ['MistralAI-Index', 'search_index', 'documented', { lists: [lists.mistralIndex] }],
    ['MistralAI-Training', 'training', 'documented'],
  ]),
  ...agentsOf('Moonshot AI', [
    ['Kimi-User', 'ai_answers', 'documented', { lists: [lists.kimiUser] }],
    ['Kimi-SearchBot', 'search_index', 'documented', { lists: [lists.kimiSearchbot] }],
    ['Kimi-Agent', 'ai_answers', 'reported'],
    ['KimiBot', 'training', 'documented', { lists: [lists.kimibot] }],
  ]),
]
