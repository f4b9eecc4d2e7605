/** @jsxImportSource ../jsx */

import type { PageCardProps } from '../browser/page-props'
import { Form, type FormProps } from '../parts/kit'

type CardFormProps = Pick<FormProps, 'hidden' | 'inline' | 'label' | 'children'> & {
  /** The props of the card's component. */
  readonly card: Omit<PageCardProps<unknown>, 'data'>
  /** Name of the action. */
  readonly action: string
}

/** A form of a card. It sends the id of the page's row, and returns to the page. */
export const CardForm = ({ card, action, hidden = {}, ...rest }: CardFormProps) => (
  <Form {...rest} action={`${card.path}/${action}`} csrf={card.csrf} hidden={{ ...card.hidden, ...hidden }} />
)

/** Returns the props of a form field: the stored value, or after an error the typed value with its error. */
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
