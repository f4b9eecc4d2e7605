/** @jsxImportSource renown/web */
import { Field, type Outcome, Select, TextArea } from 'renown/web'
import type { ContentValues } from './content-form'

const kinds = [
  ['update', 'Update'],
  ['offer', 'Offer'],
  ['event', 'Event'],
] as const

const buttons = [
  ['', 'No button'],
  ['book', 'Book'],
  ['order', 'Order'],
  ['shop', 'Shop'],
  ['learn_more', 'Learn more'],
  ['sign_up', 'Sign up'],
  ['call', 'Call'],
] as const

interface InputsProps {
  readonly values: ContentValues
  /** The refused form, whose typed values are shown again. */
  readonly outcome: Outcome | null
}

type Name = keyof ContentValues

const dated: readonly Name[] = ['event', 'starts', 'ends', 'coupon', 'terms']

/** The fields of the content of a post. */
export function ContentInputs({ values, outcome }: InputsProps) {
  const of = (name: Name) => {
    const typed = outcome?.values?.[name]
    const value = typeof typed === 'string' ? typed : values[name]
    return { name, value, error: outcome?.faults?.[name] }
  }
  const isOpen = of('type').value !== 'update' || dated.some((name) => of(name).error)
  return (
    <>
      <TextArea {...of('text')} label="Text" rows={7} maxlength={1500} />
      <Field {...of('link')} label="Link" type="url" maxlength={2000} optional />
      <Select {...of('button')} label="Button" options={buttons} />
      <TextArea
        {...of('photo')}
        label="Pictures"
        hint="One per line: the address, a space and a description."
        rows={2}
        optional
      />
      <Field
        {...of('language')}
        label="Language"
        hint="The tag of the text’s language, such as en."
        maxlength={35}
      />
      <details open={isOpen}>
        <summary>Offer or event</summary>
        <div class="stack">
          <Select {...of('type')} label="Kind" options={kinds} />
          <Field {...of('event')} label="Title" hint="Of the offer or event." maxlength={200} optional />
          <Field
            {...of('starts')}
            label="Begins"
            hint="Such as 2026-12-01T18:00:00Z."
            maxlength={40}
            optional
          />
          <Field {...of('ends')} label="Ends" maxlength={40} optional />
          <Field {...of('coupon')} label="Coupon" maxlength={100} optional />
          <Field {...of('terms')} label="Terms" maxlength={1000} optional />
        </div>
      </details>
    </>
  )
}
