/** @jsxImportSource ../jsx */
import { effectiveProfile } from '../../contracts/enrichment'
import type { Children } from '../jsx/jsx-runtime'
import { Badge, Button, Card, Facts, Moment, Notice, Row, type Tone } from '../kit'
import { TextArea } from '../parts/text-area'
import { OutLink, Text, Value } from './hostile'
import { Hours } from './hours'
import { ActForm, type Editing, fieldsOf } from './outcome'
import type { Location } from './standing'

const keys = ['about', 'services', 'attributes'] as const
type Key = (typeof keys)[number]

const labels = {
  about: ['About', 'the description', 'What the business is, in a few sentences.'],
  services: ['Services', 'the services', 'One on each line.'],
  attributes: ['Attributes', 'the attributes', 'One on each line, such as wheelchair access.'],
} satisfies Record<Key, readonly [label: string, what: string, hint: string]>

interface KnownProps {
  readonly of: Location
  /** Null where nothing may be changed. */
  readonly editing: Editing | null
  /** Which of the owner's commands there are. */
  readonly may: (command: string) => boolean
}

/** What is known of a business beyond its listing: where it was read, and what people wrote in place of it. */
export const Known = ({ of: location, editing, may }: KnownProps) => (
  <Card
    title="What is known about it"
    about="Read from its website and its listing. Replies to reviews and audits use it."
  >
    <Facts of={readingFacts(location)} />
    {location.enrichment_error && (
      <Notice
        tone="warn"
        title={
          location.enrichment_status === 'failed' ? 'It could not be read' : 'Not all of it could be read'
        }
      >
        <bdi>{location.enrichment_error}</bdi>
      </Notice>
    )}
    {keys.map((key) => (
      <Part key={key} of={location} name={key} editing={may('enrichment override') ? editing : null} />
    ))}
    <Further of={location.enrichment} />
    {editing && may('enrichment refresh') && <Refresh of={location} editing={editing} />}
  </Card>
)

/** One reading waits or runs at a time: another is offered when it has ended. */
const Refresh = ({ of: location, editing }: { readonly of: Location; readonly editing: Editing }) =>
  location.enrichment_status === 'pending' ? (
    <p class="hint">It is being read. You can have it read again when that has ended.</p>
  ) : (
    <ActForm to="refresh" of={editing} label="Read it again" inline>
      <Button kind="plain">Read it again</Button>
    </ActForm>
  )

const states = {
  pending: ['being read', 'plain'],
  success: ['read', 'good'],
  partial: ['read in part', 'warn'],
  failed: ['could not be read', 'bad'],
} satisfies Record<NonNullable<Location['enrichment_status']>, readonly [string, Tone]>

function readingFacts(location: Location): (readonly [string, Children])[] {
  const { enrichment_status, enrichment_source, enrichment_updated_at, enrichment_method, enrichment } =
    location
  const [words, tone] = enrichment_status
    ? states[enrichment_status]
    : (['not looked at yet', 'plain'] as const)
  const sources = enrichment?.sources ?? []
  return [
    [
      'State',
      <Badge key="state" tone={tone}>
        {words}
      </Badge>,
    ],
    ['Last read', <Moment key="read" at={enrichment_updated_at} />],
    ...(enrichment_source ? ([['Begun', begun[enrichment_source]]] as const) : []),
    ...(enrichment_method ? ([['Made', methodWords(enrichment_method)]] as const) : []),
    ...(enrichment?.confidence === undefined
      ? []
      : ([['How sure it is', `${Math.round(enrichment.confidence * 100)} of 100`]] as const)),
    ...(sources.length === 0
      ? []
      : ([
          [
            'Read at',
            <ul key="sources" class="plain">
              {sources.map(({ url, fetched_at }, place) => (
                <li key={place}>
                  <OutLink href={url} /> <Moment at={fetched_at} before="on " />
                </li>
              ))}
            </ul>,
          ],
        ] as const)),
  ]
}

const begun = {
  'first-add': 'when the location was added',
  'manual-refresh': 'when somebody asked for it',
} satisfies Record<NonNullable<Location['enrichment_source']>, string>

