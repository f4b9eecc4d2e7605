export type Scope = 'read' | 'write'

export const everyScope: readonly Scope[] = ['read', 'write']

/**
 * Returns the scopes of a request. Unknown scopes and `offline_access` are ignored, because a refresh token is always
 * issued. No scope means all scopes, which the person can narrow. `write` includes `read`.
 */
export function requestedScopes(text: string | undefined): readonly Scope[] {
  const words = wordsOf(text)
  if (words.has('write')) return everyScope
  return words.has('read') ? ['read'] : everyScope
}

/**
 * Returns the scopes of an app that asks for fewer than its grant has. `read` always stays. Scopes that were not
 * granted are never added.
 */
export function remainingScopes(granted: readonly Scope[], text: string | undefined): readonly Scope[] {
  const asked = requestedScopes(text)
  return granted.filter((scope) => asked.includes(scope))
}

const wordsOf = (text: string | undefined) => new Set((text ?? '').split(/\s+/))
