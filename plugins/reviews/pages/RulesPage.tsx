/** @jsxImportSource renown/web */
import {
  Badge,
  Button,
  Card,
  Checkbox,
  Field,
  Form,
  formatCount,
  Head,
  Notice,
  type PageProps,
  Row,
  Select,
  Table,
  Toast,
} from 'renown/web'
import type { RulesData, ShownRules } from './rules-page'
import { Subnav } from './subnav'

const path = '/app/reviews/rules'

/** Shows which reviews are answered automatically, when and how. */
export default function RulesPage(props: PageProps<RulesData>) {
  const { data } = props
  return (
    <>
      <Head title="Reply rules">
        Which reviews Renown answers automatically. The rules apply to all workspaces of your agency.
      </Head>
      <Subnav path={path} />
      {props.notice !== null && <Toast text={props.notice} />}
      {data.is_new && (
        <Notice title="No rules yet">Renown sends no automatic replies until you switch them on.</Notice>
      )}
      {data.may_change ? (
        <RulesForm {...props} />
      ) : (
        <Notice>Only owners of the agency can change these rules.</Notice>
      )}
      {data.may_change && !data.is_new && <LowStars {...props} />}
      <Card title="Locations" about="Turn automatic replies on for each location on its page.">
        <Table
          label="Locations"
          columns={['Location', 'Automatic replies']}
          rows={data.locations.map(({ id, name, is_on }) => [
            <a key="name" href={`/app/locations/one?${new URLSearchParams({ location: id })}`}>
              <bdi>{name}</bdi>
            </a>,
            <Badge key="state" tone={is_on ? 'good' : 'plain'}>
              {is_on ? 'On' : 'Off'}
            </Badge>,
          ])}
          empty="No locations yet."
        />
      </Card>
      <Card title="What is never answered automatically">
        <ul>
          <li>Reviews that mention an injury, an illness, the police, the law, discrimination or a child.</li>
          <li>Flagged reviews, answered ones, and those whose language Renown does not know.</li>
          <li>Reviews of 1 to 3 stars with words, unless an owner allows it above.</li>
          <li>Any text that promises something, or contains a link or a price.</li>
          <li>Reviews for which the language model says that a person should answer.</li>
          <li>Texts of the language model in which its second look finds anything made up.</li>
        </ul>
      </Card>
    </>
  )
}

/** Says what it means to answer complaints without a person, and lets an owner choose it. */
function LowStars({ data, csrf, outcome }: PageProps<RulesData>) {
  const failed = outcome?.ok === false && outcome.action === 'allow' ? outcome : null
  const isAllowed = data.rules.low_stars_allowed
  return (
    <Card
      title="Reviews of 1 to 3 stars"
      about={
        isAllowed
          ? 'Renown may answer them without a person.'
          : 'A person answers them if they have words, whichever ratings you chose above.'
      }
    >
      <p>{data.low_stars_meaning}</p>
      {isAllowed ? (
        <Form action={`${path}/stop`} csrf={csrf} label="Let a person answer">
          <Button kind="plain">Let a person answer them</Button>
        </Form>
      ) : (
        <Form action={`${path}/allow`} csrf={csrf} label="Answer without a person">
          <Checkbox
            name="sure"
            label="I read what this means"
            error={failed?.faults?.sure ?? failed?.fault ?? undefined}
          />
          <Button kind="plain">Answer them without a person</Button>
        </Form>
      )}
    </Card>
  )
}

