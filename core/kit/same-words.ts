import { toStorable } from '../contracts/values'
import { visible } from './visible-text'

/** The named characters of HTML from U+00A0 to U+00FF, in order. */
const latin = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot ' +
  'cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml ' +
  'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ' +
  'ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
).split(' ')

/** Named characters outside that range that programs write in place of what a person typed. */
const others: readonly (readonly [name: string, character: string])[] = [
  ['amp', '&'],
  ['AMP', '&'],
  ['lt', '<'],
  ['LT', '<'],
  ['gt', '>'],
  ['GT', '>'],
  ['quot', '"'],
  ['QUOT', '"'],
  ['apos', "'"],
  ['OElig', 'Œ'],
  ['oelig', 'œ'],
  ['Scaron', 'Š'],
  ['scaron', 'š'],
  ['Yuml', 'Ÿ'],
  ['fnof', 'ƒ'],
  ['ensp', '\u2002'],
  ['emsp', '\u2003'],
  ['thinsp', '\u2009'],
  ['zwnj', '\u200c'],
  ['zwj', '\u200d'],
  ['lrm', '\u200e'],
  ['rlm', '\u200f'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['sbquo', '‚'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['bdquo', '„'],
  ['dagger', '†'],
  ['Dagger', '‡'],
  ['bull', '•'],
  ['hellip', '…'],
  ['permil', '‰'],
  ['prime', '′'],
  ['Prime', '″'],
  ['lsaquo', '‹'],
  ['rsaquo', '›'],
  ['euro', '€'],
  ['trade', '™'],
  ['larr', '←'],
  ['uarr', '↑'],
  ['rarr', '→'],
  ['darr', '↓'],
  ['minus', '−'],
  ['hearts', '♥'],
]

const named: ReadonlyMap<string, string> = new Map([
  ...latin.map((name, at): readonly [string, string] => [name, String.fromCodePoint(0xa0 + at)]),
  ...others,
])

const reference = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}\d{0,2}));/g
/** How often a text may have been escaped, one time over the other. */
const escapesMax = 8

/** Returns a text without HTML character references, also where a text was escaped several times. */
export function withoutReferences(text: string): string {
  let plain = text
  for (let times = 0; times < escapesMax && plain.includes('&'); times++) {
    const next = plain.replace(reference, characterOf)
    if (next === plain) break
    plain = next
  }
  return plain
}

function characterOf(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return named.get(name) ?? whole
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return isCharacter(code) ? String.fromCodePoint(code) : whole
}

const isCharacter = (code: number) => code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)

const lineEnd = /[\t-\r\u0085\u2028\u2029]+/g

/**
 * Returns the words of a text without what platforms change in a text that they accept: white space, line ends, how accents
 * are composed, characters that nobody sees, and HTML character references, also several times over.
 */
export const bareWords = (text: string): string =>
  visible(withoutReferences(toStorable(text)).replace(lineEnd, ' '))
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()

/**
 * Whether two texts have the same words. The only comparison of what Renown sent with what a platform shows. Never use it for
 * two texts that people typed, because one may correct the other.
 */
export const isSameWords = (one: string, other: string): boolean => bareWords(one) === bareWords(other)
