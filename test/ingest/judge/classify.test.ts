import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { agents } from '../../../ingest/data/agents'
import { documentedRanges, rangeLists } from '../../../ingest/data/operators'
import { classify, userAgentMax } from '../../../ingest/judge/classify'

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36'

describe('a user agent names an agent', () => {
  const seen: [string, string, string][] = [
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)',
      'GPTBot',
      'training',
    ],
    [
      `${chrome}; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot`,
      'OAI-SearchBot',
      'search_index',
    ],
    ['claudebot', 'ClaudeBot', 'training'],
    [
      'ModelContextProtocol/1.0 (Autonomous; +https://github.com/modelcontextprotocol/servers)',
      'ModelContextProtocol',
      'ai_answers',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
      'PerplexityBot',
      'search_index',
    ],
    [
      'meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/)',
      'meta-externalfetcher',
      'ai_answers',
    ],
    ['Mozilla/5.0 (compatible; Google-NotebookLM)', 'Google-GeminiNotebook', 'ai_answers'],
    ['Mozilla/5.0 (compatible; GoogleOther-Image/1.0)', 'GoogleOther-Image', 'other_ai'],
    ['Mozilla/5.0 (compatible) ai2bot-dolma (+https://www.allenai.org/crawler)', 'Ai2Bot-Dolma', 'training'],
    ['Amazonbot-Video/1.0', 'Amazonbot', 'training'],
    [
      'Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)',
      'PetalBot',
      'search_index',
    ],
    ['Poseidon Research Crawler', 'PoseidonResearchCrawler', 'training'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
      'Applebot',
      'search_index',
    ],
  ]
  for (const [ua, name, category] of seen)
    test(`${name} in ${ua.slice(0, 60)}`, () => {
      const agent = classify(ua)
      expect(agent?.name).toBe(name)
      expect(agent?.category as string).toBe(category)
    })

  test('every name and alias of the registry finds its own row, in any case', () => {
    for (const row of agents) {
      if (row.class === 'robots_only' || row.class === 'namesake') continue
      const tokens = row.client && row.aliases.length > 0 ? row.aliases : [row.name, ...row.aliases]
      for (const token of tokens)
        for (const ua of [token, token.toUpperCase(), `Mozilla/5.0 (compatible; ${token}/1.0)`])
          expect(classify(ua)).toEqual({
            name: row.name,
            operator: row.operator,
            category: row.category,
            class: row.class,
            client: row.client,
            lists: row.lists,
          })
    }
  })

  test('the folded pattern finds what a plain list of names finds, longest first', () => {
    const rows = agents.flatMap((row) =>
      (row.client && row.aliases.length > 0 ? row.aliases : [row.name, ...row.aliases]).map(
        (token) => [token, row.class === 'robots_only' || row.class === 'namesake' ? null : row] as const,
      ),
    )
    const tokens = rows.map(([token]) => token)
    const longest = [...rows].sort(([a], [b]) => b.length - a.length)
    const naive = (ua: string) => {
      const alnum = (char: string | undefined) => /^[a-z0-9]$/i.test(char ?? '')
      for (let at = 0; at < ua.length; at++)
        for (const [token, row] of alnum(ua[at - 1]) ? [] : longest)
          if (
            ua.slice(at, at + token.length).toLowerCase() === token.toLowerCase() &&
            !alnum(ua[at + token.length])
          )
            return row
      return null
    }
    const piece = fc.oneof(
      fc.constantFrom(...tokens),
      fc.constantFrom('-', ' ', '/1.0', '(', 'x', 'Extended', 'é'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.nat(8), (pieces, cut) => {
        const ua = pieces.join('').slice(cut)
        const row = naive(ua)
        expect([ua, classify(ua)?.name, classify(ua)?.client]).toEqual([ua, row?.name, row?.client])
      }),
      { numRuns: process.env.RENOWN_LONG === '1' ? 50_000 : 1_000 },
    )
  })

  test.each([
    'Mozilla/5.0 (compatible; Exabot/3.0; +http://www.exabot.com/go/robot)',
    'Mozilla/5.0 (compatible; Exabot/3.0 (BiggerBetter); +http://www.exabot.com/go/robot)',
    'Mozilla/5.0 (compatible; Exabot-Images/3.0; +http://www.exabot.com/go/robot)',
    'Exabot/2.0',
  ])("Exalead's robot is not Exa's: %s", (ua) => {
    expect(classify(ua)).toBeNull()
    expect(classify('Mozilla/5.0 (compatible; ExaBot/1.0; +https://exa.ai)')?.operator).toBe('Exa')
  })

  test.each([
    ['Diffbot-User/1.0', 'Diffbot-User', 'ai_answers'],
    ['Mozilla/5.0 (compatible; Diffbot/0.1)', 'Diffbot', 'training'],
    ['Mozilla/5.0; compatible; Shap-User/0.1.0', 'Shap-User', 'ai_answers'],
    ['Mozilla/5.0; compatible; ShapBot/0.1.0', 'ShapBot', 'search_index'],
  ])('what a person asked for is no crawl: %s', (ua, name, category) => {
    expect(classify(ua)).toMatchObject({ name, category: category as 'training' })
  })

  test('of several names the leftmost counts', () => {
    expect(classify('ClaudeBot GPTBot')?.name).toBe('ClaudeBot')
  })

  test('the coding tool on a developer machine is a client, the hosted agent is not', () => {
    expect(classify('Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)')).toMatchObject({
      name: 'Claude-User',
      client: true,
      lists: [],
    })
    expect(classify('Mozilla/5.0 (compatible; Claude-User/1.0; +Claude-User@anthropic.com)')?.client).toBe(
      false,
    )
  })

  test('search engines are marked, so that a site can ask for them', () => {
    expect(classify('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)')?.class).toBe(
      'search_engine',
    )
    expect(classify('GPTBot/1.3')?.class).toBe('ai')
  })
})

