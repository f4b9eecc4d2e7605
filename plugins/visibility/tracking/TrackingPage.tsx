/** @jsxImportSource renown/web */
import {
  Button,
  ButtonLink,
  Card,
  Field,
  Form,
  formatCount,
  formatDay,
  Head,
  Moment,
  Notice,
  type PageProps,
  Row,
  Select,
  StateWord,
  Table,
  TextArea,
} from 'renown/web'
import { ForecastCard, PriceNotices } from './forecast-card'
import { BrandFields, EngineFields, textIn } from './tracker-fields'
import type { NewTracker, ShownPlan, ShownTracker, TrackingData } from './tracking-page'

type Props = PageProps<TrackingData>

/** The trackers of a workspace, and the form that begins one. */
export default function TrackingPage(props: Props) {
  const { data, outcome } = props
  const shown = outcome?.ok ? (outcome.shown as { form: NewTracker; plan: ShownPlan } | undefined) : undefined
  const failed = outcome && !outcome.ok ? outcome : null
  const form = shown?.form ?? data.form
  const plan = failed ? null : (shown?.plan ?? data.plan)
  return (
    <>
      <Head title="Tracking">
        Which questions Renown asks AI assistants about your business.{' '}
        <a href="/app/visibility">The answers</a>
      </Head>
      {props.notice !== null && <Notice tone="good">{props.notice}</Notice>}
      <Trackers trackers={data.trackers} />
      {data.may_change ? (
        <>
          {(form || failed) && plan && <Plan plan={plan} />}
          {form || failed ? (
            <Begin {...props} values={failed?.values ?? fieldsOf(form)} faults={failed?.faults ?? {}} />
          ) : (
            <Choose {...props} />
          )}
        </>
      ) : (
        <p class="hint">Owners of the agency begin and change tracking. A demo stays as it is.</p>
      )}
    </>
  )
}

const fieldsOf = (form: NewTracker | null): Readonly<Record<string, string | readonly string[]>> =>
  form === null ? {} : { ...form }

function Trackers({ trackers }: { readonly trackers: readonly ShownTracker[] }) {
  if (trackers.length === 0) return null
  return (
    <Card title="Trackers">
      <Table
        label="Trackers"
        columns={['Tracker', 'Location', 'State', 'Prompts', 'This month', 'Last attempt']}
        numeric={['Prompts', 'This month']}
        rows={trackers.map((one) => [
          <a key="name" href={`/app/visibility/tracker?${new URLSearchParams({ tracker: one.id })}`}>
            <bdi>{one.name}</bdi>
          </a>,
          <bdi key="location">{one.location}</bdi>,
          <TrackerState key="state" {...one} />,
          String(one.prompts),
          `$${one.usd_this_month.toFixed(2)}${one.usd_per_month === null ? '' : ` of $${one.usd_per_month}`}`,
          one.last ? (
            <span key="last">
              {one.last.words}, <Moment at={one.last.at} />
            </span>
          ) : (
            'None yet'
          ),
        ])}
        empty="No tracker yet."
      />
    </Card>
  )
}

/** Whether a tracker asks. */
export function TrackerState({
  is_active,
  sure_until,
  last,
}: Pick<ShownTracker, 'is_active' | 'sure_until' | 'last'>) {
  if (!is_active) return <StateWord>Paused</StateWord>
  if (sure_until !== null) return <StateWord tone="good">Sure until {formatDay(sure_until)}</StateWord>
  if (last?.is_bad) return <StateWord tone="warn">Active, with faults</StateWord>
  return <StateWord tone="good">Active</StateWord>
}

function Choose({ data, path }: Props) {
  if (data.locations.length === 0) {
    return data.trackers.length > 0 ? null : (
      <Card title="Create a location first">
        <p>
          AI assistants are asked about a location. This workspace has none of its own.{' '}
          <a href="/app/locations">Locations</a>
        </p>
      </Card>
    )
  }
  return (
    <Card title="Track another location" id="new">
      <form method="get" action={path} class="choice" aria-label="Choose a location">
        <Select
          name="location"
          label="Location"
          options={data.locations.map(({ id, name }) => [id, name] as const)}
        />
        <Button kind="plain">Continue</Button>
      </form>
    </Card>
  )
}

