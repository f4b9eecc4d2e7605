import type * as v from 'valibot'
import type { Fault } from '../contracts/errors'
import { nearest } from './suggest'

type Issue = v.BaseIssue<unknown>

/** Maximum number of issues that are reported. A body may have one for each of its elements. */
const issuesMax = 50

/** Returns valibot's first issues as errors with JSON pointers and the accepted values. */
export function faultsOf(issues: readonly Issue[], root = ''): Fault[] {
  return issues.slice(0, issuesMax).map((issue) => {
    const pointer = `${root}${pointerOf(issue)}`
    if (issue.type === 'strict_object' && issue.expected === 'never') {
      return { pointer, code: 'unknown_field', message: 'is not taken here' }
    }
    const missing = issue.type === 'strict_object' || issue.type === 'object'
    if (missing && issue.received === 'undefined') {
      return { pointer, code: 'required', message: 'is required' }
    }
    const allowed = allowedOf(issue)
    return allowed
      ? { pointer, code: 'invalid', message: 'is not one of the accepted values', allowed }
      : { pointer, code: 'invalid', message: sentence(issue) }
  })
}

/** Returns the error for an unknown key, with all known ones and the nearest. */
export function unknownField(pointer: string, name: string, known: readonly string[]): Fault {
  const near = nearest(name, known)
  return {
    pointer,
    code: 'unknown_field',
    message: 'is not taken here',
    allowed: known,
    ...(near ? { did_you_mean: near } : {}),
  }
}

function allowedOf(issue: Issue): readonly (string | number | boolean | null)[] | undefined {
  if (issue.type !== 'picklist' && issue.type !== 'literal') return undefined
  const parts = issue.expected?.replace(/^\(|\)$/g, '').split(' | ') ?? []
  const values = parts.flatMap((part) => {
    try {
      return [JSON.parse(part)]
    } catch {
      return []
    }
  })
  return values.length > 0 ? values : undefined
}

function sentence(issue: Issue): string {
  const text = issue.message
  if (!text.startsWith('Invalid ')) return text
  if (issue.expected && issue.received)
    return `expected ${issue.expected}, received ${issue.received.slice(0, 60)}`
  return text.slice(0, 200)
}

const pointerOf = (issue: Issue) =>
  (issue.path ?? [])
    .map(({ key }) => `/${String(key).slice(0, 80).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
