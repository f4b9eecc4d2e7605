import { Refusal } from '../contracts/errors'

/**
 * Returns the `invalid_field` Refusal of one field. `message` says what the field must be, and `code` why it is refused,
 * such as `invalid` or `required`.
 */
export const refusedField = (field: string, message: string, code = 'invalid'): Refusal =>
  new Refusal('invalid_field', message, { errors: [{ pointer: `/${field}`, code, message }] })
