const languages =
  'en de fr es it pt nl sv da nb fi is pl cs sk hu ro bg ru uk be sr sr-Latn hr bs sl mk el tr az et lv lt he ar ar-SY ar-MA fa ur hi bn ta te mr gu pa ml kn ne th id ms ca eu gl cy ga ka hy kk af sq sw fil'.split(
    ' ',
  )

const english =
  'jan january feb february mar march apr april may may jun june jul july aug august sep september oct october nov november dec december'.split(
    ' ',
  )
/** The names that most dates have, found without the lists of the other languages. */
const englishMonths = new Map(english.map((name, at) => [name, Math.floor(at / 2) + 1]))
const englishDays = new Set(
  'sun sunday mon monday tue tues tuesday wed weds wednesday thu thur thurs thursday fri friday sat saturday'.split(
    ' ',
  ),
)

/** Spellings that people write and the lists of the languages leave out. */
const moreMonths: Readonly<Record<string, number>> = {
  sept: 9,
  maerz: 3,
  mrz: 3,
  janner: 1,
  jaenner: 1,
  feber: 2,
  setiembre: 9,
  oktobar: 10,
  desember: 12,
}

interface Words {
  /** The month of each name, English first. Null: it is another month in another language. */
  readonly months: ReadonlyMap<string, number | null>
  readonly monthsOf: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly weekdays: ReadonlySet<string>
}

const held: { words?: Words } = {}

/**
 * Returns a word in the form in which words of dates are compared: lower case, without accents and full stops. The vowels of other
 * scripts stay: without them two months of Hindi are one.
 */
export const wordKey = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f.’'`׳॰]/g, '')
    .trim()

/** Returns the month that a word names, 1 to 12. Undefined if it names none, or another one in another language. */
export function monthOf(word: string, language = ''): number | undefined {
  const plain = englishMonths.get(word.toLowerCase())
  if (plain !== undefined) return plain
  // In Hebrew the word for "in" is written together with the month.
  const key = wordKey(word).replace(/^ב(?=\p{L}{3})/u, '')
  const { months, monthsOf } = words()
  const own =
    monthsOf.get('en')?.get(key) ?? monthsOf.get(language.toLowerCase().split('-')[0] ?? '')?.get(key)
  return own ?? months.get(key) ?? (months.has(key) ? undefined : startOfOne(key, months))
}

/** Whether a word names a day of the week in some language. */
export function isWeekday(word: string): boolean {
  if (englishDays.has(word.toLowerCase())) return true
  const key = wordKey(word)
  return words().weekdays.has(key) || (key.length >= 3 && startsOne(key, words().weekdays))
}

const startsOne = (key: string, names: Iterable<string>) => {
  for (const name of names) if (name.startsWith(key)) return true
  return false
}

/** The month whose names alone start with this text of three letters or more, such as `ноя`. */
function startOfOne(key: string, months: Words['months']): number | undefined {
  if (key.length < 3) return undefined
  const found = new Set<number | null>()
  for (const [name, month] of months) if (name.startsWith(key)) found.add(month)
  const [only] = found
  return found.size === 1 ? (only ?? undefined) : undefined
}

function words(): Words {
  held.words ??= listWords()
  return held.words
}

function listWords(): Words {
  const monthsOf = new Map(languages.map((tag) => [tag, monthNames(tag)]))
  const months = new Map<string, number | null>(Object.entries(moreMonths))
  for (const names of monthsOf.values())
    for (const [name, month] of names)
      months.set(name, (months.get(name) ?? month) === month && months.get(name) !== null ? month : null)
  return { months, monthsOf, weekdays: new Set([...languages, 'ja', 'ko', 'zh'].flatMap(weekdayNames)) }
}

const calendar = (tag: string) => `${tag}-u-ca-gregory-nu-latn`

function monthNames(tag: string): Map<string, number> {
  const names = new Map<string, number>()
  for (const month of ['long', 'short'] as const) {
    const alone = new Intl.DateTimeFormat(calendar(tag), { month, timeZone: 'UTC' })
    const inDate = new Intl.DateTimeFormat(calendar(tag), {
      day: 'numeric',
      month,
      year: 'numeric',
      timeZone: 'UTC',
    })
    for (let at = 0; at < 12; at++) {
      for (const text of [monthPart(alone, at), monthPart(inDate, at)]) {
        const key = wordKey(text)
        if (/\p{L}/u.test(key) && !/\d/.test(key)) names.set(key, at + 1)
      }
    }
  }
  return names
}

const monthPart = (format: Intl.DateTimeFormat, at: number) =>
  format.formatToParts(Date.UTC(2026, at, 15)).find(({ type }) => type === 'month')?.value ?? ''

/** The words of the names of the days: some have two, such as `segunda-feira`. */
function weekdayNames(tag: string): string[] {
  const formats = (['long', 'short'] as const).map(
    (weekday) => new Intl.DateTimeFormat(calendar(tag), { weekday, timeZone: 'UTC' }),
  )
  return formats.flatMap((format) =>
    Array.from({ length: 7 }, (_, at) => format.format(Date.UTC(2026, 10, 1 + at)))
      .flatMap((name) => name.split(/[\s\p{Cf}-]/u))
      .map(wordKey)
      .filter((word) => word !== ''),
  )
}
