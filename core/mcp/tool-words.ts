import type { Fault } from '../contracts/errors'
import { isCode } from '../contracts/values'
import { markOf } from '../kit/model-text'
import { visible } from '../kit/visible-text'
import type { Problem } from '../requests/problem'

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
const namesRecords = new Set(['not_found', 'ambiguous'])

/**
 * Returns a problem whose accepted values are between two tags if people may have typed them. The names that declarations accept
 * are one word.
 */
export function withMarkedNames({ errors, ...problem }: Problem): Problem {
  if (errors === undefined) return problem
  const mark = markOf('theirs')
  const marked = (code: string, value: string) =>
    isCode(value) && !namesRecords.has(code) ? value : mark.around(visible(value))
  const faults = errors.map((fault): Fault => {
    const { code, allowed, did_you_mean } = fault
    const accepted = allowed?.map((one) => (typeof one === 'string' ? marked(code, one) : one))
    return {
      ...fault,
      ...(accepted === undefined ? {} : { allowed: accepted }),
      ...(did_you_mean === undefined ? {} : { did_you_mean: marked(code, did_you_mean) }),
    }
  })
  return { ...(mark.isUsed() ? { untrusted: mark.note } : {}), ...problem, errors: faults } as Problem
}
