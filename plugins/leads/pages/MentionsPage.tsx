/** @jsxImportSource renown/web */
import {
  ButtonLink,
  Card,
  Downloads,
  Empty,
  Filters,
  Head,
  KeyHints,
  ListDetail,
  Moment,
  Notice,
  type PageProps,
  Toast,
} from 'renown/web'
import type { MentionsData } from './load-mentions'
import { LookList } from './look-list'
import { MentionDetail } from './mention-detail'
import {
  isFiltered,
  type MentionFilters,
  periods,
  relevances,
  searchOf,
  sentiments,
  sources,
  states,
} from './mention-filters'
import { addressOf, mentionsPath } from './mention-forms'
import { Line, sample } from './mention-line'
import { Subnav } from './subnav'

type Props = PageProps<MentionsData>

/** Shows the mentions of the workspace: the list on the left, one mention with its reasons and reply on the right. */
export default function MentionsPage(props: Props) {
  const { data } = props
  const { asked, lines, mention } = data
  const to = (changes: Partial<MentionFilters>) => addressOf(searchOf(asked, changes))
  return (
    <>
      <Head title="Mentions">Public posts that your trackers found.</Head>
      <div class="above-list">
        <Subnav path={mentionsPath} />
      </div>
      <Said {...props} />
      <Ignored of={data.ignored} />
      {!data.has_any && !mention ? (
        <Nothing data={data} />
      ) : (
        <div class="stack">
          <div class="above-list">
            <MentionFilterForm data={data} />
          </div>
          {asked.mention !== '' && mention === null && (
            <Notice title="There is no such mention in this workspace">It may have been deleted.</Notice>
          )}
          {lines.length === 0 && <NoneFound data={data} />}
          {lines.length === 0 && mention && <MentionDetail {...props} of={mention} />}
          <ListDetail
            label="Mentions"
            rows={lines.map((line) => ({
              id: line.id,
              href: to({ mention: line.id, after: asked.after }),
              children: <Line of={line} />,
            }))}
            selectedId={mention?.id ?? null}
            backHref={to({ mention: '' })}
            detail={mention ? <MentionDetail {...props} of={mention} /> : undefined}
            foot={<Pager data={data} to={to} />}
          />
          {props.shortcuts && <KeyHints keys={keys} />}
        </div>
      )}
    </>
  )
}

const keys = [
  ['j', 'Next mention'],
  ['k', 'Previous mention'],
  ['s', 'Save the mention'],
  ['x', 'Dismiss the mention'],
  ['u', 'Make the mention new again'],
] as const

/** Forms whose errors are shown beside them. */
const ownForms: readonly string[] = [
  'write',
  'generate',
  'answered',
  'reply-cancel',
  'reply-confirm',
  'reply-again',
]

/** The notice of the last action, with Undo for a decision. */
function Said({ data: { undo, asked }, notice, outcome, csrf, search }: Props) {
  if (outcome && !outcome.ok && !ownForms.includes(outcome.action))
    return (
      <Notice tone="bad" title="Nothing was changed">
        {outcome.fault}
      </Notice>
    )
  if (notice === null) return null
  const seen = new URLSearchParams(search).get('done')
  if (undo === null || (seen !== 'saved' && seen !== 'dismissed')) return <Toast text={notice} />
  const hidden = {
    mention: undo,
    following: '',
    seen,
    search: searchOf(asked, { mention: '' }),
    back: addressOf(searchOf(asked)),
  }
  return <Toast text={notice} undo={{ action: `${mentionsPath}/restore`, csrf, hidden, what: notice }} />
}

