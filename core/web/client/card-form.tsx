/** @jsxImportSource ../jsx */
import { Form, type FormProps } from '../kit'
import type { PageCardProps } from './page-props'

type CardFormProps = Pick<FormProps, 'hidden' | 'inline' | 'label' | 'children'> & {
  /** The props of the component of the card. */
  readonly card: Omit<PageCardProps<unknown>, 'data'>
  /** Name of the action. */
  readonly action: string
}

/** A form of a card. It carries the row of the page, and leads back to it. */
export const CardForm = ({ card, action, hidden = {}, ...rest }: CardFormProps) => (
  <Form {...rest} action={`${card.path}/${action}`} csrf={card.csrf} hidden={{ ...card.hidden, ...hidden }} />
)

/** The props of a field of a form: the value as stored, or as typed with what is wrong with it. */
export function formFields({ outcome }: Pick<PageCardProps<unknown>, 'outcome'>, action: string) {
  const failed = outcome?.action === action && !outcome.ok ? outcome : null
  const first = failed && Object.keys(failed.faults ?? {})[0]
  return (name: string, value: string | undefined) => ({
    name,
    value: failed ? typedIn(failed.values?.[name]) : (value ?? ''),
    error: failed?.faults?.[name],
    autofocus: first === name,
  })
}

const typedIn = (value: string | readonly string[] | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : value.join('\n')
