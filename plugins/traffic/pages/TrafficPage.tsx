/** @jsxImportSource renown/web */
import {
  ButtonLink,
  Card,
  formatDay,
  formatNumber,
  Head,
  KeyHints,
  LiveArea,
  type LiveState,
  Moment,
  Notice,
  type PageProps,
  Row,
  useKeys,
  useLive,
} from 'renown/web'
import { type Asked, type IgnoredFilter, searchOf, spans } from '../sums/asked'
import type { TrafficData } from './loadTraffic'
import { Breakdowns, categories, readable } from './traffic-breakdowns'
import { Numbers } from './traffic-numbers'

/** The page of AI traffic: figures first, one chart, then operators, pages and referrers. */
export default function TrafficPage(props: PageProps<TrafficData>) {
  const { data, go, reload, isBusy, search } = props
  const { asked, earlier, later } = data
  const to = (changes: Partial<Asked>) => go(searchOf(asked, changes))
  useKeys({
    ...Object.fromEntries(spans.map(({ key, days }) => [key, () => to({ days, to: null })])),
    p: () => earlier && to(earlier),
    n: () => later && to(later),
    x: () => to({ compare: !asked.compare }),
  })
  const live = useLive<unknown>(`/app/events/traffic?${search}`, reload)
  return (
    <>
      <Head title="AI traffic">
        {data.site ? (
          <>
            What AI does with <bdi title={data.site.domain}>{data.site.name}</bdi>
          </>
        ) : (
          `What AI does with your ${data.sites.length || ''} sites`
        )}
      </Head>
      <Ignored filters={data.ignored} />
      {data.state === 'no_site' ? (
        <NoSite />
      ) : (
        <>
          <Tools {...props} />
          <Filters asked={asked} />
          {data.state === 'waiting' && <Waiting />}
          <div class={isBusy ? 'stack busy' : 'stack'} aria-busy={isBusy ? 'true' : undefined}>
            <Numbers data={data} />
            <Picture data={data} />
            <Breakdowns data={data} />
          </div>
          <Foot data={data} live={live} />
          {props.shortcuts && <KeyHints keys={keys} />}
        </>
      )}
    </>
  )
}

function Tools({ data, go, shortcuts }: PageProps<TrafficData>) {
  const { asked, earlier, later, sites, site, period, unfinished } = data
  return (
    <div class="tools">
      {sites.length > 1 && (
        <form method="get" action="/app/traffic" class="switch" aria-label="Site">
          <select
            name="site"
            aria-label="Site"
            onChange={(event) => go(searchOf(asked, { site: event.currentTarget.value || null }))}
          >
            {sites.length <= 20 && <option value="">All sites</option>}
            {sites.map(({ id, domain, name }) => (
              <option key={id} value={id} selected={id === site?.id} title={domain}>
                {name}
              </option>
            ))}
          </select>
          <noscript>
            <button type="submit" class="button plain">
              Show
            </button>
          </noscript>
        </form>
      )}
      <nav class="segments" aria-label="Period">
        {spans.map(({ key, days, label }) => (
          <a
            key={key}
            href={`?${searchOf(asked, { days })}`}
            aria-current={asked.days === days ? 'true' : undefined}
          >
            {label} {shortcuts && <kbd>{key}</kbd>}
          </a>
        ))}
      </nav>
      <nav class="segments" aria-label="Earlier and later">
        {earlier && (
          <a href={`?${searchOf(asked, earlier)}`}>
            <span aria-hidden="true">←</span>
            <span class="unseen">{`The ${asked.days} days before`}</span> {shortcuts && <kbd>p</kbd>}
          </a>
        )}
        {later && (
          <a href={`?${searchOf(asked, later)}`}>
            <span aria-hidden="true">→</span>
            <span class="unseen">{`The ${asked.days} days after`}</span> {shortcuts && <kbd>n</kbd>}
          </a>
        )}
      </nav>
      <a class="button plain" href={`?${searchOf(asked, { compare: !asked.compare })}`}>
        {asked.compare ? 'Hide comparison' : 'Compare'} {shortcuts && <kbd>x</kbd>}
      </a>
      <span class="hint">
        {period.date_from} to {period.date_to}
        {unfinished > 0 && ', so far'}
      </span>
    </div>
  )
}

/** Values of the address that the figures do not use, and what can be sent instead. */
function Ignored({ filters }: { readonly filters: readonly IgnoredFilter[] }) {
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

function Filters({ asked }: { readonly asked: Asked }) {
  const names = {
    page: asked.page === null ? null : readable(asked.page),
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
    <Card title="Crawler hits by what they are for" about={pictureAbout(data)}>
      <LiveArea
        label={`${formatNumber(crawled.now)} hits of AI crawlers by day and purpose, ${data.period.date_from} to ${data.period.date_to}.`}
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

const pictureAbout = ({ unknown_purpose: unknown }: TrafficData) =>
  unknown > 0
    ? `Not drawn: ${formatNumber(unknown)} ${unknown === 1 ? 'hit' : 'hits'} of unknown purpose. Each day keeps the 12 busiest pages of a purpose.`
    : undefined

const NoSite = () => (
  <Card title="No site yet">
    <p>There is no site in this workspace, so nothing is counted.</p>
    <Row>
      <ButtonLink href="/app/start" kind="primary">
        Set up a site
      </ButtonLink>
    </Row>
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
  lost: 'Connection lost. Reconnecting…',
}

const keys = [
  ...spans.map(({ key, label }) => [key, `Show ${label}`] as const),
  ['p', 'Show the period before'],
  ['n', 'Show the period after'],
  ['x', 'Show or hide the comparison'],
] as const

function Foot({ data, live }: { readonly data: TrafficData; readonly live: LiveState }) {
  const search = searchOf(data.asked)
  const query = search === '' ? '' : `?${search}`
  return (
    <section class="foot" aria-label="About these figures">
      <Row>
        <a href={`/app/data/traffic.csv${query}`} download>
          Download as CSV
        </a>
        <a href={`/app/data/traffic.json${query}`} download>
          Download as JSON
        </a>
        <span role="status">{liveWords[live]}</span>
      </Row>
      <ul>
        <li>
          Logs last sent a hit: <Moment at={data.last_log_at ?? undefined} />. The script last counted a
          visit: <Moment at={data.last_beacon_at ?? undefined} />.
        </li>
        <Since data={data} />
        {data.unfinished > 0 && <Unfinished data={data} />}
        <Lists lists={data.lists} />
        <li>
          Visits are “at least”: many apps send no referrer, and only pages with the script report visits.
        </li>
        <li>AI answers of Google Search look like its other links and are not counted.</li>
      </ul>
    </section>
  )
}

/** Why figures stand without a change. */
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
      {`${open.join(' and ')} ${open.length === 1 ? 'is' : 'are'} not over yet${timezone === null ? ' at every site' : ` in ${timezone}`}: changes compare the days before with the same days of the period before.`}
    </li>
  )
}

function Lists({ lists }: Pick<TrafficData, 'lists'>) {
  if (lists === null) return <li>A separate process keeps the address lists of operators.</li>
  if (lists.stale.length === 0) return <li>All {lists.fresh} address lists of operators are up to date.</li>
  return (
    <li>
      Address lists that are out of date: {lists.stale.join(', ')}. Their crawlers count as unchecked until
      they are.
    </li>
  )
}
