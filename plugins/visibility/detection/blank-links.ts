/** Matches an address with its scheme or `www.`, up to a character that cannot be part of it. */
const address = /(?:https?:\/\/|www\.)[^\s<>"'`|\\^{}[\]]+/gi
/** Matches the target of a Markdown link, and of a reference below the text. */
const target = /\]\([^()\n]{0,2000}\)|^ {0,3}\[[^\][\n]{1,200}\]:[^\n]{0,2000}/gm

/**
 * Replaces addresses and link targets by spaces, so that a name in an address does not count as a mention.
 * The length and the texts of links stay the same.
 */
export function blankLinks(text: string): string {
  const hasTarget = text.includes('](') || text.includes(']:')
  const hasAddress = text.includes('://') || /www\./i.test(text)
  if (!hasTarget && !hasAddress) return text
  const blank = (found: string) => ' '.repeat(found.length)
  const inTargets = hasTarget ? text.replace(target, (found) => `]${blank(found.slice(1))}`) : text
  return hasAddress ? inTargets.replace(address, blank) : inTargets
}
