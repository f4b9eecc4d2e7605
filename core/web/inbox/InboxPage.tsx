/** @jsxImportSource ../jsx */
import type { PageProps } from '../client/page-props'
import { Badge, ButtonLink, Head, Icon, Moment, Notice } from '../kit'
import { Empty } from '../parts/empty'
import { KeyHints } from '../parts/key-hints'
import { ListDetail } from '../parts/list-detail'
import { StateWord } from '../parts/state-word'
import { Toast } from '../parts/toast'
import type { KeyedEntry } from './collect'
import { EntryDetail } from './entry-detail'
import { addressOf, type InboxData, inboxPath } from './load-inbox'

type Props = PageProps<InboxData>

/**
 * The page with all entries that wait for a person: the list, and the selected entry with its main action.
 */
export default function InboxPage(props: Props) {
  const { data, shortcuts } = props
  const { asked, entries, shown } = data
  const to = (entry: string) => addressOf({ ...asked, entry })
  return (
    <>
      <Head title="Inbox">What waits for you in this workspace.</Head>
      <Said {...props} />
      <Tabs data={data} />
      <Unreadable data={data} />
      {asked.entry !== '' && shown === null && (
        <Notice title="This entry is not in the inbox any more">
          It was handled, marked as done or snoozed.
        </Notice>
      )}
      <ListDetail
        label="Inbox"
        rows={entries.map((entry) => ({
          id: entry.key,
          href: to(entry.key),
          children: <Line of={entry} />,
        }))}
        selectedId={shown?.key ?? null}
        backHref={to('')}
        detail={shown ? <EntryDetail {...props} of={shown} /> : undefined}
        empty={<AllDone data={data} />}
        foot={<Foot data={data} />}
      />
      {shortcuts && <KeyHints keys={keys} />}
    </>
  )
}

const keys = [
  ['j', 'Next entry'],
  ['k', 'Previous entry'],
  ['r', 'Main action, such as Send reply or Retry'],
  ['x', 'Other action, such as Decline'],
  ['e', 'Done'],
  ['s', 'Snooze until tomorrow'],
] as const

function Said({ data: { undo, asked }, notice, outcome, csrf }: Props) {
  if (outcome && !outcome.ok)
    return (
      <Notice tone="bad" title="Nothing was changed">
        {outcome.fault}
      </Notice>
    )
  if (notice === null) return null
  const taking = { action: `${inboxPath}/undo`, csrf, what: notice }
  return undo === null ? (
    <Toast text={notice} />
  ) : (
    <Toast text={notice} undo={{ ...taking, hidden: { entry: undo, kind: asked.kind, back: inboxPath } }} />
  )
}

function Tabs({ data: { kinds, asked } }: { readonly data: InboxData }) {
  const all = kinds.reduce((sum, { count }) => sum + count, 0)
  const isMore = kinds.some((one) => one.isMore)
  const tabs = [
    { name: '', title: 'All', count: all, isMore, fault: null },
    ...kinds.filter(({ name, count, fault }) => count > 0 || fault !== null || name === asked.kind),
  ]
  return (
    <nav class="tabs above-list" aria-label="Kinds of entries">
      {tabs.map(({ name, title, count, isMore: more, fault }) => (
        <a
          key={name}
          href={addressOf({ kind: name, entry: '', page: 1 })}
          aria-current={name === asked.kind ? 'page' : undefined}
        >
          {title}{' '}
          {fault === null ? (
            <Badge>{`${count}${more ? '+' : ''}`}</Badge>
          ) : (
            <Badge tone="bad">unavailable</Badge>
          )}
        </a>
      ))}
    </nav>
  )
}

/** Says which kinds cannot be read, because an unreadable kind is not an empty one. */
function Unreadable({ data: { kinds, unknown } }: { readonly data: InboxData }) {
  const failed = kinds.filter(({ fault }) => fault !== null)
  return (
    <>
      {unknown !== null && (
        <Notice tone="warn" title="Unknown kind">
          <code>kind</code> = <bdi>{unknown}</bdi>: use {kinds.map(({ name }) => name).join(', ')}.
        </Notice>
      )}
      {failed.length > 0 && (
        <Notice tone="bad" title={`Unavailable: ${failed.map(({ title }) => title).join(', ')}`}>
          They cannot be read at the moment, so entries may be missing here. Load the page again in a minute.
        </Notice>
      )}
    </>
  )
}

const Line = ({ of: entry }: { readonly of: KeyedEntry }) => (
  <>
    <span class="inbox-line">
      <bdi class="what">{entry.title}</bdi>
      {entry.count !== undefined && <Badge>{String(entry.count)}</Badge>}
      <span class="when">
        <Moment at={entry.at} still />
      </span>
    </span>
    {entry.quote && (
      <span class="inbox-words" dir="auto" lang={entry.quote.lang}>
        {entry.quote.text.slice(0, 160)}
      </span>
    )}
    <span class="inbox-line dim">
      <StateWord tone={entry.tone}>{entry.word}</StateWord>
      {entry.about !== undefined && <bdi class="what">{entry.about}</bdi>}
    </span>
  </>
)

function AllDone({ data: { kinds, next_look, asked } }: { readonly data: InboxData }) {
  if (kinds.some(({ fault, name }) => fault !== null && (asked.kind === '' || name === asked.kind)))
    return (
      <Empty
        text="Nothing else waits, but some kinds could not be read."
        action={<ButtonLink href={addressOf(asked)}>Try again</ButtonLink>}
      />
    )
  return (
    <>
      <Empty
        text="All done."
        action={
          asked.kind === '' ? (
            <ButtonLink href="/app">Home</ButtonLink>
          ) : (
            <a href={inboxPath}>Show all kinds</a>
          )
        }
      />
      {next_look !== null && (
        <p class="hint">
          <Icon name="clock" /> Next look: <Moment at={next_look} />
        </p>
      )}
    </>
  )
}

function Foot({ data: { asked, pages, kinds } }: { readonly data: InboxData }) {
  const at = (page: number) => addressOf({ kind: asked.kind, entry: '', page })
  const more = kinds.filter(({ isMore, name }) => isMore && (asked.kind === '' || asked.kind === name))
  return (
    <div class="row">
      {asked.page > 1 && <a href={at(asked.page - 1)}>Newer</a>}
      {asked.page < pages && <a href={at(asked.page + 1)}>Older</a>}
      {more.length > 0 && asked.page === pages && (
        <span class="hint">Only the newest entries are listed. Older ones appear when these are done.</span>
      )}
    </div>
  )
}
