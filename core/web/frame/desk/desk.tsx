/** @jsxImportSource ../../kit/jsx */

import type { frameWords } from '../../framework/words'
import type { Children } from '../../kit/jsx/jsx-runtime'
import { Icon } from '../../kit/parts/icon'
import { shown, useWords } from '../../kit/parts/language'
import { Count, Entries, Entry, Steps } from './entries'
import { type Navigation, phoneEntries } from './entry'
import { Me, type MeProps, SideWidth } from './me'

/** The frame of the pages for a signed-in person. */
export interface Desk extends MeProps {
  readonly navigation: Navigation
  /** Paths of the pages that are first in the bar on phones. */
  readonly onPhones: ReadonlySet<string>
  readonly name: string
  /** The workspace switcher. */
  readonly switcher?: Children
  /** The notice of the demo in the side bar. */
  readonly demo?: Children
  /** Whether the page answers a form, and not an address that can be opened again. */
  readonly isFormAnswer: boolean
  /** Tells the people of one browser apart, without saying who they are. */
  readonly personKey: string
  /** Whether single-key shortcuts are on. */
  readonly shortcuts: boolean
}

/** The side bar of wide screens, and the row at the top of phones. */
export function Side({ desk, brand }: { readonly desk: Desk; readonly brand: Children }) {
  const words = useWords<typeof frameWords>()
  return (
    <header class="side">
      {brand}
      <SideWidth {...desk} />
      {desk.switcher}
      {desk.demo}
      <nav aria-label={words.text('pages')}>
        <Entries of={desk.navigation.daily} />
        <Steps of={desk.navigation.steps} />
        <Entries of={desk.navigation.setup} />
      </nav>
      <details class="me" data-menu="">
        <summary title={desk.name}>
          <Icon name="user" />
          <span class="label">
            <bdi>{desk.name}</bdi>
          </span>
          <span class="unseen">: {words('accountAndTheme')}</span>
        </summary>
        <div class="menu">
          <Me {...desk} />
        </div>
      </details>
    </header>
  )
}

/** The link to notifications, with the number of unread ones. */
export const Bell = ({ of: { bell } }: { readonly of: Navigation }) =>
  bell && (
    <nav class="bell" aria-label={bell.label.text}>
      <a href={bell.href} aria-current={bell.current ? 'page' : undefined} title={bell.label.text}>
        <Icon name="bell" />
        <span class="unseen">{shown(bell.label)} </span>
        <Count of={bell.count} />
      </a>
    </nav>
  )

/** The tabs of the settings, on a settings page. `lang` is their language if the content of the page is in another one. */
export function Tabs({
  of: { within },
  lang,
}: {
  readonly of: Navigation
  readonly lang: string | undefined
}) {
  const words = useWords<typeof frameWords>()
  if (within.length === 0) return null
  return (
    <nav class="within" lang={lang} aria-label={words.text('settings')}>
      <ul>
        {within.map(({ href, label, current }) => (
          <li key={href}>
            <a href={href} aria-current={current ? 'page' : undefined}>
              {shown(label)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The bar on phones: four pages, and a sheet with the others. */
export function Bottom({ desk }: { readonly desk: Desk }) {
  const { shown, more } = phoneEntries(desk.navigation, desk.onPhones)
  const { steps } = desk.navigation
  const words = useWords<typeof frameWords>()
  const isMore = [...more, ...steps].some(({ current }) => current)
  return (
    <nav class="bottom" aria-label={words.text('mainPages')}>
      <ul>
        {shown.map((item) => (
          <li key={item.href}>
            <Entry of={item} />
          </li>
        ))}
        <li>
          <details class={isMore ? 'more current' : 'more'} data-menu="">
            <summary>
              <Icon name="ellipsis" />
              {words('more')}
            </summary>
            <div class="sheet">
              <Entries of={more} />
              <Steps of={steps} />
              <Me {...desk} />
            </div>
          </details>
        </li>
      </ul>
    </nav>
  )
}
