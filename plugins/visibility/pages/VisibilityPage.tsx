/** @jsxImportSource renown/web */
import {
  ButtonLink,
  Card,
  DateRange,
  Downloads,
  Filters,
  formatPeriod,
  Head,
  IgnoredValues,
  Notice,
  type PageProps,
  Row,
} from 'renown/web'
import { AskAgent } from './ask-agent'
import { CertaintyCard, Definitions } from './certainty-card'
import { emptyWords } from './empty-words'
import { CountryTable, EngineTable, TrackerTable } from './engine-table'
import { Headline } from './headline'
import { Competitors, Sources } from './named-cards'
import { Losses, PromptGrid } from './prompt-grid'
import { TrendCard } from './trend-chart'
import { callsOf } from './visibility-calls'
import type { VisibilityData } from './visibility-data'
import { searchOf, spans, valuesOf } from './visibility-filters'

type Props = PageProps<VisibilityData>

/** The page of AI visibility: how often assistants name the business, how sure that is, and where it loses. */
export default function VisibilityPage(props: Props) {
  const { data, workspace } = props
  return (
    <>
      <Head title="AI visibility" tools={<SetUp data={data} />}>
        <About data={data} />
      </Head>
      {data.trackers.length > 0 && <Controls {...props} />}
      <IgnoredValues of={data.ignored} />
      {data.is_recorded && data.empty_because === null && (
        <Notice title={workspace.is_demo ? 'Demo data' : 'Recorded answers'}>
          {workspace.is_demo
            ? 'The answers on this page are made up. No assistant was asked.'
            : 'The answers on this page come from a file. No assistant was asked.'}
        </Notice>
      )}
      {data.empty_because === null ? <Figures {...props} /> : <Nothing data={data} />}
      <AskAgent
        calls={data.empty_because === 'no_tracker' ? [setUpCall] : callsOf(data)}
        workspaceId={workspace.id}
        apiUrl={data.api_url}
      />
      {data.empty_because === null && (
        <Row>
          <span>Prompts:</span>
          <Downloads of="visibility" query={searchOf(data.filters)} label="the prompts" />
        </Row>
      )}
    </>
  )
}

const Figures = ({ data }: Props) => (
  <>
    <Headline {...data} />
    <TrackerTable data={data} hrefOf={(tracker) => `?${searchOf(data.filters, { tracker, location: '' })}`} />
    <TrendCard {...data} />
    <EngineTable data={data} />
    <CountryTable data={data} />
    <Losses data={data} />
    <PromptGrid data={data} />
    <Competitors data={data} />
    <Sources data={data} />
    <CertaintyCard data={data} />
    <Definitions data={data} />
  </>
)

/** Why there are no figures, and what to do. Engines that cannot be asked are named. */
function Nothing({ data }: { readonly data: VisibilityData }) {
  if (data.empty_because === null) return null
  const { why, what } = emptyWords[data.empty_because]
  return (
    <>
      <Card title={why}>
        <p>{what}</p>
        {data.empty_because !== 'no_tracker' && (
          <Row>
            <ButtonLink href="/app/visibility">Remove all filters</ButtonLink>
          </Row>
        )}
      </Card>
      {data.by_engine.length > 0 && <EngineTable data={data} />}
      {data.trackers.length > 0 && <CertaintyCard data={data} />}
    </>
  )
}

const setUpCall = {
  question: 'Which questions would you ask AI assistants about us, and what would they cost?',
  operation: 'setupVisibilityTracking',
  input: { location_id: 'loc_…', dry_run: true },
}

/** The page on which trackers are begun and changed. */
function SetUp({ data: { tracker, trackers, may_set_up } }: { readonly data: VisibilityData }) {
  if (trackers.length === 0)
    return may_set_up ? (
      <ButtonLink href="/app/visibility/setup" kind="primary">
        Set up tracking
      </ButtonLink>
    ) : null
  const one = tracker && `/app/visibility/tracker?${new URLSearchParams({ tracker: tracker.id })}`
  return <ButtonLink href={one ?? '/app/visibility/setup'}>{one ? 'Tracker' : 'Trackers'}</ButtonLink>
}

function About({ data: { tracker, trackers, period } }: { readonly data: VisibilityData }) {
  if (trackers.length === 0) return <>What AI assistants answer about you</>
  return (
    <>
      {tracker ? <bdi>{tracker.brand_name}</bdi> : `${trackers.length} trackers`}
      {`, ${formatPeriod(period)}`}
    </>
  )
}

function Controls({ data, path }: Props) {
  const { filters, period, today, trackers, engine_names, country_names } = data
  const { days: _days, from: _from, to: _to, ...kept } = valuesOf(filters)
  const { from, to, days, location } = valuesOf(filters)
  const time = { ...(days ? { days } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) }
  return (
    <div class="stack">
      <DateRange
        action={path}
        from={period.date_from}
        to={period.date_to}
        max={today}
        keep={kept}
        presets={spans.map((span) => ({
          label: `${span} days`,
          href: `?${searchOf(filters, { days: span, from: '', to: '' })}`,
          isCurrent: filters.from === '' && filters.days === span,
        }))}
      />
      <Filters
        action={path}
        label="Filter the answers"
        keep={{ ...time, ...(location ? { location } : {}) }}
        filters={[
          ...(trackers.length > 1
            ? [
                {
                  name: 'tracker',
                  label: 'Tracker',
                  value: filters.tracker,
                  options: trackers.map(({ id, name }) => [id, name] as const),
                },
              ]
            : []),
          { name: 'engine', label: 'Assistant', value: filters.engine, options: engine_names },
          ...(country_names.length > 1
            ? [{ name: 'country', label: 'Country', value: filters.country, options: country_names }]
            : []),
        ]}
      />
    </div>
  )
}
