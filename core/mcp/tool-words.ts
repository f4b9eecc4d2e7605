import type { Fault } from '../contracts/errors'
import { isCode } from '../contracts/values'
import { type Mark, markOf, shown } from '../kit/model-text'
import { visible } from '../kit/visible-text'
import type { Problem } from '../requests/problem'
import { unknownChangeCode } from '../tenancy/proposals/changes'

/** What the gateway says to callers over HTTP, and what the same is called here. */
const words: readonly (readonly [RegExp, string])[] = [
  [/GET \/api\/entities\/Workspace/g, 'list_workspaces'],
  [/GET \/api\/surface/g, 'describe_records'],
  [/GET \/api\/entities\/([A-Za-z]{1,60})/g, 'list_records of $1'],
  [/POST \/api\/functions\/([A-Za-z]{1,60})/g, '$1'],
  [/the header X-Workspace-Id|X-Workspace-Id/gi, 'workspace_id'],
  [/Idempotency-Key/gi, 'idempotency_key'],
  [/query parameter/g, 'argument'],
  [/This address has no argument/g, 'This tool has no argument'],
  [/The body of (\w{1,60}) is invalid/g, 'The arguments of $1 are invalid'],
  [/a field of the body/g, 'an argument'],
  // Lists have more rows over HTTP.
  [/whole number from 1 to 1000$/g, 'whole number from 1 to 100'],
]

/** Returns a sentence of the gateway with the names that tools have. */
export const inToolWords = (text: string): string =>
  words.reduce((told, [said, meant]) => told.replace(said, meant), text)

/** Returns a problem with the names that tools have. A fault names an argument, whatever carries it over HTTP. */
export function problemInToolWords(problem: Problem): Problem {
  const { title, detail, hint, errors } = problem
  return {
    ...problem,
    title: inToolWords(title),
    detail: inToolWords(detail),
    ...(hint === undefined ? {} : { hint: inToolWords(hint) }),
    ...(errors === undefined
      ? {}
      : {
          errors: errors.map(({ header, ...fault }) => ({
            ...(header === undefined ? {} : { parameter: inToolWords(header) }),
            ...fault,
            message: inToolWords(fault.message),
          })),
        }),
  }
}

/** Codes of errors whose accepted values are names of records. People typed them, also those of one word. */
const namesRecords = new Set(['not_found', 'ambiguous', 'required'])
/** Codes of errors whose accepted values are names that plugins declare, also those of several words. */
const namesDeclarations = new Set<string>([unknownChangeCode])

/** An error as a model reads it. */
type ProblemForModels = Pick<
  Problem,
  'type' | 'title' | 'status' | 'detail' | 'code' | 'request_id' | 'errors' | 'hint'
>

/**
 * Returns an error as a model reads it: in the words of tools, without an address of HTTP. What people may have typed is between
 * two tags, and nothing invisible is left of it: names of records, and the texts that an error adds, such as the present draft.
 */
export function problemForModels(problem: Problem): ProblemForModels {
  const {
    type,
    title,
    status,
    detail,
    instance: _,
    code,
    request_id,
    errors,
    hint,
    'violated-policies': policies,
    ...added
  }: Problem & { readonly 'violated-policies'?: unknown } = problemInToolWords(problem)
  const mark = markOf('code')
  // Somebody typed the name of a workspace, also where a sentence contains it. One word says nothing.
  const { workspace_name: name } = added as { readonly workspace_name?: unknown }
  const told = (sentence: string) =>
    typeof name === 'string' && name !== '' && !isCode(name)
      ? sentence.replace(name, () => mark.around(name))
      : sentence
  const faults = errors?.map((fault) => withMarkedNames({ ...fault, message: told(fault.message) }, mark))
  const said = told(detail)
  const texts = shown(added, { text: textMax, items: Number.POSITIVE_INFINITY }, mark) as object
  return {
    ...(mark.isUsed() ? { untrusted: mark.note } : {}),
    type,
    title,
    status,
    detail: said,
    code,
    request_id,
    ...(faults === undefined ? {} : { errors: faults }),
    ...(hint === undefined ? {} : { hint }),
    ...(policies === undefined ? {} : { 'violated-policies': policies }),
    ...texts,
  }
}

/** Maximum length of a text that an error adds. Drafts are shorter. */
const textMax = 20_000

function withMarkedNames(fault: Fault, mark: Mark): Fault {
  const { code, allowed, did_you_mean } = fault
  const isOurs = (value: string) => namesDeclarations.has(code) || (isCode(value) && !namesRecords.has(code))
  const marked = (value: string) => (isOurs(value) ? value : mark.around(visible(value)))
  const accepted = allowed?.map((one) => (typeof one === 'string' ? marked(one) : one))
  return {
    ...fault,
    ...(accepted === undefined ? {} : { allowed: accepted }),
    ...(did_you_mean === undefined ? {} : { did_you_mean: marked(did_you_mean) }),
  }
}