describe('everybody else is nobody', () => {
  const others = [
    '',
    '-',
    chrome,
    'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; SLCC2; .NET CLR 2.0.50727)',
    'ChatGPT/1.2025.308 (iOS 18.1; iPhone15,2; build 1)',
    'Perplexity/5280 CFNetwork/1568 Darwin/24',
    `${chrome} CopilotSapphire/1.0`,
    `${chrome} GrokApp/1.3.92`,
    'Kimi/2.4.3',
    'ngrok-agent/3.1',
    'MyGPTBotter/1.0',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Mozilla/5.0 (Linux; Android 13; Spider 8)',
    // Names that stand in robots.txt alone.
    'Mozilla/5.0 (compatible; Google-Extended/1.0; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; Applebot-Extended/1.0)',
  ]
  for (const ua of others) test(ua.slice(0, 70) || '(empty)', () => expect(classify(ua)).toBeNull())

  test('a name past the length that is read is not seen', () => {
    expect(classify(`${'x '.repeat(userAgentMax / 2)}GPTBot`)).toBeNull()
    expect(classify(`GPTBot ${'x'.repeat(1e6)}`)?.name).toBe('GPTBot')
  })
})

describe('the registry', () => {
  test('has no token twice', () => {
    const tokens = agents.flatMap((row) =>
      row.client && row.aliases.length > 0 ? row.aliases : [row.name, ...row.aliases],
    )
    expect(new Set(tokens.map((token) => token.toLowerCase())).size).toBe(tokens.length)
  })

  test('lists of an agent are published by its own operator, at an absolute https URL', () => {
    const owner = new Map(rangeLists.map((list) => [list.url, list.operator]))
    for (const { url } of rangeLists) expect(new URL(url).protocol).toBe('https:')
    for (const row of agents) for (const url of row.lists) expect(owner.get(url)).toBe(row.operator)
    const operators = new Set(agents.map((row) => row.operator))
    for (const name of [...owner.values(), ...Object.keys(documentedRanges)])
      expect(operators.has(name)).toBe(true)
  })

  test('no client has lists, no name an assistant app uses for its people is a token', () => {
    for (const row of agents) if (row.client) expect(row.lists).toEqual([])
    for (const bare of ['chatgpt', 'gemini', 'copilot', 'grok', 'kimi', 'openai', 'code', 'spider', 'cursor'])
      expect(classify(bare)).toBeNull()
  })
})

test('the first 1,024 characters of a user agent are read', () => {
  const named = (before: number) => classify(`${'-'.repeat(before)}GPTBot`)?.name
  expect([named(1_024 - 6), named(1_024 - 5)]).toEqual(['GPTBot', undefined])
})
