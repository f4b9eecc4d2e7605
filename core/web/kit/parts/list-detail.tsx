/** @jsxImportSource ../jsx */
import type { Children } from '../jsx/jsx-runtime'
import { Icon } from './icon'
import { usePartWords } from './language'
import { Choose } from './several'

export interface ListDetailProps {
  /** Label of the list for screen readers, such as “Reviews”. */
  readonly label: string
  readonly rows: readonly {
    readonly id: string
    /** The address of the page with this row selected and the same filters. */
    readonly href: string
    readonly children: Children
    /** What is sent if the row is chosen. Without it, the row has no box to choose it. */
    readonly item?: string
  }[]
  readonly selectedId: string | null
  /** Set to false if rows lead to pages of their own. */
  readonly hasDetail?: boolean
  /** The address of the page without a selection. On phones, the list and the detail are two screens. */
  readonly backHref: string
  /** The detail of the selected row. Left out if no row is selected. */
  readonly detail?: Children
  /** Shown instead of rows if there are none. */
  readonly empty?: Children
  /** Content below the list, such as the link to the next page. */
  readonly foot?: Children
}

/** Two panes: a list and its selected row, whose id is in the address. It works without JavaScript. */
export function ListDetail(props: ListDetailProps) {
  const { label, rows, selectedId, backHref, detail, empty, foot, hasDetail = true } = props
  const words = usePartWords()
  if (rows.length === 0) return <>{empty}</>
  return (
    <div class={hasDetail ? (detail ? 'panes chosen' : 'panes') : 'panes single'} data-back={backHref}>
      <div class="stack list-side">
        <ul class="list" aria-label={label} data-list="">
          {rows.map(({ id, href, children, item }) => (
            <li key={id} class={item === undefined ? undefined : 'choosable'} data-row={id}>
              {item !== undefined && <Choose item={item} describedBy={`row-${id}`} />}
              <a
                id={item === undefined ? undefined : `row-${id}`}
                href={href}
                aria-current={id === selectedId ? 'true' : undefined}
              >
                {children}
              </a>
            </li>
          ))}
        </ul>
        {foot}
      </div>
      {detail ? (
        <section class="detail" aria-label={words('selected')} tabIndex={-1} data-entry={selectedId ?? ''}>
          <a class="back" href={backHref}>
            <Icon name="undo-2" /> {words('backToList')}
          </a>
          {detail}
        </section>
      ) : (
        hasDetail && <p class="unchosen">{words('chooseEntry')}</p>
      )}
    </div>
  )
}
