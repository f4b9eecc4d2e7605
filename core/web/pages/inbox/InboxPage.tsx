/** @jsxImportSource ../../kit/jsx */
import type { PageProps } from '../../kit/browser/page-props'
import { Empty } from '../../kit/parts/empty'
import { KeyHints } from '../../kit/parts/key-hints'
import { Badge, ButtonLink, Head, Icon, Moment, Notice } from '../../kit/parts/kit'
import { useWords, shown as wording } from '../../kit/parts/language'
import { ListDetail } from '../../kit/parts/list-detail'
import { StateWord } from '../../kit/parts/state-word'
import { Toast } from '../../kit/parts/toast'
import type { KeyedEntry } from './collect'
import { EntryDetail } from './entry-detail'
import { addressOf, type InboxData, inboxPath } from './load-inbox'
import type { inboxWords } from './words'

type Words = typeof inboxWords

type Props = PageProps<InboxData>

/**
 * The page with all entries that wait for a person: the list, and the selected entry with its main action.
 */
export default function InboxPage(props: Props) {
  const { data, shortcuts } = props
  const { asked, entries, shown } = data
  const to = (entry: string) => addressOf({ ...asked, entry })
  const words = useWords<Words>()
  return (
    <>
      <Head title={words.text('title')}>{words('about')}</Head>
      <Said {...props} />
      <Tabs data={data} />
      <Unreadable data={data} />
      {asked.entry !== '' && shown === null && (
        <Notice title={words.text('goneTitle')}>{words('goneText')}</Notice>
      )}
      <ListDetail
        label={words.text('title')}
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
      {shortcuts && <KeyHints keys={keys.map(([key, what]) => [key, words(what)] as const)} />}
    </>
  )
}

const keys = [
  ['j', 'keyNext'],
  ['k', 'keyPrevious'],
  ['r', 'keyMain'],
  ['x', 'keyOther'],
  ['e', 'done'],
  ['s', 'snoozeTomorrow'],
] as const

function Said({ data: { undo, asked }, notice, notice_lang, outcome, csrf }: Props) {
  const words = useWords<Words>()
  if (outcome && !outcome.ok)
    return (
      <Notice tone="bad" title={words.text('notChanged')}>
        <span lang={outcome.fault_lang}>{outcome.fault}</span>
      </Notice>
    )
  if (notice === null) return null
  const taking = { action: `${inboxPath}/undo`, csrf, what: notice }
  return undo === null ? (
    <Toast text={notice} lang={notice_lang} />
  ) : (
    <Toast
      text={notice}
      lang={notice_lang}
      undo={{ ...taking, hidden: { entry: undo, kind: asked.kind, back: inboxPath } }}
    />
  )
}

function Tabs({ data: { kinds, asked } }: { readonly data: InboxData }) {
  const words = useWords<Words>()
  const all = kinds.reduce((sum, { count }) => sum + count, 0)
  const isMore = kinds.some((one) => one.isMore)
  const tabs = [
    { name: '', title: { text: words.text('allKinds') }, count: all, isMore, fault: null },
    ...kinds.filter(({ name, count, fault }) => count > 0 || fault !== null || name === asked.kind),
  ]
  return (
    <nav class="tabs above-list" aria-label={words.text('kinds')}>
      {tabs.map(({ name, title, count, isMore: more, fault }) => (
        <a
          key={name}
          href={addressOf({ kind: name, entry: '', page: 1 })}
          aria-current={name === asked.kind ? 'page' : undefined}
        >
          {wording(title)}{' '}
          {fault === null ? (
            <Badge>{`${count}${more ? '+' : ''}`}</Badge>
          ) : (
            <Badge tone="bad">{words('unavailable')}</Badge>
          )}
        </a>
      ))}
    </nav>
  )
}

/** Says which kinds cannot be read, because an unreadable kind is not an empty one. */
function Unreadable({ data: { kinds, unknown } }: { readonly data: InboxData }) {
  const words = useWords<Words>()
  const failed = kinds.filter(({ fault }) => fault !== null)
  return (
    <>
      {unknown !== null && (
        <Notice tone="warn" title={words.text('unknownKind')}>
          <code>kind</code> = <bdi>{unknown}</bdi>:{' '}
          {words('useKinds', { kinds: kinds.map(({ name }) => name).join(', ') })}
        </Notice>
      )}
      {failed.length > 0 && (
        <Notice
          tone="bad"
          title={words.text('unavailableKinds', { kinds: failed.map(({ title }) => title.text).join(', ') })}
        >
          {words('unavailableText')}
        </Notice>
      )}
    </>
  )
}

const Line = ({ of: entry }: { readonly of: KeyedEntry }) => (
  <>
    <span class="inbox-line">
      <bdi class="what">{wording(entry.title)}</bdi>
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
      <StateWord tone={entry.tone}>{wording(entry.word)}</StateWord>
      {entry.about !== undefined && <bdi class="what">{wording(entry.about)}</bdi>}
    </span>
  </>
)

function AllDone({ data: { kinds, next_look, asked } }: { readonly data: InboxData }) {
  const words = useWords<Words>()
  if (kinds.some(({ fault, name }) => fault !== null && (asked.kind === '' || name === asked.kind)))
    return (
      <Empty
        text={words('nothingElse')}
        action={<ButtonLink href={addressOf(asked)}>{words('tryAgain')}</ButtonLink>}
      />
    )
  return (
    <>
      <Empty
        text={words('allDone')}
        action={
          asked.kind === '' ? (
            <ButtonLink href="/app">{words('home')}</ButtonLink>
          ) : (
            <a href={inboxPath}>{words('showAllKinds')}</a>
          )
        }
      />
      {next_look !== null && (
        <p class="hint">
          <Icon name="clock" /> {words('nextLook')} <Moment at={next_look} />
        </p>
      )}
    </>
  )
}

function Foot({ data: { asked, pages, kinds } }: { readonly data: InboxData }) {
  const words = useWords<Words>()
  const at = (page: number) => addressOf({ kind: asked.kind, entry: '', page })
  const more = kinds.filter(({ isMore, name }) => isMore && (asked.kind === '' || asked.kind === name))
  return (
    <div class="row">
      {asked.page > 1 && <a href={at(asked.page - 1)}>{words('newer')}</a>}
      {asked.page < pages && <a href={at(asked.page + 1)}>{words('older')}</a>}
      {more.length > 0 && asked.page === pages && <span class="hint">{words('onlyNewest')}</span>}
    </div>
  )
}
