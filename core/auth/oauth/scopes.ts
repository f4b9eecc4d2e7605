export type Scope = 'read' | 'write'

export const everyScope: readonly Scope[] = ['read', 'write']

/**
 * The scopes of a request. What is unknown is passed over, and so is `offline_access`, because a refresh token always
 * comes. Nothing asked for means everything: the person narrows it. `write` includes `read`.
 */
export function scopesAsked(text: string | undefined): readonly Scope[] {
  const words = wordsOf(text)
  if (words.has('write')) return everyScope
  return words.has('read') ? ['read'] : everyScope
}

/** What an app is left of its grant where it asks for less; `read` always is, and more than was granted never. */
export function scopesLeft(granted: readonly Scope[], text: string | undefined): readonly Scope[] {
  const words = wordsOf(text)
  if (!words.has('read') && !words.has('write')) return granted
  const asked = scopesAsked(text)
  return granted.filter((scope) => asked.includes(scope))
}

const wordsOf = (text: string | undefined) => new Set((text ?? '').split(/\s+/))
