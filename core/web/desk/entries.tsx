/** @jsxImportSource ../jsx */
import type { NavCount } from '../../contracts/page'
import { Icon } from '../parts/icon'
import type { NavItem } from './entry'

/** A count. Above 99 it shows 99+. With a part that could not be read, it shows what is certain, such as 5+, and says so. */
export function Count({ of }: { readonly of: NavCount }) {
  if (typeof of === 'number') return of > 0 ? <span class="count">{of > 99 ? '99+' : String(of)}</span> : null
  const { atLeast } = of
  return (
    <span class="count" title="A part could not be read">
      {atLeast === 0 ? '?' : `${Math.min(99, atLeast)}+`}
      <span class="unseen"> (a part could not be read)</span>
    </span>
  )
}

/** A link of the navigation. Its label stays in the page if only the icon is visible. */
export const Entry = ({ of: { href, label, current, icon, count } }: { readonly of: NavItem }) => (
  <a href={href} aria-current={current ? 'page' : undefined} title={label}>
    <Icon name={icon} />
    <span class="label">{label}</span> <Count of={count} />
  </a>
)

/** The steps that are left to set up a workspace. */
export const Steps = ({ of }: { readonly of: readonly NavItem[] }) =>
  of.length === 0 ? null : (
    <div class="set-up">
      <p class="label" aria-hidden="true">
        Set up
      </p>
      <Entries of={of} label="Set up" />
    </div>
  )

export const Entries = ({ of, label }: { readonly of: readonly NavItem[]; readonly label?: string }) =>
  of.length === 0 ? null : (
    <ul class="entries" aria-label={label}>
      {of.map((item) => (
        <li key={item.href}>
          <Entry of={item} />
        </li>
      ))}
    </ul>
  )
