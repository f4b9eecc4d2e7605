/** @jsxImportSource ../../kit/jsx */
import type { PageProps } from '../../kit/browser/page-props'
import { Downloads } from '../../kit/parts/downloads'
import { Empty } from '../../kit/parts/empty'
import { KeyHints } from '../../kit/parts/key-hints'
import { Badge, ButtonLink, Head, Icon, Moment, Notice } from '../../kit/parts/kit'
import { useWords, shown as wording } from '../../kit/parts/language'
import { ListDetail } from '../../kit/parts/list-detail'
import { Listed, listAddress, namedKeys } from '../../kit/parts/listed'
import { isOfSeveral } from '../../kit/parts/several'
import { StateWord } from '../../kit/parts/state-word'
import { Toast } from '../../kit/parts/toast'
import type { KeyedEntry } from './collect'
import { EntryDetail } from './entry-detail'
import { type InboxData, inboxPath } from './load-inbox'
import type { inboxWords } from './words'

type Words = typeof inboxWords

type Props = PageProps<InboxData>

/**
 * The page with all entries that wait for a person: the list, and the selected entry with its main action.
 */
export default function InboxPage(props: Props) {
  const { data, shortcuts } = props
  const { list } = data
  const shown = list.beside?.shown ?? null
  const words = useWords<Words>()
  return (
    <>
      <Head title={words.text('title')}>{words('about')}</Head>
      <Said {...props} />
      <Listed
        of={list}
        page={{ ...props, shortcuts: false }}
        picture={
          <>
            <Tabs data={data} />
            <Unreadable data={data} />
            {list.beside?.id !== '' && shown === null && (
              <Notice title={words.text('goneTitle')}>{words('goneText')}</Notice>
            )}
            <ListDetail
              label={words.text('title')}
              rows={list.lines.map(({ id, href, item, line }) => ({
                id,
                item,
                href: href ?? '',
                children: <Line of={line} />,
              }))}
              selectedId={shown?.entry.key ?? null}
              backHref={list.beside?.back ?? inboxPath}
              detail={shown ? <EntryDetail {...props} of={shown} /> : undefined}
              empty={<AllDone data={data} />}
              foot={<Foot data={data} />}
            />
            {shortcuts && <KeyHints keys={keys.map(([key, what]) => [key, words(what)] as const)} />}
          </>
        }
      />
    </>
  )
}

const keys = [
  ['j', 'keyNext'],
  ['k', 'keyPrevious'],
  [namedKeys.open, 'keyOpen'],
  [namedKeys.back, 'keyBack'],
  ['c', 'keyChoose'],
  ['r', 'keyMain'],
  ['x', 'keyOther'],
  ['e', 'done'],
  ['s', 'snoozeTomorrow'],
] as const

function Said({ data: { undo, list }, notice, notice_lang, outcome, csrf }: Props) {
  const words = useWords<Words>()
  if (outcome && !outcome.ok && !isOfSeveral(outcome))
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
      undo={{ ...taking, hidden: { entry: undo, kind: list.asked.kind ?? '', back: inboxPath } }}
    />
  )
}

function Tabs({ data: { kinds, list } }: { readonly data: InboxData }) {
  const words = useWords<Words>()
  const current = list.asked.kind ?? ''
  const all = kinds.reduce((sum, { count }) => sum + count, 0)
  const isMore = kinds.some((one) => one.isMore)
  const tabs = [
    { name: '', title: { text: words.text('allKinds') }, count: all, isMore, fault: null },
    ...kinds.filter(({ name, count, fault }) => count > 0 || fault !== null || name === current),
  ]
  return (
    <nav class="tabs above-list" aria-label={words.text('kinds')}>
      {tabs.map(({ name, title, count, isMore: more, fault }) => (
        <a
          key={name}
          href={name === '' ? inboxPath : `${inboxPath}?${new URLSearchParams({ kind: name })}`}
          aria-current={name === current ? 'page' : undefined}
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
function Unreadable({ data: { kinds } }: { readonly data: InboxData }) {
  const words = useWords<Words>()
  const failed = kinds.filter(({ fault }) => fault !== null)
  if (failed.length === 0) return null
  const names = failed.map(({ title }) => title.text).join(', ')
  return (
    <Notice tone="bad" title={words.text('unavailableKinds', { kinds: names })}>
      {words('unavailableText')}
    </Notice>
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

function AllDone({ data: { kinds, next_look, list } }: { readonly data: InboxData }) {
  const words = useWords<Words>()
  const kind = list.asked.kind ?? ''
  if (kinds.some(({ fault, name }) => fault !== null && (kind === '' || name === kind)))
    return (
      <Empty
        text={words('nothingElse')}
        action={<ButtonLink href={listAddress(list)}>{words('tryAgain')}</ButtonLink>}
      />
    )
  return (
    <>
      <Empty
        text={words('allDone')}
        action={
          kind === '' ? (
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

function Foot({ data: { list, kinds } }: { readonly data: InboxData }) {
  const words = useWords<Words>()
  const kind = list.asked.kind ?? ''
  const isLast = list.turns.every(({ words: turn }) => turn !== words.text('older'))
  const isMore = kinds.some(({ isMore: more, name }) => more && (kind === '' || kind === name))
  return (
    <div class="row">
      {list.turns.map(({ href, words: turn }) => (
        <a key={turn} href={href}>
          {turn}
        </a>
      ))}
      {isMore && isLast && <span class="hint">{words('onlyNewest')}</span>}
      <Downloads of="inbox" query={list.query} label={words.text('title')} />
    </div>
  )
}
