import { field } from 'renown'
import { type PlatformIdField, platformIdFields } from 'renown/records'
import * as v from 'valibot'

/** An optional field of a form. Its command checks the text. */
export const typed = (description: string) => v.optional(field.text(description))

/** The fields of ids that a plugin may ask for in forms. */
export const typedIdFields = Object.fromEntries(
  platformIdFields.map((name) => [name, typed('An id on a platform')]),
) as Record<PlatformIdField, ReturnType<typeof typed>>

/** Converts `yes` of a form to the option `trial` of a command. */
export const trialIn = (trial: string | undefined) => (trial === 'yes' ? { trial: true } : {})

/** Browsers send line breaks as two characters. */
export const linesOf = (text: string) => text.replaceAll('\r\n', '\n')
