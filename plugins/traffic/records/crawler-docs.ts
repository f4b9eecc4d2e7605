/** Where operators explain their crawlers. */
const pages: Readonly<Record<string, string>> = {
  OpenAI: 'https://developers.openai.com/api/docs/bots',
  Anthropic: 'https://support.anthropic.com/',
  Google: 'https://developers.google.com/search/docs/crawling-indexing/overview-google-crawlers',
  Amazon: 'https://developer.amazon.com/support/amazonbot',
  Meta: 'https://developers.facebook.com/docs/sharing/webmasters/crawler',
  Apple: 'https://support.apple.com/en-us/119829',
  DuckDuckGo: 'https://duckduckgo.com/duckassistbot.html',
  'Mistral AI': 'https://docs.mistral.ai/robots',
  'Common Crawl': 'https://commoncrawl.org/faq/',
  Microsoft: 'https://www.bing.com/bingbot.htm',
}

/** Returns the page on which an operator explains its crawlers, or null. */
export const docsOf = (operator: string): string | null =>
  Object.hasOwn(pages, operator) ? (pages[operator] ?? null) : null
