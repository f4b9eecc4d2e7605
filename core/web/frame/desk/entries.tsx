/** @jsxImportSource ../../kit/jsx */
import type { NavCount } from '../../../contracts/page'
import type { frameWords } from '../../framework/words'
import { Icon } from '../../kit/parts/icon'
import { shown, useWords } from '../../kit/parts/language'
import type { NavItem } from './entry'

/** A count. Above 99 it shows 99+. With a part that could not be read, it shows what is certain, such as 5+, and says so. */
export function Count({ of }: { readonly of: NavCount }) {
  const words = useWords<typeof frameWords>()
  if (typeof of === 'number') return of > 0 ? <span class="count">{of > 99 ? '99+' : String(of)}</span> : null
  const { atLeast } = of
  return (
    <span class="count" title={words.text('partUnread')}>
      {atLeast === 0 ? '?' : `${Math.min(99, atLeast)}+`}
      <span class="unseen"> ({words('partUnreadAside')})</span>
    </span>
  )
}

/** A link of the navigation. Its label stays in the page if only the icon is visible. */
export const Entry = ({ of: { href, label, current, icon, count } }: { readonly of: NavItem }) => (
  <a href={href} aria-current={current ? 'page' : undefined} title={label.text}>
    <Icon name={icon} />
    <span class="label">{shown(label)}</span> <Count of={count} />
  </a>
)

/** The steps that are left to set up a workspace. */
export function Steps({ of }: { readonly of: readonly NavItem[] }) {
  const words = useWords<typeof frameWords>()
  if (of.length === 0) return null
  return (
    <div class="set-up">
      <p class="label" aria-hidden="true">
        {words('setUp')}
      </p>
      <Entries of={of} label={words.text('setUp')} />
    </div>
  )
}

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
