/** @jsxImportSource renown/web */
import type { IgnoredValue } from 'renown'
import {
  ButtonLink,
  Card,
  Copyable,
  formatCount,
  formatDay,
  formatNumber,
  Head,
  KeyHints,
  LiveBars,
  LiveNotice,
  type LiveState,
  Moment,
  Notice,
  type PageProps,
  Row,
  readablePath,
  useKeys,
  useLive,
} from 'renown/web'
import { lastDays, searchOf, spans, type TrafficFilters } from '../sums/traffic-filters'
import { Breakdowns, WholeList } from './traffic-breakdowns'
import { callOf, mcpCall, restCall } from './traffic-calls'
import { Controls, daysInWords } from './traffic-controls'
import type { TrafficData } from './traffic-data'
import { Numbers } from './traffic-numbers'
import { categories } from './traffic-words'

/**
 * Shows the figures, one chart, and then operators, pages and referrers. Or shows one of these lists in full.
 */
export default function TrafficPage(props: PageProps<TrafficData>) {
  const { data, go, reload, isBusy, search, path } = props
  const { asked, earlier, later } = data
  const to = (changes: Partial<TrafficFilters>) => go(searchOf(asked, changes))
  useKeys({
    ...Object.fromEntries(spans.map(({ key, days }) => [key, () => to(lastDays(days))])),
    p: () => earlier && to(earlier),
    n: () => later && to(later),
    x: () => to({ compare: !asked.compare }),
  })
  const live = useLive<unknown>(`/app/events/traffic?${search}`, reload, reload)
  return (
    <>
      <Head title="AI traffic" tools={data.state === 'no_site' ? undefined : <Controls {...props} />}>
        <About data={data} />
      </Head>
      <LiveNotice state={live} />
      <Ignored filters={data.ignored} />
      {data.state === 'no_site' ? (
        <NoSite mayCreate={data.may_create} />
      ) : (
        <>
          <Filters asked={asked} />
          {data.state === 'waiting' && <Waiting />}
          <div class={isBusy ? 'stack busy' : 'stack'} aria-busy={isBusy ? 'true' : undefined}>
            {asked.list === null ? (
              <>
                <Numbers data={data} />
                <Picture data={data} />
                <Access asked={asked} />
                <Breakdowns data={data} path={path} />
              </>
            ) : (
              <>
                <a href={`?${searchOf(asked, { list: null, find: null })}`}>← All figures</a>
                <WholeList list={asked.list} data={data} path={path} />
              </>
            )}
          </div>
          <Ask {...props} />
          <Foot data={data} live={live} />
          {props.shortcuts && <KeyHints keys={keys} />}
        </>
      )}
    </>
  )
}

/** Shows the sites and the days of the figures. */
function About({ data: { site, sites, period, unfinished } }: { readonly data: TrafficData }) {
  if (sites.length === 0) return <>What AI does with your sites</>
  return (
    <>
      {site ? <bdi title={site.domain}>{site.name}</bdi> : `All ${sites.length} sites`}
      {`, ${daysInWords(period)}${unfinished > 0 ? ', so far' : ''}`}
    </>
  )
}

/** Shows the same query as a call for an agent or a program. */
function Ask({ data, workspace }: PageProps<TrafficData>) {
  const call = callOf(data)
  return (
    <details class="card fold">
      <summary>Ask your agent, or get these figures over the API</summary>
      <div class="stack">
        <p>
          {`An agent answers “${questionOf(data)}” with this call. `}
          {call.note}
        </p>
        <Copyable label="the call over MCP" value={mcpCall(call, workspace.id)} />
        <p>The same over REST:</p>
        <Copyable label="the call over REST" value={restCall(call, workspace.id, data.api_url)} />
      </div>
    </details>
  )
}

function questionOf({ asked, period, site }: TrafficData): string {
  const where = site ? site.name : 'our sites'
  const what =
    asked.list === 'pages' || asked.page !== null
      ? `Which pages of ${where} did AI crawlers fetch`
      : asked.list === 'landing'
        ? `On which pages of ${where} did visits from assistants begin`
        : `What did AI crawlers and assistants do on ${where}`
  return `${what} from ${formatDay(period.date_from)} to ${formatDay(period.date_to)}?`
}

