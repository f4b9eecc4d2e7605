/** @jsxImportSource renown/web */
import { StateWord } from 'renown/web'
import type { ShownWebhook } from './webhooks-page'

/** Returns the address of the page of a webhook. */
export const hrefOf = (path: string, id: string): string => `${path}?webhook=${encodeURIComponent(id)}`

/** Returns which events a webhook gets, in words. */
export const typesWords = (types: readonly string[]): string =>
  types.length === 0 ? 'All' : types.length <= 2 ? types.join(', ') : `${types.length} types`

/** The state of a webhook as a word. */
export function HookState({ hook }: { readonly hook: Pick<ShownWebhook, 'state' | 'failing_since'> }) {
  const [tone, word] = stateOf(hook)
  return <StateWord tone={tone}>{word}</StateWord>
}

function stateOf({ state, failing_since }: Pick<ShownWebhook, 'state' | 'failing_since'>) {
  if (state === 'unverified') return ['warn', 'Not verified'] as const
  if (state === 'paused') return ['plain', 'Paused'] as const
  if (state === 'disabled') return ['bad', 'Disabled'] as const
  return failing_since === null ? (['good', 'Active'] as const) : (['warn', 'Failing'] as const)
}
