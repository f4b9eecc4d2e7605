/**
 * The regular expression behind `$contains` and `$startsWith`: the text taken literally. Both stores match it without
 * regard to case by Unicode's simple folding, so that accents and ß stay what they are.
 */
export function textPattern(op: 'contains' | 'startsWith', text: string): string {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return op === 'startsWith' ? `^${literal}` : literal
}