/** Shows values in the address that were ignored, and the accepted values. */
function Ignored({ filters }: { readonly filters: readonly IgnoredValue[] }) {
  if (filters.length === 0) return null
  return (
    <Notice tone="warn" title="Some filters were ignored">
      <ul>
        {filters.map(({ name, value, accepted }, place) => (
          <li key={place}>
            <code>{name}</code> = <bdi>{value}</bdi>: {accepted}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function Filters({ asked }: { readonly asked: TrafficFilters }) {
  const names = {
    page: asked.page === null ? null : readablePath(asked.page),
    category: categories[asked.category ?? '']?.name ?? asked.category,
    operator: asked.operator,
    agent: asked.agent,
  }
  const set = Object.entries(names).filter(
    (entry): entry is [keyof typeof names, string] => entry[1] !== null,
  )
  if (set.length === 0) return null
  return (
    <nav class="chips" aria-label="Filters">
      {set.map(([name, value]) => (
        <a key={name} class="chip" href={`?${searchOf(asked, { [name]: null })}`}>
          <span>
            {name === 'category' ? 'purpose' : name}: <bdi>{value}</bdi>
          </span>
          <span aria-hidden="true">✕</span>
          <span class="unseen">: remove this filter</span>
        </a>
      ))}
    </nav>
  )
}

function Picture({ data }: { readonly data: TrafficData }) {
  const series = Object.entries(categories).map(([key, { name, colour }]) => ({
    name,
    colour,
    values: data.by_category[key as keyof TrafficData['by_category']],
  }))
  const { crawled } = data.figures
  return (
    <Card title="Crawler hits by purpose" about={pictureAbout(data)}>
      <LiveBars
        label={`${formatNumber(crawled.now)} hits of AI crawlers by day and purpose, ${formatDay(data.period.date_from)} to ${formatDay(data.period.date_to)}.`}
        unit="Crawler hits"
        days={data.days}
        unfinished={data.unfinished}
        series={series}
        before={data.asked.compare ? (data.before ?? undefined) : undefined}
        height={260}
      />
    </Card>
  )
}

const Access = ({ asked: { site } }: Pick<TrafficData, 'asked'>) => (
  <p>
    <a href={`/app/traffic/access${site === null ? '' : `?site=${site}`}`}>Crawler access</a>: what robots.txt
    allows, errors that crawlers got, and pages that none fetched.
  </p>
)

const pictureAbout = ({ unknown_purpose: unknown }: TrafficData) =>
  unknown > 0
    ? `Not drawn: ${formatCount(unknown, 'hit')} of unknown purpose. Each day keeps the 12 busiest pages of a purpose.`
    : undefined

const NoSite = ({ mayCreate }: { readonly mayCreate: boolean }) => (
  <Card title="No site yet">
    <p>
      There is no site in this workspace, so nothing is counted.
      {!mayCreate && ' An owner creates the first one.'}
    </p>
    {mayCreate && (
      <Row>
        <ButtonLink href="/app/sites" kind="primary">
          Create a site
        </ButtonLink>
      </Row>
    )}
  </Card>
)

const Waiting = () => (
  <Notice tone="warn" title="No data yet">
    Nothing has arrived from this site yet. The zeros below mean that it is not being counted, not that nobody
    came. <a href="/app/install">Install the tag</a> and check that it works.
  </Notice>
)

const liveWords: Readonly<Record<LiveState, string>> = {
  connecting: '',
  live: 'Live: changes appear automatically.',
  lost: 'Not live: see the notice above.',
}

const keys = [
  ...spans.map(({ key, label }) => [key, `Show ${label === 'Today' ? 'today' : label}`] as const),
  ['p', 'Show the previous period'],
  ['n', 'Show the next period'],
  ['x', 'Show or hide the comparison'],
] as const

function Foot({ data, live }: { readonly data: TrafficData; readonly live: LiveState }) {
  const search = searchOf(data.asked, { list: null, find: null })
  const query = search === '' ? '' : `?${search}`
  return (
    <section class="foot" aria-label="About these figures">
      <Row>
        {['csv', 'xlsx', 'json'].map((ending) => (
          <a key={ending} href={`/app/data/traffic.${ending}${query}`} download>
            {ending === 'xlsx' ? 'Excel' : ending.toUpperCase()}
          </a>
        ))}
        <span>{liveWords[live]}</span>
      </Row>
      <ul>
        <li>
          Logs last sent a hit: <Moment at={data.last_log_at ?? undefined} />. The script last counted a
          visit: <Moment at={data.last_beacon_at ?? undefined} />.
        </li>
        <Since data={data} />
        {data.unfinished > 0 && <Unfinished data={data} />}
        <Ranges ranges={data.ranges} />
        <li>
          Visits are “at least”: many apps send no referrer, and only pages with the script report visits.
        </li>
        <li>AI answers of Google Search look like its other links and are not counted.</li>
      </ul>
    </section>
  )
}

/** Explains why figures have no change. */
function Since({ data: { figures, since } }: { readonly data: TrafficData }) {
  const of = [
    ...(figures.crawled.before === null && since.hits
      ? [`crawler hits began on ${formatDay(since.hits)}`]
      : []),
    ...(figures.visits?.before === null && since.visits
      ? [`visits began on ${formatDay(since.visits)}`]
      : []),
  ]
  if (of.length === 0) return null
  return (
    <li>{`Counting of ${of.join(' and of ')}. Changes appear when the whole previous period was counted too.`}</li>
  )
}

function Unfinished({ data: { days, unfinished, timezone } }: { readonly data: TrafficData }) {
  const open = days.slice(-unfinished).map((day) => formatDay(day))
  return (
    <li>
      {`${open.join(' and ')} ${open.length === 1 ? 'is' : 'are'} not over yet${timezone === null ? ' at every site' : ` in ${timezone}`}: changes compare the earlier days with the same days of the previous period.`}
    </li>
  )
}

function Ranges({ ranges }: Pick<TrafficData, 'ranges'>) {
  if (ranges === null) return <li>A separate process fetches the address lists of operators.</li>
  if (ranges.stale.length === 0) return <li>All {ranges.fresh} address lists of operators are up to date.</li>
  return (
    <li>
      Address lists that are out of date: {ranges.stale.join(', ')}. Their crawlers count as unchecked until
      they are.
    </li>
  )
}
