/** @jsxImportSource ../jsx */
import type { ShownAct, ShownActField } from '../../../contracts/act'
import type { Outcome } from '../browser/page-props'
import { Button, type ButtonProps, Checkbox, Field, Form, Row, Select } from './kit'

export interface ActFormProps {
  /** The act, from `shownActs` in the data of the page. */
  readonly of: ShownAct
  /** The path of the page. */
  readonly path: string
  readonly csrf: string
  /** The id of the record, what the person saw, and fields that are decided already. */
  readonly hidden: Readonly<Record<string, string>>
  readonly outcome?: Outcome | null | undefined
  /** The look of its button. Default: `plain`. */
  readonly kind?: ButtonProps['kind']
}

/**
 * The form of an act: its fields with their errors and typed values, and its button. An act with a question shows the question
 * first.
 */
export function ActForm({ of: act, path, csrf, hidden, outcome, kind = 'plain' }: ActFormProps) {
  const shown = act.fields.filter(({ name }) => !(name in hidden))
  const own = outcome?.ok === false && outcome.action === act.form ? outcome : null
  const form = (
    <Form
      action={`${path}/${act.form}`}
      csrf={csrf}
      hidden={hidden}
      label={act.label}
      inline={shown.length === 0 && act.question === undefined}
    >
      {act.question !== undefined && <p>{act.question}</p>}
      {shown.map((field) => (
        <ActField key={field.name} field={field} outcome={own} />
      ))}
      {shown.length === 0 && act.question === undefined ? (
        <Button kind={kind}>{act.label}</Button>
      ) : (
        <Row>
          <Button kind={act.question === undefined ? kind : 'danger'}>{act.label}</Button>
        </Row>
      )}
    </Form>
  )
  if (act.question === undefined) return form
  return (
    <details open={own !== null}>
      <summary>{act.label}</summary>
      {form}
    </details>
  )
}

function ActField({
  field: { name, label, kind, optional, choices = [] },
  outcome,
}: {
  readonly field: ShownActField
  readonly outcome: Outcome | null
}) {
  const typed = outcome?.values?.[name]
  const value = typeof typed === 'string' ? typed : ''
  const error = outcome?.faults?.[name]
  if (kind === 'flag') return <Checkbox name={name} label={label} error={error} checked={value === 'yes'} />
  if (kind === 'choice')
    return <Select name={name} label={label} options={choices} value={value} error={error} />
  return (
    <Field
      name={name}
      label={label}
      value={value}
      error={error}
      optional={optional}
      autocomplete="off"
      {...(kind === 'number' ? { inputmode: 'numeric' as const } : {})}
    />
  )
}
