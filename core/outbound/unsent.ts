/** Codes of errors of `fetch` that occur before a request is sent. */
const codes = new Set([
  'ConnectionRefused',
  'ECONNREFUSED',
  'FailedToOpenSocket',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
])

/** Returns the code of an error of `fetch`, or an empty text. */
export const fetchCode = (error: unknown): string =>
  String((error as { readonly code?: unknown } | null)?.code ?? '')

/** Whether an error of `fetch` proves that no connection was made, so that the request was not sent. */
export const isUnsent = (error: unknown): boolean => codes.has(fetchCode(error))
