/** The languages whose names of days and months are known. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'tr', 'ru', 'ja', 'ar', 'he']

/** Names that are also common words. They count only next to a number. */
const common = new Set('may march mai mayo mars mart marta maja ocak pazar ekim марта мая'.split(' '))

/** Scripts that write words without spaces, or with prefixes. */
const joined = /[\p{Script=Han}\p{Script=Arabic}\p{Script=Hebrew}]/u

interface Calendar {
  readonly names: ReadonlyMap<string, string>
  readonly pattern: RegExp
}

let made: Calendar | undefined

/** Returns the names of all languages. They are made at the first use, because a start does not need them. */
function calendar(): Calendar {
  if (made) return made
  const names = namesOf()
  const words = [...names.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => (joined.test(name) ? name : `(?<!\\p{L})${name}(?:s(?!\\p{L})|(?!\\p{L}))`))
  made = { names, pattern: new RegExp(words.join('|'), 'giu') }
  return made
}

/** Returns the weekdays and months that a text names, in any known language: `weekday 6` or `month 12`, each with its words. */
export function calendarFacts(text: string): ReadonlyMap<string, string> {
  const { names, pattern } = calendar()
  return new Map(
    [...text.matchAll(pattern)].flatMap(({ 0: found, index }): [string, string][] => {
      const name = found.toLowerCase()
      const fact = names.get(name) ?? names.get(name.replace(/s$/, ''))
      if (
        fact === undefined ||
        ((common.has(name) || common.has(name.replace(/s$/, ''))) && !isByNumber(text, index, found.length))
      )
        return []
      return [[fact, found]]
    }),
  )
}

/** Returns the weekdays and months of the ISO dates in a text. */
export function datedFacts(text: string): string[] {
  return [...text.matchAll(/\d{4}-\d{2}-\d{2}/g)].flatMap(([day]) => {
    const date = new Date(`${day}T00:00:00Z`)
    if (Number.isNaN(date.getTime())) return []
    return [`weekday ${date.getUTCDay()}`, `month ${date.getUTCMonth()}`]
  })
}

const isByNumber = (text: string, at: number, length: number) =>
  /\d\p{L}{0,2}\.?\s+(?:of\s+)?$/iu.test(text.slice(0, at)) ||
  /^\s+(?:the\s+)?\d/i.test(text.slice(at + length))

function namesOf(): Map<string, string> {
  const found = new Map<string, string>()
  for (const language of languages) {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { ...options, timeZone: 'UTC' })
    const weekday = format({ weekday: 'long' })
    const month = format({ month: 'long' })
    const inDate = format({ day: 'numeric', month: 'long' })
    // 2023-01-01 was a Sunday.
    for (let n = 0; n < 7; n += 1) found.set(lower(weekday.format(Date.UTC(2023, 0, 1 + n))), `weekday ${n}`)
    for (let n = 0; n < 12; n += 1) {
      const date = Date.UTC(2023, n, 1)
      const part = inDate.formatToParts(date).find(({ type }) => type === 'month')?.value ?? ''
      for (const name of [month.format(date), part]) if (isName(name)) found.set(lower(name), `month ${n}`)
    }
  }
  return found
}

const isName = (name: string) => /^[^\d]{3,}$/.test(name)

const lower = (name: string) => name.normalize('NFKC').toLowerCase()
