/** @jsxImportSource renown/web */
import { Button, type PageElement, useState } from 'renown/web'
import { commonSenders, findSenders, type SenderGroup } from './find-senders'

interface SenderChoiceProps {
  readonly groups: readonly SenderGroup[]
  readonly chosen: string | undefined
  /** The search of the address, which works without a script. */
  readonly find: string
  readonly path: string
  /** Query values that the search keeps. */
  readonly keep: Readonly<Record<string, string>>
  readonly linkTo: (page: string) => string
}

/** Every platform with a set-up page: a search, the most common ones, and all of them in folded groups. */
export function SenderChoice({ groups, chosen, find, path, keep, linkTo }: SenderChoiceProps) {
  const [typed, setTyped] = useState(find)
  const links = { chosen, linkTo }
  const found = findSenders(groups, typed)
  return (
    <>
      <form method="get" action={`${path}#log`} class="choice" aria-label="Find a platform">
        <div class="field">
          <label for="find">Find your platform</label>
          <input
            id="find"
            name="find"
            type="search"
            defaultValue={find}
            maxlength={60}
            autocomplete="off"
            onInput={(event) => setTyped(typedIn(event.currentTarget))}
          />
        </div>
        {Object.entries(keep).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button kind="plain">Search</Button>
      </form>
      <div class="senders" aria-live="polite">
        {found === null ? (
          <>
            <span class="hint">Most common</span>
            <SenderLinks {...links} senders={commonSenders(groups)} />
          </>
        ) : found.length > 0 ? (
          <SenderLinks {...links} senders={found} />
        ) : (
          <p class="hint">
            No set-up page matches. Most hosts run nginx or Apache, so search for one of them. You can also
            choose a forwarder below.
          </p>
        )}
      </div>
      <div class="sender-kinds">
        {groups.map(({ label, senders }) => (
          <details key={label} class="senders" open={senders.some(({ page }) => page === chosen)}>
            <summary>
              {label} <span class="hint">{String(senders.length)}</span>
            </summary>
            <SenderLinks {...links} senders={senders} />
          </details>
        ))}
      </div>
    </>
  )
}

interface SenderLinksProps extends Pick<SenderChoiceProps, 'chosen' | 'linkTo'> {
  readonly senders: SenderGroup['senders']
}

const SenderLinks = ({ senders, chosen, linkTo }: SenderLinksProps) => (
  <ul>
    {senders.map(({ page, title }) => (
      <li key={page}>
        <a href={linkTo(page)} aria-current={chosen === page ? 'true' : undefined}>
          {title}
        </a>
      </li>
    ))}
  </ul>
)

const typedIn = (element: PageElement) => element.value ?? ''
