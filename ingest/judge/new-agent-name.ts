/** The name that an unknown agent gives itself, in a form that may be stored and shown. */
export interface NewAgentName {
  /** A product token without its version, such as `NovelBot`. Never the whole user agent. */
  readonly token: string
  /** The host of the documentation that it names with `+https://`, or null. */
  readonly host: string | null
}

const userAgentMax = 512
const wordsMax = 48
/** Most user agents have nothing of this and are not read further. */
const hint = /bot|crawl|spider|scrap|fetch|index|agent|-user|\bai\b|ai[/ -]|llm|mcp|\brag\b|\+ ?https?:/i
/** The part about the device. Phones have names such as `Spider 8` and `CUBOT X19`. */
const device = /^(?:Mozilla|Opera|Dalvik)\/[\d.]{1,8} ?\((?![^)]{0,200}compatible)[^)]{0,300}\)/i
/** Apps on the devices of people. Their names are those of assistants, not of their agents. */
const app = /\bCFNetwork\/|\bDarwin\/|\bDalvik\/|\[FB|\bMicroMessenger\/|\bInstagram\b/i

const strong = new Set([
  'bot',
  'robot',
  'crawler',
  'crawl',
  'spider',
  'scraper',
  'fetcher',
  'indexer',
  'bots',
])
/** Signs that count only where no browser is named, or together with an address for questions. */
const weak = new Set(['agent', 'ai', 'llm', 'mcp', 'rag', 'fetch', 'research'])
const endings = ['bot', 'crawler', 'spider', 'scraper', 'fetcher', 'indexer']
/** Words of browsers, devices and grammar. They name no agent, even next to an address for questions. */
const ordinary = new Set([
  'mozilla',
  'applewebkit',
  'khtml',
  'like',
  'gecko',
  'chrome',
  'safari',
  'version',
  'mobile',
  'compatible',
  'firefox',
  'edg',
  'edge',
  'opr',
  'opera',
  'chromium',
  'crios',
  'fxios',
  'presto',
  'trident',
  'msie',
  'windows',
  'linux',
  'macintosh',
  'intel',
  'mac',
  'android',
  'iphone',
  'ipad',
  'cpu',
  'x11',
  'wow64',
  'win64',
  'x64',
  'nt',
  'the',
  'and',
  'for',
  'from',
  'with',
  'http',
  'https',
  'www',
  'user-agent',
  'useragent',
  'autonomous',
  'beta',
  'bot',
  'robot',
  'crawler',
  'spider',
  'agent',
  'bots',
  'ai',
  'web',
  'contact',
  'email',
  'mailto',
  'url',
  'cubot',
])

/** Returns the name of what looks like an agent, or null: a browser, an app, or a name that is not safe to store. */
export function newAgentName(userAgent: string): NewAgentName | null {
  const ua = userAgent.slice(0, userAgentMax)
  if (!hint.test(ua) || app.test(ua)) return null
  const host = documentedHost(ua)
  const isBrowser = /\b(?:Chrome|Safari|Firefox|Gecko)\/\d/.test(ua)
  const words = wordsOf(ua.replace(device, ' '))
  const named = words.find((word, at) => nameSign(word, words[at - 1], host !== null || !isBrowser))
  if (named !== undefined) return safe(withFirstWord(named, words), host)
  const first = host === null ? undefined : words.find((word) => !ordinary.has(word.toLowerCase()))
  return first === undefined ? null : safe(first, host)
}

/** Returns the product names, without versions, addresses and mail addresses. */
function wordsOf(text: string): string[] {
  return text
    .split(/[\s;,()"'<>[\]{}|]/, wordsMax * 4)
    .filter((word) => word !== '' && !/[@:]|^\+|^www\./.test(word))
    .slice(0, wordsMax)
    .map((word) => (word.split('/', 1)[0] ?? '').replace(/[._-]v?\d[\d.]{0,20}$/, ''))
    .filter((name) => /[a-z]/i.test(name))
}

/** Whether a word is the name of an agent. A bare `Bot` is one with the word before it. */
function nameSign(word: string, before: string | undefined, takesWeak: boolean): boolean {
  const lower = word.toLowerCase()
  if (ordinary.has(lower)) {
    return strong.has(lower) && before !== undefined && !ordinary.has(before.toLowerCase())
  }
  const parts = word
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ ._-]/)
  if (parts.some((part) => strong.has(part)) || /[a-z]-user$/.test(lower)) return true
  if (endings.some((ending) => lower.endsWith(ending))) return true
  return takesWeak && parts.length > 1 && parts.some((part) => weak.has(part) || part === 'chat')
}

const withFirstWord = (word: string, words: readonly string[]) =>
  ordinary.has(word.toLowerCase()) ? `${words[words.indexOf(word) - 1]} ${word}` : word

/** An address whose parts have any separator, as names of dial-up hosts have it. */
const hasAddress = /(?:^|\D)\d{1,3}(?:[._-]\d{1,3}){3}(?:\D|$)/

/** Returns the name if it can be nobody's address, number or id. */
function safe(name: string, host: string | null): NewAgentName | null {
  const token = name.slice(0, 40)
  const digits = token.replace(/\D/g, '').length
  if (!/^[A-Za-z][A-Za-z0-9 ._-]{2,39}$/.test(token) || digits > 4 || name.length > 40) return null
  if (hasAddress.test(token)) return null
  // A mixture of letters and digits without an order is an id.
  const runs = token.replace(/\d{1,40}/g, '0').replace(/[A-Za-z]{1,40}/g, 'a')
  if (runs.includes('a0a0a0') || runs.includes('0a0a0a')) return null
  return { token, host }
}

/** Returns the host of `+https://…`, without `www.`. None with a user name, an IP address or a long number. */
function documentedHost(ua: string): string | null {
  const at = ua.search(/\+ ?https?:\/\//i)
  if (at === -1) return null
  const url = URL.parse((/^[^\s;,)"'<>]{1,200}/.exec(ua.slice(at + 1).trimStart()) ?? [''])[0])
  if (!url || url.username !== '' || url.password !== '') return null
  const host = url.hostname.replace(/^www\./, '')
  const isName = /^[a-z0-9.-]{4,80}$/.test(host) && /\.[a-z]{2,24}$/.test(host)
  return isName && !hasAddress.test(host) && host.replace(/\D/g, '').length <= 4 ? host : null
}
