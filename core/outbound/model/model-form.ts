import type { GenericSchema } from 'valibot'
import type { ModelTask, ServiceAnswer } from '../../contracts/outbound'
import { jsonSchemaOf } from '../../kit/json-schema'

/** The optional parts of a chat completion that a model accepts. Services differ, and answer 400 to others. */
export interface ModelForm {
  readonly hasTemperature: boolean
  /** How the answer is limited to the schema. Without `json_schema`, the instructions contain the schema. */
  readonly format: 'json_schema' | 'json_object' | 'none'
  /** Name of the token limit, for services that require one. */
  readonly limit: 'none' | 'max_tokens' | 'max_completion_tokens'
}

/** The form of the first request to a model. */
export const fullForm: ModelForm = { hasTemperature: true, format: 'json_schema', limit: 'none' }
const barest: ModelForm = { hasTemperature: false, format: 'none', limit: 'none' }
/** Maximum times that a request is repeated in a simpler form. */
export const plainerMax = 6

const tokensMax = 4_096
/** Statuses with which services refuse a parameter. Limits, keys and outages have other statuses. */
const refusingStatuses = new Set([400, 404, 422, 500, 501])
type Task = Pick<ModelTask<GenericSchema>, 'name' | 'answer'>

/** The optional parts of a request in a form. */
export function partsOf(form: ModelForm, { name, answer }: Task): Readonly<Record<string, unknown>> {
  const format = {
    json_schema: { type: 'json_schema', json_schema: { name, strict: true, schema: jsonSchemaOf(answer) } },
    json_object: { type: 'json_object' },
    none: undefined,
  }[form.format]
  return {
    ...(form.hasTemperature ? { temperature: 0.3 } : {}),
    ...(format ? { response_format: format } : {}),
    ...(form.limit === 'none' ? {} : { [form.limit]: tokensMax }),
  }
}

/** Returns the schema as part of the instructions, if the request does not enforce it. */
export const schemaInWords = (form: ModelForm, { answer }: Task): string =>
  form.format === 'json_schema'
    ? ''
    : `\n\nThe JSON schema of the object: ${JSON.stringify(jsonSchemaOf(answer))}`

/**
 * Returns the simpler form to try after a refusal, based on the parameter that it names. Null if the form was
 * not the problem.
 */
export function plainerForm(
  form: ModelForm,
  { status, text }: Pick<ServiceAnswer, 'status' | 'text'>,
): ModelForm | null {
  if (!refusingStatuses.has(status)) return null
  if (form.hasTemperature && /temperature/i.test(text)) return { ...form, hasTemperature: false }
  if (
    form.format !== 'none' &&
    /response_format|json_schema|json_object|structured|schema|grammar/i.test(text)
  ) {
    return { ...form, format: form.format === 'json_schema' ? 'json_object' : 'none' }
  }
  if (form.limit !== 'max_completion_tokens' && /max_(?:completion_)?tokens/i.test(text)) {
    const isNewer = form.limit === 'max_tokens' || !/["'`\s]max_tokens/i.test(` ${text}`)
    return { ...form, limit: isNewer ? 'max_completion_tokens' : 'max_tokens' }
  }
  const isBarest = !form.hasTemperature && form.format === 'none'
  // A refusal without a reason may be about any part.
  return (status === 400 || status === 422) && !isBarest ? { ...barest, limit: form.limit } : null
}
