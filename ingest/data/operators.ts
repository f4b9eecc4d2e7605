/** One address list that an operator publishes. */
export interface RangeList {
  readonly operator: string
  /** The address where the operator itself publishes it. */
  readonly url: string
  /**
   * `json` accepts all common forms, `csv` the first column of a geofeed (RFC 8805), `page` the JSON inside a
   * web page.
   */
  readonly format: 'json' | 'csv' | 'page'
}

const openai = 'https://openai.com'
const perplexity = 'https://www.perplexity.ai'
const google = 'https://developers.google.com/static/crawling/ipranges'
const mistral = 'https://mistral.ai'
const duckduckgo = 'https://duckduckgo.com'
const kimi = 'https://www.kimi.com/policies'
const amazon = 'https://developer.amazon.com/amazonbot'

/** The published lists by Renown's names for them. Agents refer to the lists of their own traffic. */
export const lists = {
  gptbot: json('OpenAI', `${openai}/gptbot.json`),
  searchbot: json('OpenAI', `${openai}/searchbot.json`),
  chatgptUser: json('OpenAI', `${openai}/chatgpt-user.json`),
  adsbot: json('OpenAI', `${openai}/adsbot.json`),
  claude: json('Anthropic', 'https://claude.com/crawling/bots.json'),
  perplexitybot: json('Perplexity', `${perplexity}/perplexitybot.json`),
  perplexityUser: json('Perplexity', `${perplexity}/perplexity-user.json`),
  googleCommon: json('Google', `${google}/common-crawlers.json`),
  googleSpecial: json('Google', `${google}/special-crawlers.json`),
  googleUser: json('Google', `${google}/user-triggered-fetchers.json`),
  googleUserOwn: json('Google', `${google}/user-triggered-fetchers-google.json`),
  googleAgents: json('Google', `${google}/user-triggered-agents.json`),
  bingbot: json('Microsoft', 'https://www.bing.com/toolbox/bingbot.json'),
  applebot: json('Apple', 'https://search.developer.apple.com/applebot.json'),
  meta: { operator: 'Meta', url: 'https://www.facebook.com/peering/geofeed', format: 'csv' },
  duckassistbot: json('DuckDuckGo', `${duckduckgo}/duckassistbot.json`),
  duckduckbot: json('DuckDuckGo', `${duckduckgo}/duckduckbot.json`),
  mistralUser: json('Mistral AI', `${mistral}/mistralai-user-ips.json`),
  mistralIndex: json('Mistral AI', `${mistral}/mistralai-index-ips.json`),
  kimiUser: json('Moonshot AI', `${kimi}/kimi-user.json`),
  kimiSearchbot: json('Moonshot AI', `${kimi}/kimi-searchbot.json`),
  kimibot: json('Moonshot AI', `${kimi}/kimibot.json`),
  // Amazon publishes its lists only inside pages of its documentation.
  amazonbot: page('Amazon', `${amazon}/ip-addresses/`),
  amazonSearchbot: page('Amazon', `${amazon}/searchbot-ip-addresses/`),
  amazonUser: page('Amazon', `${amazon}/live-ip-addresses/`),
  shapbot: json('Parallel', 'https://docs.parallel.ai/resources/shapbot.json'),
  linerbot: json('Liner', 'https://docs.getliner.com/linerbot.json'),
  commonCrawl: json('Common Crawl', 'https://index.commoncrawl.org/ccbot.json'),
} as const satisfies Record<string, RangeList>

/** All lists that are fetched. */
export const rangeLists: readonly RangeList[] = Object.values(lists)

/** Ranges that an operator documents in text, in addition to its lists. They do not expire. */
export const documentedRanges: Readonly<Record<string, readonly string[]>> = {
  // Searches, fetches and connectors through Anthropic's API use these addresses and the name Claude-User.
  Anthropic: ['160.79.104.0/21'],
}

function json<const Operator extends string>(operator: Operator, url: string) {
  return { operator, url, format: 'json' } as const
}

function page<const Operator extends string>(operator: Operator, url: string) {
  return { operator, url, format: 'page' } as const
}
