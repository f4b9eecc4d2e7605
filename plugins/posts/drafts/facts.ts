import { normaliseDomain, trimTrailing } from 'renown'
import { calendarFacts } from './calendar'

/** Endings of host names that people write without `https://`. */
const endings = new Set(
  'com net org io co app dev shop store biz info xyz top ly me uk de fr es it nl pl se pt jp example'.split(
    ' ',
  ),
)
const telephones = /(?:\+|(?<![\d./-])(?!\d{1,2}[./-]\d{1,2}[./-])0)\d(?:[\s()./-]*\d){6,14}\b/g
const numbers = /\d+(?:[.,']\d+)*/g

/** Words of a price or a percentage, by the unit that they mean. */
const units: Readonly<Record<string, string>> = {
  '%': '[%٪]|per ?cent|percent|prozent|pour ?cent|por ciento|por cento|per cento|procent|パーセント|بالمئة|אחוזים|אחוז',
  '€': '€|eur|euros?|ユーロ|يورو|אירו',
  $: '\\$|usd|dollars?|dólares|dollari|ドル|دولار|דולר',
  '£': '£|gbp|pounds',
  '¥': '¥|jpy|yen|円',
  zł: 'zł|pln|złotych',
  kr: 'kr|sek|kronor',
  fr: 'chf|franken|francs',
  '₪': '₪|שקלים|שקל|ש"ח',
  '₹': '₹|inr|rupees',
}
const amounts = Object.entries(units).map(
  ([unit, words]) =>
    [
      unit,
      new RegExp(
        `(?:(\\d[\\d.,']{0,20})[\\s-]{0,3}|(\\p{L}{1,30})[\\s-]{1,3})?(?<!\\p{L})(?:${words})(?!\\p{L})(?:\\s{0,3}(\\d[\\d.,']{0,20}))?`,
        'giu',
      ),
    ] as const,
)
const deals = [
  [
    'a discount',
    /(?<!\p{L})(?:discount\p{L}{0,12}|sale|half[- ]price|rabatt\p{L}{0,12}|ermäßig\p{L}{0,12}|remises?(?! en)|soldes|descuentos?|rebajas|sconti?|saldi|descontos?|korting|zniżk\p{L}{0,12}|rabat\p{L}{0,12})(?!\p{L})|割引|半額|セール|خصم|تخفيض|הנחה|מבצע/iu,
  ],
  [
    'something free of charge',
    /(?<!feel )(?<![-\p{L}])free(?! (?:to|from))(?![-\p{L}])|(?<!\p{L})(?:gratis|kostenlos\p{L}{0,12}|umsonst|gratuit\p{L}{0,12}|grátis|za darmo|bezpłatn\p{L}{0,12})(?!\p{L})|無料|مجان|חינם/iu,
  ],
] as const
const streets =
  /\p{Lu}[\p{L}'’-]{1,30} (?:Street|Road|Avenue|Lane|Square|Boulevard)(?!\p{L})|(?<!\p{L})(?:Rue|Calle|Avenida|Via|Piazza|Rua|ulica|ul\.) (?:\p{L}{1,3} ){0,3}\p{Lu}[\p{L}'’-]{1,30}|\p{Lu}[\p{L}-]{0,30}(?:straße|strasse|gatan|straat|plein)(?!\p{L})/giu

/**
 * Returns what a text states as facts that people act on: web and mail addresses, telephone numbers, streets, numbers,
 * prices, deals, weekdays and months. Each maps to its name for people. The same fact has the same key in every
 * spelling that this function knows.
 */
export function factsOf(written: string): ReadonlyMap<string, string> {
  const facts = new Map<string, string>()
  const text = asciiDigits(written.normalize('NFKC'))
  let rest = text
  for (const word of text.split(/[\s<>"()[\]]+/)) {
    const address = addressOf(word)
    if (address === null) continue
    facts.set(address, address.startsWith('mail') ? 'an e-mail address' : 'an address on the web')
    rest = rest.replace(word, ' ')
  }
  for (const [found] of rest.matchAll(telephones)) {
    facts.set(`tel ${found.replace(/\D/g, '').slice(-8)}`, 'a telephone number')
  }
  rest = rest.replace(telephones, ' ')
  for (const [found] of rest.matchAll(numbers)) {
    for (const key of numberKeys(found)) facts.set(`number ${key}`, 'a number')
  }
  for (const [unit, pattern] of amounts) {
    for (const [, before, word, after] of rest.matchAll(pattern)) {
      const count = numberKeys(before ?? after ?? '').join(' ') || (word ?? '').toLowerCase()
      facts.set(`amount ${unit} ${count}`, 'a price or a percentage')
    }
  }
  for (const [name, pattern] of deals) if (pattern.test(rest)) facts.set(name, name)
  for (const [found] of rest.matchAll(streets)) facts.set(`street ${found.toLowerCase()}`, 'a street')
  for (const fact of calendarFacts(rest)) facts.set(fact, 'a day or a month')
  return facts
}

/** Returns the key of a web address with any path at the host of a website. */
export const siteKey = (website: string): string => `web ${normaliseDomain(website)}/*`

/** Returns the key of a web or mail address, or null. */
function addressOf(word: string): string | null {
  const trimmed = withoutMarks(word).toLowerCase()
  const at = trimmed.indexOf('@')
  if (at > 0 && trimmed.indexOf('.', at) > 0 && !trimmed.includes('/')) return `mail ${trimmed}`
  const bare = trimmed.replace(/^[a-z][a-z+.-]*:\/\//, '')
  const host = bare.split(/[/?#:]/, 1)[0] ?? ''
  const labels = host.split('.')
  const isHost = labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}-]+$/u.test(label))
  const isAddress =
    bare !== trimmed || host.startsWith('www.') || (isHost && endings.has(labels.at(-1) ?? ''))
  if (!isAddress) return null
  const path = bare.slice(host.length).replace(/\/$/, '')
  return `web ${normaliseDomain(host)}${path}`
}

/** Returns whether facts contain a fact. A page of a known website is known. */
export function isBacked(fact: string, known: ReadonlySet<string>): boolean {
  if (known.has(fact)) return true
  return fact.startsWith('web ') && known.has(`${fact.split(/[/?#:]/, 1)[0]}/*`)
}

function numberKeys(found: string): string[] {
  const parts = found.split(/[.,']/).filter((part) => part !== '')
  const [whole = '', ...others] = parts
  if (others.length > 0 && others.every((part) => part.length === 3)) return keysOf([parts.join('')])
  const [cents, ...more] = others
  if (cents === undefined || more.length > 0) return keysOf(parts)
  const fraction = trimTrailing(cents, '0')
  return keysOf([fraction === '' ? whole : `${plain(whole)}.${fraction}`])
}

/** Returns a word without the punctuation around it. */
function withoutMarks(word: string): string {
  const letters = [...word]
  const isOwn = (at: number) => /[\p{L}\p{N}]/u.test(letters[at] ?? '')
  let [start, end] = [0, letters.length]
  while (start < end && !isOwn(start)) start += 1
  while (end > start && !isOwn(end - 1) && letters[end - 1] !== '/') end -= 1
  return letters.slice(start, end).join('')
}

const keysOf = (parts: readonly string[]) => parts.map(plain).filter((part) => part !== '0')

const plain = (digits: string) => digits.replace(/^0+(?=\d)/, '')

/** The digits of scripts that people write posts in, by the code point of their zero. */
const zeros = [0x660, 0x6f0, 0x966]

const asciiDigits = (text: string) =>
  text.replace(/[٠-٩۰-۹०-९]/g, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    return String(code - (zeros.find((zero) => code >= zero && code < zero + 10) ?? code))
  })
