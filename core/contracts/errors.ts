import type { Phrase } from './words'

/**
 * Every error code of the product with its HTTP status and title. `docs/reference/errors.md` is generated from this
 * table.
 */
export const errorTable = {
  malformed_body: {
    status: 400,
    title: 'The body cannot be parsed',
    meaning: 'The body is not JSON, or is not a JSON object.',
  },
  malformed_filter: {
    status: 400,
    title: 'The filter cannot be parsed',
    meaning: '`q` is not a JSON object.',
  },
  malformed_request: {
    status: 400,
    title: 'The request cannot be parsed',
    meaning: 'The address, a header or an escape sequence is malformed.',
  },
  unknown_parameter: {
    status: 400,
    title: 'Unknown query parameter',
    meaning: 'The query string has a parameter that this address does not accept.',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid credential is required',
    meaning: 'The bearer token is missing, revoked or unknown. This is checked before anything else.',
  },
  outside_surface: {
    status: 403,
    title: 'Not part of the callable surface',
    meaning: 'There is no such entity, operation or address.',
  },
  outside_ceiling: {
    status: 403,
    title: 'The credential can only read and make safe writes',
    meaning: 'Entities are read-only for every credential.',
  },
  workspace_not_readable: {
    status: 403,
    title: 'The workspace cannot be read',
    meaning:
      'The credential cannot read the workspace in X-Workspace-Id, or no workspace has this id or name.',
  },
  not_in_workspace: {
    status: 403,
    title: 'The record is in another workspace',
    meaning: 'The record exists, but not in the workspace being read.',
  },
  cross_agency_refused: {
    status: 403,
    title: 'Own agency only',
    meaning: "A platform-scoped credential cannot call this operation in another agency's workspace.",
  },
  insufficient_scope: {
    status: 403,
    title: 'The access token lacks the scope',
    meaning: 'The access token was granted without the scope this operation needs.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'The origin is not allowed',
    meaning: 'A browser sent the request from a page of another host.',
  },
  form_refused: {
    status: 403,
    title: 'The form is out of date',
    meaning: 'A form was sent without the token of its session.',
  },
  host_not_served: {
    status: 403,
    title: 'The host is not served',
    meaning: 'The Host header is not the main host, the machine itself or a verified domain.',
  },
  owner_only: {
    status: 403,
    title: 'For owners only',
    meaning: 'The page is for owners of the agency. Members work in the workspaces that they were given.',
  },
  not_found: {
    status: 404,
    title: 'No such record',
    meaning: 'The workspace has no record with this id.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed',
    meaning: 'The address accepts other methods. Allow lists them.',
  },
  already_set_up: {
    status: 409,
    title: 'Already set up',
    meaning: 'First-time set-up found an existing record. Its id is in the answer.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    meaning: 'Another record has a value that must be unique, or the record changed at the same time.',
  },
  workspace_inactive: {
    status: 409,
    title: 'The workspace is inactive',
    meaning:
      'The workspace or its agency is inactive, so Renown does no work for it. Reads still work. Operations of the classes draft, queue, setup and mark are refused.',
  },
  over_capacity: {
    status: 409,
    title: 'Beyond paid capacity',
    meaning:
      'The agency uses as many locations as it pays for. Owners get this error when they add or activate a location. No operation returns it.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Idempotency key reused',
    meaning: 'The same Idempotency-Key was used with another body.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    meaning:
      'The body exceeds a limit of this address: bytes as sent or decompressed, depth, or number of values.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported content type',
    meaning: 'The content type or content encoding is not accepted here.',
  },
  invalid_parameter: {
    status: 422,
    title: 'A parameter is invalid',
    meaning: 'The value of the parameter is not accepted.',
  },
  invalid_filter: {
    status: 422,
    title: 'The filter is invalid',
    meaning: 'The filter names an unknown field, or compares a field with a value of the wrong type.',
  },
  operator_not_allowed: {
    status: 422,
    title: 'The operator is not allowed',
    meaning: 'The filter uses an operator outside the published list, or on a field that does not accept it.',
  },
  filter_too_broad: {
    status: 422,
    title: 'The filter is too broad',
    meaning:
      'The filter would examine more than 100,000 rows, or more than 10,000 and takes longer than READ_SECONDS_MAX allows. The answer names indexed fields that narrow it.',
  },
  invalid_field: {
    status: 422,
    title: 'A field is invalid',
    meaning: 'A value of the body is not accepted.',
  },
  unknown_field: {
    status: 422,
    title: 'Unknown field',
    meaning: 'The body has a field that this operation does not accept.',
  },
  quota_exceeded: {
    status: 429,
    title: 'Quota exceeded',
    meaning: 'A rate limit or quota is used up. Retry-After says how long to wait.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'An error in Renown. Search the log for the request id.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    meaning: 'A store or the service is not ready. Retry-After says how long to wait.',
  },
  timed_out: {
    status: 503,
    title: 'Timed out',
    meaning:
      'Reading took longer than READ_SECONDS_MAX allows. Request less data, or send fewer requests at once. Retry-After says how long to wait.',
  },
} as const satisfies Record<string, { status: number; title: string; meaning: string }>

/** An error code. The list is closed and published. */
export type ErrorCode = keyof typeof errorTable

/** One error in one input, with the member names of RFC 9457. */
export interface Fault {
  readonly pointer?: string
  readonly parameter?: string
  readonly header?: string
  readonly code: string
  readonly message: string
  readonly allowed?: readonly (string | number | boolean | null)[]
  readonly did_you_mean?: string
}

/** The details of a refusal besides its code and message. */
export interface RefusalDetails {
  readonly errors?: readonly Fault[]
  readonly hint?: string
  readonly retryAfterSeconds?: number
  /** Further members of the problem object, such as the id of the conflicting record. */
  readonly extra?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** The message for people, where a page shows it in their language. */
  readonly phrase?: Phrase
}

/**
 * An expected error. Sent as problem+json over HTTP and as an `isError` text over MCP. Callers see the text
 * of no other error.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: RefusalDetails
  constructor(code: ErrorCode, detail: string, details: RefusalDetails = {}) {
    super(detail)
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
  get status(): number {
    return errorTable[this.code].status
  }
}
/**
 * Whether an error is a Refusal. Checks the shape, not the class, because a plugin may load a second copy of the
 * package.
 */
export function isRefusal(error: unknown): error is Refusal {
  return (
    error instanceof Error && error.name === 'Refusal' && 'code' in error && String(error.code) in errorTable
  )
}

/** Whether an error is a Refusal because of a conflicting record, or because the record changed in the meantime. */
export const isConflict = (error: unknown): error is Refusal => isRefusal(error) && error.code === 'conflict'

/** Whether a store of the product did not answer. What was asked for may be there, and a retry can help. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error && error.name === 'UnavailableError'

/** For `.catch()`: handles the errors of one kind, and throws every other error. */
export const recoverIf =
  <E, T>(isExpected: (error: unknown) => error is E, handle: (error: E) => T) =>
  (error: unknown): T => {
    if (isExpected(error)) return handle(error)
    throw error
  }

/** For `.catch()`: returns null for a conflict, and throws every other error. */
export const nullIfConflict: (error: unknown) => null = recoverIf(isConflict, () => null)

/** Returns the message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
