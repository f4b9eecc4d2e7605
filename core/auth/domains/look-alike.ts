import { domainToUnicode } from 'node:url'

/**
 * The look-alike letters that browsers and registries see most often in misleading names. The list protects
 * one installation and is not complete.
 */
const twins: Readonly<Record<string, string>> = {
  а: 'a',
  ɑ: 'a',
  α: 'a',
  в: 'b',
  ь: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  ҽ: 'e',
  ɡ: 'g',
  һ: 'h',
  і: 'i',
  ı: 'i',
  ι: 'i',
  ј: 'j',
  к: 'k',
  κ: 'k',
  ӏ: 'l',
  м: 'm',
  п: 'n',
  ո: 'n',
  о: 'o',
  ο: 'o',
  օ: 'o',
  р: 'p',
  ρ: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  т: 't',
  τ: 't',
  υ: 'u',
  ս: 'u',
  ν: 'v',
  ѵ: 'v',
  ԝ: 'w',
  ω: 'w',
  х: 'x',
  χ: 'x',
  у: 'y',
  γ: 'y',
  '0': 'o',
  '1': 'l',
  '5': 's',
}

/** Whether two names look the same: similar letters, letters without their accents, `rn` for `m`, `vv` for `w`. */
export const looksLike = (a: string, b: string): boolean => a !== b && skeleton(a) === skeleton(b)

function skeleton(name: string): string {
  const plain = domainToUnicode(name).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const letters = [...plain].map((letter) => twins[letter] ?? letter).join('')
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('i', 'l')
}

const latin = /\p{Script=Latin}/u
const ofEastAsia =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/gu
const others = [
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Georgian}/u,
]

/** Whether a label of a name mixes scripts that are not written together. */
export const mixesScripts = (name: string): boolean =>
  name.split('.').some((word) => {
    const rest = word.replace(ofEastAsia, '')
    return [latin, ...others].filter((script) => script.test(rest)).length > 1
  })
