/** @jsxImportSource ../jsx */
import type { IconName } from '../../../contracts/icons'

/** An icon of 16 px next to a word. Screen readers skip it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <span class={`icon i-${name}`} aria-hidden="true" />
)

export interface SignProps {
  /** The name of the thing, such as a source. */
  readonly name: string
  /** One or two letters or signs. Default: the first letter of the name. */
  readonly letters?: string
}

/** The sign of a source, an operator or an engine: letters in one color, with a name for screen readers. */
export const Sign = ({ name, letters = [...name][0]?.toUpperCase() ?? '?' }: SignProps) => (
  <span class="sign" role="img" aria-label={name} title={name}>
    {letters}
  </span>
)
