import { field } from 'renown'
import * as v from 'valibot'

/** A field of a form that may be left out. Its command checks the text. */
export const typed = (description: string) => v.optional(field.text(description))

/** `yes` of a form as the option `trial` of a command. */
export const trialIn = (trial: string | undefined) => (trial === 'yes' ? { trial: true } : {})

/** Browsers send the ends of lines as two characters. */
export const linesOf = (text: string) => text.replaceAll('\r\n', '\n')