/** What it was made with: what the business itself says, or a language model's reading of its texts besides. */
function methodWords(method: string): Children {
  const model = /^structured\+llm:(.+)$/s.exec(method)?.[1]
  if (method === 'structured') return 'from the data of its site and listing, without a language model'
  if (model === undefined) return <bdi>{method}</bdi>
  return (
    <>
      from the data of its site and listing, and with a language model (<bdi>{model}</bdi>)
    </>
  )
}

interface PartProps {
  readonly of: Location
  readonly name: Key
  readonly editing: Editing | null
}

function Part({ of: location, name, editing }: PartProps) {
  const [label] = labels[name]
  const [read, written] = [location.enrichment?.[name], location.enrichment_overrides?.[name]]
  const holds = effectiveProfile(location)[name]
  return (
    <section class="stack">
      <Row>
        <h3>{label}</h3>
        {written !== undefined && <Badge tone="warn">written by hand</Badge>}
      </Row>
      <Shown of={holds} />
      {written !== undefined && read !== undefined && (
        <details class="fold">
          <summary>What was read in its place</summary>
          <Shown of={read} />
        </details>
      )}
      {editing && <Correct name={name} effective={holds} isWritten={written !== undefined} of={editing} />}
    </section>
  )
}

function Shown({ of: value }: { readonly of: string | readonly string[] | undefined }) {
  if (value === undefined) return <p class="hint">Unknown.</p>
  if (typeof value === 'string') return value === '' ? <p class="hint">Nothing.</p> : <Text>{value}</Text>
  if (value.length === 0) return <p class="hint">None.</p>
  return (
    <ul class="plain">
      {value.map((each) => (
        <li key={each}>
          <Value of={each} />
        </li>
      ))}
    </ul>
  )
}

interface CorrectProps {
  readonly name: Key
  readonly effective: string | readonly string[] | undefined
  readonly isWritten: boolean
  readonly of: Editing
}

function Correct({ name, effective, isWritten, of: editing }: CorrectProps) {
  const [label, what, hint] = labels[name]
  const text = typeof effective === 'object' ? effective.join('\n') : effective
  const isThis = editing.outcome?.sent.get('key') === name
  const field = fieldsOf(isThis ? 'correct' : '', editing)(name, text)
  return (
    <details class="fold" open={field.error !== undefined}>
      <summary>Correct {what}</summary>
      <div class="stack">
        <ActForm to="correct" of={editing} hidden={{ key: name }} label={`Correct ${what}`}>
          <TextArea
            {...field}
            label={label}
            hint={`${hint} It stands in place of what is read, now and later.`}
            optional
          />
          <Row>
            <Button kind="plain">Save {what}</Button>
          </Row>
        </ActForm>
        {isWritten && (
          <ActForm to="take-back" of={editing} hidden={{ key: name }} label={`Take ${what} back`} inline>
            <Button kind="quiet">Take {what} back, and use what is read</Button>
          </ActForm>
        )}
      </div>
    </details>
  )
}

function Further({ of: enrichment }: { readonly of: Location['enrichment'] }) {
  if (!enrichment) return null
  const { hours, service_area, languages = [], socials = {} } = enrichment
  const networks = Object.entries(socials)
  const facts: (readonly [string, Children])[] = [
    ...(hours === undefined || hours === null
      ? []
      : ([['Opening hours', <Hours key="hours" of={hours} />]] as const)),
    ...(service_area ? ([['Area served', <bdi key="area">{service_area}</bdi>]] as const) : []),
    ...(languages.length > 0 ? ([['Languages', <Value key="languages" of={languages} />]] as const) : []),
    ...(networks.length > 0
      ? ([
          [
            'Elsewhere',
            <ul key="socials" class="plain">
              {networks.map(([network, url]) => (
                <li key={network}>
                  <bdi class="hint">{network}</bdi> <OutLink href={url} />
                </li>
              ))}
            </ul>,
          ],
        ] as const)
      : []),
  ]
  return facts.length === 0 ? null : <Facts of={facts} />
}
