/** How names change in a language that declines them. */
interface Declension {
  /** What the last letters of a word may become before an ending. */
  readonly changes: Readonly<Record<string, string>>
  /** Letters at the end of a word that its endings replace. */
  readonly dropped: RegExp
  /** The endings, between spaces. */
  readonly endings: string
}

/** In folded text, so without accents. */
const polish: Declension = {
  changes: {
    k: '(?:k|c|cz)',
    g: '(?:g|dz|z)',
    r: 'rz?',
    h: '(?:h|sz)',
    t: '(?:t|ci?)',
    d: 'dz?',
    c: '(?:c|cz)',
  },
  dropped: /[aeioy]$/,
  endings:
    'a e i y o u ie ia iu ej iej ego iego emu iemu im ym ich ych imi ymi om iom ami iami ach iach em iem owi ow',
}
const russian: Declension = {
  changes: {},
  dropped: /(?:ый|ий|ой|ая|яя|ое|ее|ые|ие|[аеиоуыэюяйь])$/,
  endings:
    'а я у ю е и ы о ь й ой ей ою ею ом ем ам ям ами ями ах ях ов ев ью ый ий ая яя ое ее ые ие ого его ому ему ым им ых их ыми ими ую юю',
}

/** Long endings come first: a pattern takes the first that fits. */
const endingsOf = ({ endings }: Declension): string =>
  `(?:${endings
    .split(' ')
    .toSorted((a, b) => b.length - a.length)
    .join('|')})?`
const polishEndings = endingsOf(polish)
const russianEndings = endingsOf(russian)

const cyrillicWord = /^[а-я]{3,}$/
const latinWord = /^[a-z]{3,}$/
/** Letters of Polish that other measured languages do not have. */
const polishText = /[ąćęłńśźż]/iu

/** Whether names of Latin letters may be declined in a text. */
export const isPolish = (text: string): boolean => polishText.test(text)

/** Returns the pattern of a declined word of a name, and the beginning that all its forms have. Null if it has no other forms. */
export function declined(word: string): { readonly pattern: string; readonly beginning: string } | null {
  const isRussian = cyrillicWord.test(word)
  if (!isRussian && !latinWord.test(word)) return null
  const { changes, dropped } = isRussian ? russian : polish
  const stem = word.replace(dropped, '')
  if (stem.length < 2) return null
  const last = stem.slice(-1)
  // "Ogonek" is "Ogonka" in the genitive, and "Глянец" is "Глянца".
  const isFleeting = stem === word && stem.length > 3 && /[eео][^aeioyаеиоуы]$/u.test(stem)
  const beginning = stem.slice(0, isFleeting ? -2 : -1)
  const changed = changes[last] ?? last
  return {
    pattern: `${beginning}${isFleeting ? `${stem.slice(-2, -1)}?` : ''}${changed}${isRussian ? russianEndings : polishEndings}`,
    beginning,
  }
}
