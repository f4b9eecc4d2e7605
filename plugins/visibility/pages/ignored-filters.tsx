/** @jsxImportSource renown/web */
import type { IgnoredValue } from 'renown'
import { Notice } from 'renown/web'

/** Values of the address that the figures do not use, and what can be sent instead. */
export const IgnoredFilters = ({ of: ignored }: { readonly of: readonly IgnoredValue[] }) =>
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
