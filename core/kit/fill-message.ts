import type { Message } from '../contracts/words'
import { remembered } from './remembered'

const pluralsOf = remembered((lang: string) => new Intl.PluralRules(lang))

/** A placeholder in a text, with its name. */
export const placeholder: RegExp = /\{(\w+)\}/g

/** Returns the text of a message with its values. The value `count` chooses the plural form. */
export function fillMessage<Value>(
  message: Message,
  lang: string,
  values: Readonly<Record<string, Value>>,
  textOf: (value: Value) => string,
): string {
  const text =
    typeof message === 'string'
      ? message
      : (message[pluralsOf(lang).select(Number(values.count))] ?? message.other)
  return text.replace(placeholder, (whole, name: string) => {
    const { [name]: value } = values
    return value === undefined ? whole : textOf(value)
  })
}
