/** @jsxImportSource renown/web */
import {
  Badge,
  Button,
  Card,
  Facts,
  Field,
  Form,
  formatCount,
  Head,
  Moment,
  Notice,
  type PageProps,
  Row,
  Select,
  Table,
  TextArea,
  Toast,
} from 'renown/web'
import { ForecastCard, PriceNotices } from './forecast-card'
import { TrackerState } from './TrackingPage'
import { BrandFields, EngineFields, textIn } from './tracker-fields'
import type { ShownPrompt, Suggested, TrackerData } from './tracker-page'

type Props = PageProps<TrackerData>

/** One tracker: what it asks, whom, and for how much. */
export default function TrackerPage(props: Props) {
  const { data, outcome } = props
  return (
    <>
      <Head title={data.name}>
        <a href="/app/visibility/setup">All trackers</a> ·{' '}
        <a href={`/app/visibility?${new URLSearchParams({ tracker: data.id })}`}>Its answers</a>
      </Head>
      {props.notice !== null && <Toast text={props.notice} />}
      {outcome?.ok === false && (
        <Notice tone="bad" title="Nothing was changed">
          {outcome.fault}
        </Notice>
      )}
      <State {...props} />
      <Forecasts data={data} />
      <Prompts {...props} />
      {data.may_change ? <Settings {...props} /> : <Kept {...data} />}
    </>
  )
}

const hiddenOf = ({ id }: Pick<TrackerData, 'id'>) => ({
  tracker: id,
  id,
  back: `/app/visibility/tracker?tracker=${encodeURIComponent(id)}`,
})

function State({ data, path, csrf }: Props) {
  const act = (action: string, words: string, kind: 'plain' | 'quiet' = 'plain') => (
    <Form action={`${path}/${action}`} csrf={csrf} hidden={hiddenOf(data)} inline>
      <Button kind={kind}>{words}</Button>
    </Form>
  )
  return (
    <Card>
      <Facts
        of={[
          ['State', <TrackerState key="state" {...data} />],
          [
            'Last attempt',
            data.last ? (
              <span key="last">
                {data.last.words}, <Moment at={data.last.at} />
              </span>
            ) : (
              'None yet'
            ),
          ],
        ]}
      />
      {data.error_samples.length > 0 && (
        <ul>
          {data.error_samples.map((sample) => (
            <li key={sample}>
              <bdi>{sample}</bdi>
            </li>
          ))}
        </ul>
      )}
      <Row>
        {data.may_change && data.is_active && act('run', "Ask today's questions now")}
        {data.may_change && (data.is_active ? act('pause', 'Pause') : act('resume', 'Resume'))}
      </Row>
    </Card>
  )
}

function Forecasts({ data: { forecast, prompts, form, unpriced } }: { readonly data: TrackerData }) {
  const active = prompts.filter(({ is_active }) => is_active).length
  const price =
    forecast.usd_basis === 'measured'
      ? `An answer cost $${forecast.usd_per_answer.toFixed(3)} on average in the last 30 days.`
      : 'The price of an answer is an average of the assistants.'
  return (
    <>
      <PriceNotices of={unpriced} />
      <ForecastCard
        forecast={forecast}
        days={forecast.days}
        basket={`${formatCount(active, 'active prompt')}, ${formatCount(forecast.cells, 'question')} every ${
          form.every_days === '1' ? 'day' : `${form.every_days} days`
        }.`}
        price={price}
      />
    </>
  )
}

function Prompts(props: Props) {
  const { data, path, csrf, outcome } = props
  const failed = outcome?.action === 'add' && !outcome.ok ? outcome : null
  const shown = outcome?.ok ? (outcome.shown as Suggested | undefined) : undefined
  return (
    <Card title="Prompts" id="prompts" about="Prompts that name the brand stay out of the headline rate.">
      <Table
        label="Prompts"
        columns={['Prompt', 'Country', 'Last asked', 'State', ...(data.may_change ? ['Change'] : [])]}
        rows={data.prompts.map((one) => [
          <span key="text">
            <bdi lang={one.lang}>{one.text}</bdi> {one.is_branded && <Badge>names the brand</Badge>}
          </span>,
          one.country,
          <Moment key="at" at={one.last_run_at ?? undefined} />,
          <Badge key="state" tone={one.is_active ? 'good' : 'plain'}>
            {one.is_active ? 'Active' : 'Paused'}
          </Badge>,
          ...(data.may_change ? [<PromptForm key="act" prompt={one} {...props} />] : []),
        ])}
        empty="No prompts yet. Nothing is asked."
      />
      {data.may_change && (
        <>
          <Form action={`${path}/add`} csrf={csrf} hidden={hiddenOf(data)} label="Add prompts">
            <TextArea
              name="text"
              label="Add prompts"
              hint="One on each line, as your customers would ask."
              value={textIn(failed?.values ?? {}, 'text') || (shown?.suggestions.join('\n') ?? '')}
              error={failed?.faults?.text}
              rows={3}
            />
            {shown && shown.suggestions.length > 0 && (
              <p class="hint">
                {`With ${formatCount(shown.suggestions.length, 'suggested prompt')}, 30 days cost about $${shown.usd_then.toFixed(2)} instead of $${shown.usd_now.toFixed(2)}, if no limit or rule stops earlier. Remove those that you do not want.`}
              </p>
            )}
            <Row>
              <Button kind="plain">Add prompts</Button>
            </Row>
          </Form>
          {shown ? (
            shown.suggestions.length === 0 && (
              <p class="hint">
                There is nothing more to suggest. Suggestions need the city of the location, and its category
                or services.
              </p>
            )
          ) : (
            <Form action={`${path}/suggest`} csrf={csrf} hidden={hiddenOf(data)} label="Suggest prompts">
              <Button kind="quiet">Suggest prompts</Button>
            </Form>
          )}
        </>
      )}
    </Card>
  )
}

