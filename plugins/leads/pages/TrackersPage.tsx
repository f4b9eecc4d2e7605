/** @jsxImportSource renown/web */
import { ButtonLink, Card, Empty, Head, Moment, type PageProps, StateWord, Table } from 'renown/web'
import { Subnav } from './subnav'
import type { ListedSource, ListedTracker, TrackersData } from './trackers-page'

const path = '/app/mentions/trackers'
const trackerHref = (id: string) => `/app/mentions/tracker?${new URLSearchParams({ tracker: id })}`

/** Shows the trackers of the workspace, and the sources that they can search. */
export default function TrackersPage({ data }: PageProps<TrackersData>) {
  const present = data.trackers.filter(({ state }) => state !== 'archived')
  const archived = data.trackers.filter(({ state }) => state === 'archived')
  const create = data.may_change && data.has_location && (
    <ButtonLink href="/app/mentions/tracker" kind="primary">
      Create a tracker
    </ButtonLink>
  )
  return (
    <>
      <Head title="Trackers" tools={data.trackers.length > 0 && create}>
        What Renown looks for in public posts.
      </Head>
      <Subnav path={path} />
      {data.trackers.length === 0 ? (
        <Empty text={emptyWords(data)} action={create || <a href="/app/locations">Locations</a>} />
      ) : (
        <Card title="Trackers">
          <Trackers of={present} />
        </Card>
      )}
      {archived.length > 0 && (
        <Card>
          <details>
            <summary>{`Archived trackers (${archived.length})`}</summary>
            <Trackers of={archived} />
          </details>
        </Card>
      )}
      <Sources of={data.sources} />
    </>
  )
}

function emptyWords({ may_change, has_location }: TrackersData): string {
  if (!may_change) return 'No tracker yet. Owners of the agency create trackers.'
  return has_location
    ? 'No tracker yet. Begin with the name of your business.'
    : 'Posts are searched for a location, and this workspace has none of its own yet.'
}

const states = {
  active: ['good', 'Active'],
  paused: ['plain', 'Paused'],
  archived: ['plain', 'Archived'],
} as const

const Trackers = ({ of: trackers }: { readonly of: readonly ListedTracker[] }) => (
  <Table
    label="Trackers"
    columns={['Tracker', 'Location', 'Keywords', 'State', 'Mentions', 'Last look']}
    rows={trackers.map((one) => [
      <a key="name" href={trackerHref(one.id)}>
        <bdi>{one.name}</bdi>
      </a>,
      <bdi key="location">{one.location}</bdi>,
      <span key="keywords" class="keywords-cell" title={one.keywords}>
        <bdi>{one.keywords}</bdi>
      </span>,
      <StateWord key="state" tone={states[one.state][0]}>
        {states[one.state][1]}
      </StateWord>,
      one.mentions,
      one.last_run_at === null ? (
        one.state === 'active' ? (
          'Looking now'
        ) : (
          'Never'
        )
      ) : (
        <Moment key="last" at={one.last_run_at} />
      ),
    ])}
    empty="No tracker is active or paused."
  />
)

const Sources = ({ of: sources }: { readonly of: readonly ListedSource[] }) => (
  <Card
    title="Sources"
    about="Where Renown can look. Settings are made by the operator of this installation."
  >
    <Table
      label="Sources"
      columns={['Source', 'State', 'Replies', 'Terms']}
      rows={[...sources]
        .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.label.localeCompare(b.label))
        .map((one) => [
          one.label,
          <StateOfSource key="state" of={one} />,
          one.may_reply ? 'By people' : 'Not allowed',
          <a key="terms" href={one.terms_url} rel="noopener noreferrer">
            Terms<span class="unseen"> of {one.label}</span>
          </a>,
        ])}
    />
  </Card>
)

const order: readonly ListedSource['state'][] = [
  'failing',
  'partly',
  'ready',
  'starts',
  'waits',
  'unused',
  'needs',
]

const words = {
  unused: 'Not used by a tracker',
  waits: 'Waits for posts',
  starts: 'Not read yet',
} as const

/** Says how a source is read. Only a reading that succeeded makes it ready. */
function StateOfSource({ of: { state, why } }: { readonly of: ListedSource }) {
  if (state === 'needs')
    return (
      <span>
        Needs <code>{why}</code>
      </span>
    )
  if (state === 'ready') return <StateWord tone="good">Ready</StateWord>
  if (state === 'failing' || state === 'partly')
    return (
      <>
        <StateWord tone={state === 'failing' ? 'bad' : 'warn'}>
          {state === 'failing' ? 'Failed' : 'Partly failed'}
        </StateWord>{' '}
        <bdi class="hint">{why}</bdi>
      </>
    )
  return <StateWord tone={state === 'starts' ? 'warn' : 'plain'}>{words[state]}</StateWord>
}
