/** @jsxImportSource ../jsx */
import type { IconName } from '../../contracts/icons'

/** A stroke of 16 px beside a word. It says nothing by itself: screen readers skip it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <span class={`icon i-${name}`} aria-hidden="true" />
)

export interface SignProps {
  /** What it stands for, such as the name of a source. */
  readonly name: string
  /** One or two letters or signs; the first letter of the name where they are left out. */
  readonly letters?: string
}

/** The mark of a source, an operator or an engine: letters in one colour, named for screen readers. */
export const Sign = ({ name, letters = [...name][0]?.toUpperCase() ?? '?' }: SignProps) => (
  <span class="sign" role="img" aria-label={name} title={name}>
    {letters}
  </span>
)
