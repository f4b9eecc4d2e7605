import { trimTrailing } from '../contracts/trim-trailing'
import { normaliseDomain } from '../kit/bare-domain'
import { addressesIn, type StatedAddress, telephonesIn } from '../kit/stated-contacts'
import { calendarFacts } from './calendar'

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

/** A fact that people act on. */
export interface StatedFact {
  readonly kind: 'address' | 'telephone' | 'number' | 'price' | 'deal' | 'street' | 'time'
  readonly quote: string
  /** The same fact has the same key in every spelling that is known. */
  readonly key: string
}

/**
 * Returns what a text states as facts that people act on, in any language: web and mail addresses, telephone numbers, streets,
 * numbers, prices, deals, weekdays and months.
 */
export function factsOf(written: string): readonly StatedFact[] {
  const facts: StatedFact[] = []
  const add = (kind: StatedFact['kind'], key: string, quote: string) => facts.push({ kind, quote, key })
  const text = asciiDigits(written.normalize('NFKC'))
  let rest = text
  for (const address of addressesIn(text)) {
    add('address', keyOf(address), address.written)
    rest = rest.replace(address.written, ' ')
  }
  for (const found of telephonesIn(rest)) {
    add('telephone', `tel ${found.replace(/\D/g, '').slice(-8)}`, found)
    rest = rest.replace(found, ' ')
  }
  for (const [unit, pattern] of amounts) {
    for (const [whole, before, word, after] of rest.matchAll(pattern)) {
      const count = numberKeys(before ?? after ?? '').join(' ') || (word ?? '').toLowerCase()
      add('price', `amount ${unit} ${count}`, whole.trim())
    }
  }
  for (const [found] of rest.matchAll(numbers)) {
    for (const key of numberKeys(found)) add('number', `number ${key}`, found)
  }
  for (const [name, pattern] of deals) {
    const [found] = pattern.exec(rest) ?? []
    if (found !== undefined) add('deal', name, found)
  }
  for (const [found] of rest.matchAll(streets)) add('street', `street ${found.toLowerCase()}`, found)
  for (const [key, found] of calendarFacts(rest)) add('time', key, found)
  return facts
}

/** Returns the key of a web address with any path at the host of a website. */
export const siteKey = (website: string): string => `web ${normaliseDomain(website)}/*`

/** Returns the key of a web or mail address. */
const keyOf = ({ kind, written, host, path }: StatedAddress): string =>
  kind === 'mail' ? `mail ${written.toLowerCase()}` : `web ${normaliseDomain(host)}${path.replace(/\/$/, '')}`

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

const keysOf = (parts: readonly string[]) => parts.map(plain).filter((part) => part !== '0' && part !== '1')

const plain = (digits: string) => digits.replace(/^0+(?=\d)/, '')

/** The digits of scripts that people write posts in, by the code point of their zero. */
const zeros = [0x660, 0x6f0, 0x966]

const asciiDigits = (text: string) =>
  text.replace(/[٠-٩۰-۹०-९]/g, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    return String(code - (zeros.find((zero) => code >= zero && code < zero + 10) ?? code))
  })
