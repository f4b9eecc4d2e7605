/** @jsxImportSource ../jsx */
import type { IgnoredValue } from '../../../contracts/ignored-value'
import { Notice } from './kit'

/** The values of the address that the page does not use, and what can be sent instead. */
export const IgnoredValues = ({ of: ignored }: { readonly of: readonly IgnoredValue[] }) =>
  ignored.length === 0 ? null : (
    <Notice tone="warn" title="Some filters were ignored">
      <ul>
        {ignored.map(({ name, value, accepted }, place) => (
          <li key={place}>
            <code>{name}</code> = <bdi>{value}</bdi>: {accepted}
          </li>
        ))}
      </ul>
    </Notice>
  )
