/** @jsxImportSource renown/web */
import type { Enrichment } from 'renown/records'
import {
  Badge,
  Button,
  Card,
  CardForm,
  type Children,
  Facts,
  formFields,
  Moment,
  Notice,
  OutLink,
  type PageCardProps,
  Row,
  Text,
  TextArea,
  type Tone,
  Value,
} from 'renown/web'
import type { EnrichedRow } from '../EnrichedLocation'
import { Hours } from './hours'

/** The data of the card. */
export interface ProfileCardData {
  readonly location: Pick<
    EnrichedRow,
    | 'enrichment'
    | 'enrichment_error'
    | 'enrichment_method'
    | 'enrichment_overrides'
    | 'enrichment_source'
    | 'enrichment_status'
    | 'enrichment_updated_at'
  >
  /** The profile, with edits by people applied. */
  readonly holds: Enrichment
}

type Props = PageCardProps<ProfileCardData>
type Known = ProfileCardData['location']

const keys = ['about', 'services', 'attributes'] as const
type Key = (typeof keys)[number]

const labels = {
  about: ['About', 'the description', 'Description of the business in a few sentences.'],
  services: ['Services', 'the services', 'One on each line.'],
  attributes: ['Attributes', 'the attributes', 'One per line, such as wheelchair access.'],
} satisfies Record<Key, readonly [label: string, what: string, hint: string]>

/** The profile of a business beyond its listing: its sources, and edits by people. */
export default function ProfileCard(card: Props) {
  const { location } = card.data
  return (
    <Card
      title="Profile of the business"
      about="Read from its website and its listing. Replies to reviews and audits use this profile."
    >
      <Facts of={readingFacts(location)} />
      {location.enrichment_error && (
        <Notice
          tone="warn"
          title={
            location.enrichment_status === 'failed'
              ? 'The profile could not be read'
              : 'Some of the profile could not be read'
          }
        >
          <bdi>{location.enrichment_error}</bdi>
        </Notice>
      )}
      {keys.map((key) => (
        <Part key={key} name={key} card={card} />
      ))}
      <Further of={location.enrichment} />
      {card.mayChange && <Refresh {...card} />}
    </Card>
  )
}

/** A button that reads the profile again. Hidden while a read waits or runs. */
const Refresh = (card: Props) =>
  card.data.location.enrichment_status === 'pending' ? (
    <p class="hint">Renown is reading it. You can read it again afterwards.</p>
  ) : (
    <CardForm card={card} action="refresh" label="Read it again" inline>
      <Button kind="plain">Read it again</Button>
    </CardForm>
  )

const states = {
  pending: ['being read', 'plain'],
  success: ['read', 'good'],
  partial: ['read in part', 'warn'],
  failed: ['could not be read', 'bad'],
} satisfies Record<NonNullable<Known['enrichment_status']>, readonly [string, Tone]>

function readingFacts(location: Known): (readonly [string, Children])[] {
  const { enrichment_status, enrichment_source, enrichment_updated_at, enrichment_method, enrichment } =
    location
  const [words, tone] = enrichment_status ? states[enrichment_status] : (['not read yet', 'plain'] as const)
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
} satisfies Record<NonNullable<Known['enrichment_source']>, string>

/** Describes how the profile was made: from structured data only, or also by a language model. */
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
  readonly name: Key
  readonly card: Props
}

function Part({ name, card }: PartProps) {
  const { location, holds } = card.data
  const [label] = labels[name]
  const read = location.enrichment?.[name]
  const written = location.enrichment_overrides?.[name]
  return (
    <section class="stack">
      <Row>
        <h3>{label}</h3>
        {written !== undefined && <Badge tone="warn">written by hand</Badge>}
      </Row>
      <Shown of={holds[name]} />
      {written !== undefined && read !== undefined && (
        <details class="fold">
          <summary>Value that Renown read</summary>
          <Shown of={read} />
        </details>
      )}
      {card.mayChange && <Correct name={name} card={card} isWritten={written !== undefined} />}
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

function Correct({ name, card, isWritten }: PartProps & { readonly isWritten: boolean }) {
  const [label, what, hint] = labels[name]
  const { [name]: effective } = card.data.holds
  const text = typeof effective === 'object' ? effective.join('\n') : effective
  const isThis = card.outcome?.values?.key === name
  const field = formFields(card, isThis ? 'correct' : '')(name, text)
  return (
    <details class="fold" open={field.error !== undefined}>
      <summary>Correct {what}</summary>
      <div class="stack">
        <CardForm card={card} action="correct" hidden={{ key: name }} label={`Correct ${what}`}>
          <TextArea
            {...field}
            label={label}
            hint={`${hint} It replaces the imported value, now and later.`}
            optional
          />
          <Row>
            <Button kind="plain">Save {what}</Button>
          </Row>
        </CardForm>
        {isWritten && (
          <CardForm card={card} action="take-back" hidden={{ key: name }} label={`Remove ${what}`} inline>
            <Button kind="quiet">Remove {what} and use the imported value</Button>
          </CardForm>
        )}
      </div>
    </details>
  )
}

function Further({ of: enrichment }: { readonly of: Known['enrichment'] }) {
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
