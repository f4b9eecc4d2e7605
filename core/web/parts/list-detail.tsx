/** @jsxImportSource ../jsx */
import type { Children } from '../jsx/jsx-runtime'
import { Icon } from './icon'

export interface ListDetailProps {
  /** Names the list for screen readers, such as “Reviews”. */
  readonly label: string
  readonly rows: readonly {
    readonly id: string
    /** The address of the page with this row selected; it keeps the filters. */
    readonly href: string
    readonly children: Children
  }[]
  readonly selectedId: string | null
  /** The address of the page without a selection: on phones the list and the detail are two screens. */
  readonly backHref: string
  /** What is shown of the selected row; nothing is shown where it is left out. */
  readonly detail?: Children
  /** In place of the rows where there are none. */
  readonly empty?: Children
  /** Below the list, such as the link to the next page. */
  readonly foot?: Children
}

/** Two panes: a list whose selection is in the address, and what is selected. It works without a script. */
export function ListDetail(props: ListDetailProps) {
  const { label, rows, selectedId, backHref, detail, empty, foot } = props
  if (rows.length === 0) return <>{empty}</>
  return (
    <div class={detail ? 'panes chosen' : 'panes'}>
      <div class="stack list-side">
        <ul class="list" aria-label={label} data-list="">
          {rows.map(({ id, href, children }) => (
            <li key={id}>
              <a href={href} aria-current={id === selectedId ? 'true' : undefined}>
                {children}
              </a>
            </li>
          ))}
        </ul>
        {foot}
      </div>
      {detail ? (
        <section class="detail" aria-label="Selected">
          <a class="back" href={backHref}>
            <Icon name="undo-2" /> Back to the list
          </a>
          {detail}
        </section>
      ) : (
        <p class="unchosen">Select an entry to see it here.</p>
      )}
    </div>
  )
}