function Plan({ plan }: { readonly plan: ShownPlan }) {
  const { forecast, prompts, branded, engines, unavailable, unpriced } = plan
  return (
    <>
      <ForecastCard
        forecast={forecast}
        days={30}
        basket={`${formatCount(prompts, 'prompt')} × ${formatCount(engines, 'assistant')}, once a day${
          branded > 0 ? `. ${branded} of the prompts name the brand and stay out of the headline rate` : ''
        }.`}
        price="The price of an answer is an average of the assistants."
      />
      {unavailable.map(({ label, needs }) => (
        <Notice key={label} tone="warn" title={`${label} cannot be asked yet`}>
          Set {needs.join(' and ')} where Renown runs. Until then, {label} costs nothing and has no rate.
        </Notice>
      ))}
      <PriceNotices of={unpriced} />
    </>
  )
}

type Values = Readonly<Record<string, string | readonly string[]>>

function Begin({
  data,
  path,
  csrf,
  outcome,
  values,
  faults,
}: Props & { readonly values: Values; readonly faults: Readonly<Record<string, string>> }) {
  const location = textIn(values, 'location_id')
  const name = data.locations.find(({ id }) => id === location)?.name ?? 'this location'
  return (
    <Form action={`${path}/begin`} csrf={csrf} hidden={{ location_id: location }} label="Begin to track">
      {outcome?.ok === false && (
        <Notice tone="bad" title="Tracking was not begun">
          {outcome.fault}
        </Notice>
      )}
      <Card
        title={
          <>
            Brand of <bdi>{name}</bdi>
          </>
        }
        about="Answers are searched for these names."
      >
        <BrandFields values={values} faults={faults} />
      </Card>
      <Card title="Questions" about="Ask as your customers would ask, without the name of your business.">
        {textIn(values, 'prompts') === '' && (
          <Notice title="No prompt could be suggested">
            Suggestions need the city of the location, and its category or services.{' '}
            <a href={`/app/locations/one?${new URLSearchParams({ location })}`}>Add them to its profile</a>,
            or type your own prompts.
          </Notice>
        )}
        <TextArea
          name="prompts"
          label="Prompts"
          hint="One on each line. Each is asked once a day."
          value={textIn(values, 'prompts')}
          error={faults.prompts}
          rows={7}
        />
        <CountryField data={data} values={values} faults={faults} />
      </Card>
      <Card title="Assistants and budget">
        <EngineFields values={values} faults={faults} engines={data.engines} />
        <Field
          name="usd_per_month"
          label="Most US dollars in a month"
          hint="Renown stops for the month when they are spent. Leave it empty for no limit."
          value={textIn(values, 'usd_per_month')}
          error={faults.usd_per_month}
          optional
        />
      </Card>
      <Row>
        <Button>Begin to track</Button>
        <Button kind="plain" action={`${path}/forecast`}>
          Update the forecast
        </Button>
        <ButtonLink href={path} kind="quiet">
          Cancel
        </ButtonLink>
      </Row>
    </Form>
  )
}

function CountryField({
  data,
  values,
  faults,
}: {
  readonly data: TrackingData
  readonly values: Values
  readonly faults: Readonly<Record<string, string>>
}) {
  const country = textIn(values, 'country')
  if (data.countries.length === 0)
    return <Field name="country" label="Country to ask from" value={country} error={faults.country} />
  return (
    <Select
      name="country"
      label="Country to ask from"
      options={country === '' ? [['', 'Choose a country'] as const, ...data.countries] : data.countries}
      value={country}
      {...(country === '' ? { hint: 'The location does not say in which country it is.' } : {})}
      error={faults.country}
    />
  )
}