function RulesForm({ data, csrf, outcome: every }: PageProps<RulesData>) {
  const outcome = every?.action === 'allow' || every?.action === 'stop' ? null : every
  const faults = outcome?.ok === false ? (outcome.faults ?? {}) : {}
  const rules = outcome?.ok === false ? typedRules(outcome.values ?? {}) : begunRules(data.rules)
  return (
    <Form action={`${path}/save`} csrf={csrf} label="Reply rules">
      {outcome?.ok === false && (
        <Notice tone="bad" title="The rules were not saved">
          {outcome.fault}
        </Notice>
      )}
      <Card title="Which reviews">
        <Checkbox name="enabled" label="Answer reviews automatically" checked={rules.is_enabled} />
        <fieldset>
          <legend>Ratings to answer</legend>
          {[5, 4, 3, 2, 1].map((stars) => (
            <Checkbox
              key={stars}
              name="ratings"
              value={String(stars)}
              label={formatCount(stars, 'star')}
              checked={rules.ratings.includes(String(stars))}
            />
          ))}
        </fieldset>
        <Checkbox
          name="include_unrated"
          label="Reviews without stars too"
          hint="A recommendation counts as 5 stars, its opposite as 1."
          checked={rules.include_unrated}
        />
        <Field
          name="newest_days"
          label="Oldest review, in days"
          hint="Renown does not answer reviews that were older when it first saw them."
          inputmode="numeric"
          value={rules.newest_days}
          error={faults.newest_days}
        />
      </Card>
      <Card title="When">
        <Field
          name="delay_min_minutes"
          label="Earliest, in minutes"
          hint="Each reply is sent at a random time between earliest and latest after the review was seen."
          inputmode="numeric"
          value={rules.delay_min_minutes}
          error={faults.delay_min_minutes}
        />
        <Field
          name="delay_max_minutes"
          label="Latest, in minutes"
          inputmode="numeric"
          value={rules.delay_max_minutes}
          error={faults.delay_max_minutes}
        />
      </Card>
      <Card title="How">
        <Select
          name="tone"
          label="Tone"
          value={rules.tone}
          error={faults.tone}
          options={['friendly', 'professional', 'empathetic', 'concise', 'playful']}
        />
        <Select
          name="model_stars_min"
          label="Send text of a language model from"
          hint="For fewer stars, its text waits for you as a draft. Before a text is sent, the model checks it in a second call, so such a reply costs two calls."
          value={rules.model_stars_min}
          error={faults.model_stars_min}
          options={[1, 2, 3, 4, 5].map((stars) => [String(stars), formatCount(stars, 'star')])}
        />
        <Checkbox
          name="allow_templates"
          label="Send a template if no language model is set up"
          checked={rules.allow_templates}
        />
      </Card>
      <Row>
        <Button>Save rules</Button>
      </Row>
    </Form>
  )
}

/** The rules as values of the form fields. */
interface RulesFields extends Record<RulesText, string> {
  readonly is_enabled: boolean
  readonly ratings: readonly string[]
  readonly include_unrated: boolean
  readonly allow_templates: boolean
}

type RulesText = 'delay_min_minutes' | 'delay_max_minutes' | 'newest_days' | 'model_stars_min' | 'tone'

const begunRules = ({ ratings, ...rules }: ShownRules): RulesFields => ({
  ...rules,
  ratings: ratings.map(String),
  delay_min_minutes: String(rules.delay_min_minutes),
  delay_max_minutes: String(rules.delay_max_minutes),
  newest_days: String(rules.newest_days),
  model_stars_min: String(rules.model_stars_min),
})

/** Returns the typed values, so that the person can correct them. */
function typedRules(values: Readonly<Record<string, string | readonly string[]>>): RulesFields {
  const text = (name: RulesText) => [values[name] ?? ''].flat()[0] ?? ''
  const isOn = (name: string) => values[name] !== undefined
  return {
    delay_min_minutes: text('delay_min_minutes'),
    delay_max_minutes: text('delay_max_minutes'),
    newest_days: text('newest_days'),
    model_stars_min: text('model_stars_min'),
    tone: text('tone'),
    is_enabled: isOn('enabled'),
    include_unrated: isOn('include_unrated'),
    allow_templates: isOn('allow_templates'),
    ratings: [values.ratings ?? []].flat(),
  }
}
