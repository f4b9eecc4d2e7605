/** @jsxImportSource ../jsx */
import type { Children } from '../jsx/jsx-runtime'
import { Labelled } from '../parts/kit'

export interface TextAreaProps {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly hint?: Children
  /** The error of the field. */
  readonly error?: string | undefined
  readonly optional?: boolean
  readonly autofocus?: boolean
  readonly maxlength?: number
  readonly rows?: number
}

/** A labelled field for several lines. The direction follows the typed text. */
export function TextArea({ name, label, value, hint, error, optional, rows = 4, ...rest }: TextAreaProps) {
  const control = (described: string | undefined) => (
    <textarea
      {...rest}
      id={name}
      name={name}
      rows={rows}
      dir="auto"
      defaultValue={value}
      required={!optional}
      aria-invalid={error ? 'true' : undefined}
      aria-describedby={described}
    />
  )
  return (
    <Labelled name={name} label={label} hint={hint} error={error} optional={optional} control={control} />
  )
}
