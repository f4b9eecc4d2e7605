import { domainToASCII, domainToUnicode } from 'node:url'

/**
 * Returns a domain in its own script if nobody can mistake it, otherwise as stored (`xn--…`). Letters are
 * safe if every label uses the same script. They are also safe if each label is European Latin, or Chinese,
 * Japanese or Korean, which no Latin letter resembles.
 */
export function shownDomain(domain: string): string {
  if (!/(^|\.)xn--/.test(domain)) return domain
  const name = domainToUnicode(domain)
  // A name that does not convert back to the same domain is a different domain.
  if (name === '' || domainToASCII(name) !== domain || !/^[\p{L}\p{M}\p{Nd}.-]+$/u.test(name)) return domain
  const labels = name.split('.')
  return apart.some((script) => labels.every((label) => script.test(label))) ||
    labels.every((label) => distinct.some((script) => script.test(label)))
    ? name
    : domain
}

const east = ['[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}', '[\\p{scx=Han}\\p{scx=Hangul}'].map(
  (scripts) => new RegExp(`^${scripts}0-9-]+$`, 'u'),
)

/** Lower case Latin, without letters that look like an ASCII letter, such as the dotless i. */
const latin = /^[a-z0-9\-ß-öø-įĵ-ķĺ-ľł-ňŋ-žșț]+$/u

/** Scripts that may be mixed, one per label. */
const distinct = [latin, ...east]

/** Scripts with letters that look like those of another script. All labels must use the same one. */
const apart = ['Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Armenian', 'Georgian', 'Thai', 'Devanagari'].map(
  (script) => new RegExp(`^[\\p{scx=${script}}0-9-]+$`, 'u'),
)

/**
 * Returns a text in which each domain is written as `shownDomain` writes it. Addresses of pages and names of
 * DNS records keep the stored form, because people copy them.
 */
export const withShownDomains = (text: string): string =>
  text.includes('xn--')
    ? text.replace(
        /(?<![\w@./:-])(?:[a-z0-9-]{1,63}\.){0,20}xn--[a-z0-9-]{1,59}(?:\.[a-z0-9-]{1,63}){0,20}(?![\w/-]|[.:]\w)/g,
        shownDomain,
      )
    : text