function MentionFilterForm({ data: { asked, locations, trackers } }: { readonly data: MentionsData }) {
  return (
    <Filters
      action={mentionsPath}
      label="Filter mentions"
      filters={[
        { name: 'q', label: 'Search', value: asked.q, isSearch: true },
        { name: 'state', label: 'State', value: asked.state, options: states, none: 'New' },
        {
          name: 'relevance',
          label: 'Relevance',
          value: asked.relevance,
          options: relevances,
          none: 'Relevant or maybe',
        },
        ...(trackers.length > 1
          ? [{ name: 'tracker', label: 'Tracker', value: asked.tracker, options: trackers }]
          : []),
      ]}
      more={[
        ...(locations.length > 1
          ? [{ name: 'location', label: 'Location', value: asked.location, options: locations }]
          : []),
        { name: 'source', label: 'Source', value: asked.source, options: sources },
        { name: 'sentiment', label: 'Sentiment', value: asked.sentiment, options: sentiments },
        { name: 'unread', label: 'Read', value: asked.unread, options: [['1', 'Unread']] },
        { name: 'lead', label: 'Lead', value: asked.lead, options: [['1', 'With a lead']] },
        { name: 'days', label: 'Posted in', value: asked.days, options: periods, none: 'All days' },
      ]}
    />
  )
}

function Nothing({ data }: { readonly data: MentionsData }) {
  if (data.has_trackers) return <Looking data={data} />
  return (
    <Empty
      text={
        data.may_change
          ? 'No tracker yet. Say which words to look for, and Renown searches public posts.'
          : 'No tracker yet. Ask an owner of the agency to create one.'
      }
      action={
        data.may_change && (
          <ButtonLink href="/app/mentions/tracker" kind="primary">
            Create a tracker
          </ButtonLink>
        )
      }
      sample={<Line of={sample} />}
    />
  )
}

/** From the first tracker to the first mention: which sources are being read. The page loads itself again. */
function Looking({ data: { looking } }: { readonly data: MentionsData }) {
  const isWaiting = looking.some(({ looks }) =>
    looks.some(({ state }) => ['starts', 'looking'].includes(state)),
  )
  return (
    <>
      <Empty
        text={
          looking.length === 0
            ? 'No mentions yet, and no tracker is active.'
            : isWaiting
              ? 'Looking now. The first mentions appear here in a minute.'
              : 'No mentions yet. Renown keeps looking, and new mentions appear here.'
        }
        action={<a href="/app/mentions/trackers">Trackers</a>}
        sample={<Line of={sample} />}
      />
      {looking.map((tracker) => (
        <Card
          key={tracker.id}
          title={
            <a href={`/app/mentions/tracker?${new URLSearchParams({ tracker: tracker.id })}`}>
              <bdi>{tracker.name}</bdi>
            </a>
          }
        >
          <LookList of={tracker.looks} />
        </Card>
      ))}
      {isWaiting && <div data-reload="10" />}
    </>
  )
}

function NoneFound({ data: { asked, searched_since } }: { readonly data: MentionsData }) {
  if (searched_since !== null) return <Older asked={asked} since={searched_since} />
  if (!isFiltered(asked)) {
    return (
      <Empty
        text="All done: no new mention waits for you."
        action={<a href={addressOf('state=any')}>Show all mentions</a>}
      />
    )
  }
  return (
    <Empty text="No mention matches these filters." action={<a href={mentionsPath}>Remove all filters</a>} />
  )
}

function Pager({
  data: { asked, next, searched_since },
  to,
}: {
  readonly data: MentionsData
  to(changes: Partial<MentionFilters>): string
}) {
  return (
    <div class="row">
      {asked.after !== '' && <a href={to({ after: '', mention: '' })}>First page</a>}
      {next !== null && <a href={to({ after: next, mention: '' })}>Next page</a>}
      {searched_since !== null && <Older asked={asked} since={searched_since} />}
      <Downloads
        of="mentions"
        query={searchOf(asked, { after: '', mention: '' })}
        label="all mentions of this list"
      />
    </div>
  )
}

const Older = ({ asked, since }: { readonly asked: MentionFilters; readonly since: string }) => (
  <p>
    Searched back to <Moment at={since} />.{' '}
    <a href={addressOf(searchOf(asked, { all: '1' }))}>Search all mentions</a>
  </p>
)

function Ignored({ of: ignored }: { readonly of: MentionsData['ignored'] }) {
  if (ignored.length === 0) return null
  return (
    <Notice tone="warn" title="Some filters were ignored">
      <ul>
        {ignored.map(({ name, value, accepted }) => (
          <li key={name}>
            <code>{name}</code> = <bdi>{value}</bdi>: {accepted}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
