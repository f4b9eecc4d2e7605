/** @jsxImportSource ../jsx */
import type { Children } from '../jsx/jsx-runtime'
import { usePartWords } from './language'

export interface KeyHintsProps {
  /** Keys and what they do, such as `['j', 'Next review']`. */
  readonly keys: readonly (readonly [key: string, what: Children])[]
  readonly isOpen?: boolean
}

/** The keys of a page. Show it if `shortcuts` of the page is true. `?` shows the same in a dialog. */
export const KeyHints = ({ keys, isOpen }: KeyHintsProps) => (
  <details class="key-hints" data-key-hints="" open={isOpen}>
    <summary>{usePartWords()('shortcuts')}</summary>
    <KeyList of={keys} />
  </details>
)

/** Keys with what they do. */
export const KeyList = ({ of }: { readonly of: readonly (readonly [key: string, what: Children])[] }) => (
  <dl>
    {of.map(([key, what]) => (
      <div key={key}>
        <dt>
          <kbd>{key}</kbd>
        </dt>
        <dd>{what}</dd>
      </div>
    ))}
  </dl>
)
