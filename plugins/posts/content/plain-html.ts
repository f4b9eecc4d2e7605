const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', hellip: '…', ndash: '–', mdash: '—' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
}

/**
 * Returns the words of HTML that a platform made from a text, without any white space, for comparing it with the text.
 */
export function wordsOfHtml(html: string): string {
  const text = html
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    })
  return wordsOf(text)
}

/** Returns a text without any white space, for comparing it with what a platform made of it. */
export const wordsOf = (text: string): string => text.normalize('NFC').replace(/\s+/gu, '')
