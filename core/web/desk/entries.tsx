/** @jsxImportSource ../jsx */
import { Icon } from '../parts/icon'
import type { NavItem } from './entry'

/** A count. Above 99 it shows 99+. */
export const Count = ({ of }: { readonly of: number }) =>
  of > 0 ? <span class="count">{of > 99 ? '99+' : String(of)}</span> : null

/** A link of the navigation. Its label stays in the page if only the icon is visible. */
export const Entry = ({ of: { href, label, current, icon, count } }: { readonly of: NavItem }) => (
  <a href={href} aria-current={current ? 'page' : undefined} title={label}>
    <Icon name={icon} />
    <span class="label">{label}</span> <Count of={count} />
  </a>
)

export const Entries = ({ of }: { readonly of: readonly NavItem[] }) =>
  of.length === 0 ? null : (
    <ul class="entries">
      {of.map((item) => (
        <li key={item.href}>
          <Entry of={item} />
        </li>
      ))}
    </ul>
  )