function PromptForm({ prompt, data, path, csrf }: Props & { readonly prompt: ShownPrompt }) {
  const about = <span class="unseen"> {prompt.text}</span>
  const hidden = { tracker: data.id, id: data.id, prompt_id: prompt.id }
  return (
    <Form
      action={`${path}/${prompt.is_active ? 'pause' : 'resume'}-prompt`}
      csrf={csrf}
      hidden={hidden}
      inline
    >
      {prompt.is_active ? (
        <Button kind="quiet">Pause{about}</Button>
      ) : (
        <>
          <Button kind="quiet">Resume{about}</Button>
          <Button kind="danger" action={`${path}/remove-prompt`}>
            Delete{about}
          </Button>
        </>
      )}
    </Form>
  )
}

const everyDays = ['1', '2', '3', '7', '14', '30'].map(
  (days) => [days, days === '1' ? 'Every day' : `Every ${days} days`] as const,
)
const stops = [
  ...['3', '4', '5', '7', '10'].map((points) => [points, `Known to ± ${points} points`] as const),
  ['never', 'Never: ask every time'] as const,
]

function Settings({ data, path, csrf, outcome }: Props) {
  const failed = outcome?.action === 'save' && !outcome.ok ? outcome : null
  const values = failed?.values ?? data.form
  const faults = failed?.faults ?? {}
  const text = (name: string) => textIn(values, name)
  return (
    <Form
      action={`${path}/save`}
      csrf={csrf}
      hidden={{ ...hiddenOf(data), seen: data.seen }}
      label="Settings of the tracker"
    >
      <Card
        title="Brand"
        about="Answers are searched for these names. If you change them, Renown searches the stored answers again."
      >
        <Field
          name="name"
          label="Name of the tracker"
          value={text('name')}
          error={faults.name}
          maxlength={120}
        />
        <BrandFields values={values} faults={faults} />
      </Card>
      <Card title="Assistants and countries">
        <EngineFields values={values} faults={faults} engines={data.engines} />
        <Field
          name="countries"
          label="Countries to ask from"
          hint="Codes such as GB, IE. Each prompt is asked from each. Empty: each prompt has its own."
          value={text('countries')}
          error={faults.countries}
          optional
        />
      </Card>
      <Card title="Limits">
        <Select
          name="every_days"
          label="Ask"
          options={withOwn(everyDays, text('every_days'), 'days')}
          value={text('every_days')}
          error={faults.every_days}
        />
        <Select
          name="stop_at"
          label="Stop for the rest of the month when the rate is"
          options={withOwn(stops, text('stop_at'), 'points')}
          value={text('stop_at')}
          error={faults.stop_at}
        />
        <Field
          name="usd_per_month"
          label="Most US dollars in a month"
          hint="Leave it empty for no limit."
          value={text('usd_per_month')}
          error={faults.usd_per_month}
          optional
        />
        <Field
          name="searches_per_day"
          label="Most searches in a day"
          hint="Leave it empty for the limit of the installation."
          value={text('searches_per_day')}
          error={faults.searches_per_day}
          inputmode="numeric"
          optional
        />
      </Card>
      <Row>
        <Button>Save the tracker</Button>
      </Row>
    </Form>
  )
}

/** The settings as a member sees them, and in a demo. */
function Kept({ form, engines }: TrackerData) {
  const text = (name: string) => textIn(form, name) || 'None'
  const lines = (name: string) => text(name).split('\n').join('; ')
  const labels = [form.engines ?? []]
    .flat()
    .map((id) => engines.find(({ engine }) => engine === id)?.label ?? id)
  return (
    <Card title="Settings" about="Owners of the agency change trackers. A demo stays as it is.">
      <Facts
        of={[
          ['Brand', <bdi key="brand">{text('brand_name')}</bdi>],
          ['Other names', <bdi key="aliases">{lines('aliases')}</bdi>],
          ['Domain', text('brand_domain')],
          ['Competitors', <bdi key="competitors">{lines('competitors')}</bdi>],
          ['Assistants', labels.join(', ')],
          ['Countries', textIn(form, 'countries') || "Each prompt's own"],
          ['US dollars a month', textIn(form, 'usd_per_month') || 'No limit'],
        ]}
      />
    </Card>
  )
}

/** Adds the present value to the options if it is none of them, so that saving does not change it. */
const withOwn = (options: readonly (readonly [string, string])[], own: string, unit: string) =>
  options.some(([value]) => value === own) ? options : [[own, `${own} ${unit}`] as const, ...options]
