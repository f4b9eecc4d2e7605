/** @jsxImportSource ../jsx */
import type { IgnoredValue } from '../../../contracts/ignored-value'
import { Notice } from './kit'
import { usePartWords } from './language'

/** The values of the address that the page does not use, and what can be sent instead. */
export function IgnoredValues({ of: ignored }: { readonly of: readonly IgnoredValue[] }) {
  const words = usePartWords()
  if (ignored.length === 0) return null
  return (
    <Notice tone="warn" title={words('filtersIgnored')}>
      <ul>
        {ignored.map(({ name, value, accepted }, place) => (
          <li key={place}>
            <code>{name}</code> = <bdi>{value}</bdi>: {accepted}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
