/** An address with its scheme or `www.`, up to a character that cannot belong to it. */
const address = /(?:https?:\/\/|www\.)[^\s<>"'`|\\^{}[\]]+/gi
/** The target of a link in Markdown, and of a reference below the text. */
const target = /\]\([^()\n]{0,2000}\)|^ {0,3}\[[^\][\n]{1,200}\]:[^\n]{0,2000}/gm

/**
 * Replaces addresses and link targets by spaces, so that a name in an address is no mention. The length stays the
 * same, and so do the texts of links.
 */
export function blankLinks(text: string): string {
  const hasTarget = text.includes('](') || text.includes(']:')
  const hasAddress = text.includes('://') || /www\./i.test(text)
  if (!hasTarget && !hasAddress) return text
  const blank = (found: string) => ' '.repeat(found.length)
  const inTargets = hasTarget ? text.replace(target, (found) => `]${blank(found.slice(1))}`) : text
  return hasAddress ? inTargets.replace(address, blank) : inTargets
}
