/** Maximum length of the name of a sheet. */
const nameMax = 31

/**
 * Returns names that every spreadsheet accepts, each different from the others: at most 31 characters, without
 * `[ ] : * ? / \`, without an apostrophe at the ends, and not `History`.
 */
export function sheetNames(wanted: readonly string[]): string[] {
  const taken = new Set(['history'])
  return wanted.map((name) => {
    const own = validName(name)
    for (let number = 1; ; number++) {
      const ending = number === 1 ? '' : ` ${number}`
      const found = `${cut(own, nameMax - ending.length)}${ending}`
      if (taken.has(found.toLowerCase())) continue
      taken.add(found.toLowerCase())
      return found
    }
  })
}

function validName(name: string): string {
  const clean = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff[\]:*?/\\]/gu, ' ')
    .trim()
  const bare = cut(clean, nameMax)
    .replace(/^'{1,31}/, '')
    .replace(/'{1,31}$/, '')
    .trim()
  return bare === '' ? 'Sheet' : bare
}

/** Cuts a text without halving a character. */
const cut = (text: string, max: number) =>
  text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
