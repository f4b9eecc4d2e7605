/** @jsxImportSource ../jsx */
import type { Refusal } from '../../contracts/errors'
import type { Form as Sent } from '../forms'
import { Form, type FormProps, Notice } from '../kit'
import { isOverCapacity } from './capacity'
import { addressOf, onePath } from './location-deps'

/** What came of a form that was refused: what is wrong, and what was typed. */
export interface Outcome {
  readonly act: string
  readonly fault: string
  readonly faults: Readonly<Record<string, string>>
  readonly sent: Sent
  /** A place for one more was missing, and a trial is a way out. */
  readonly offersTrial: boolean
  /** The location that stands in the way. */
  readonly existing?: string | undefined
}

/** Words of a refusal, each fault under the name of the field that it is about. */
export function outcomeOf(act: string, sent: Sent, refusal: Refusal): Outcome {
  const { code, message, details } = refusal
  const existing = details.extra?.location_id
  const errors = details.errors ?? []
  return {
    ...{ act, sent, offersTrial: isOverCapacity(refusal) },
    existing: existing === undefined ? undefined : String(existing),
    fault: code === 'invalid_field' && errors.length > 0 ? 'Something in the form cannot be used.' : message,
    faults: Object.fromEntries(
      errors.map((error) => [error.pointer?.split('/')[1] ?? '', asSentence(error.message)]),
    ),
  }
}

/** What a field takes, as a sentence for whoever typed something else. */
const asSentence = (message: string) => {
  const words = /^(an?|at most|the) /.test(message)
    ? `Give ${message}`
    : message.charAt(0).toUpperCase() + message.slice(1)
  return /[.?!]$/.test(words) ? words : `${words}.`
}

/** What a card with forms is given. */
export interface Editing {
  readonly id: string
  readonly csrf: string
  readonly outcome: Outcome | null
}

/** One form of a location's page. */
export const ActForm = ({
  to,
  of: { id, csrf },
  hidden = {},
  ...rest
}: Pick<FormProps, 'hidden' | 'inline' | 'label' | 'children'> & { to: string; of: Editing }) => (
  <Form
    {...rest}
    action={`${onePath}/${to}`}
    csrf={csrf}
    hidden={{ location: id, back: addressOf(id), ...hidden }}
  />
)

/** Where fields of a form begin, and what is wrong with each: as they were typed where they could not be taken. */
export function fieldsOf(act: string, { outcome }: Editing) {
  const failed = outcome?.act === act ? outcome : null
  const first = failed && Object.keys(failed.faults)[0]
  return (name: string, value: string | undefined, fault = name) => ({
    name,
    value: failed ? failed.sent.get(name) : (value ?? ''),
    error: failed?.faults[fault],
    autofocus: first === fault,
  })
}

/** What was refused as a whole, above everything. */
export const Refused = ({ outcome }: Pick<Editing, 'outcome'>) =>
  outcome && (
    <Notice tone="bad" title="Nothing was changed">
      <bdi>{outcome.fault}</bdi> <Existing id={outcome.existing} />
    </Notice>
  )

/** The way to the location that stands in the way. */
export const Existing = ({ id }: { readonly id: string | undefined }) =>
  id === undefined ? null : <a href={addressOf(id)}>Look at that one</a>
