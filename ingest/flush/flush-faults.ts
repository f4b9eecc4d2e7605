import { ClaimsUnavailable } from './flush-claims'

/** ClickHouse's error codes for rows that it will never accept: parsing, types and sizes. */
const ofTheRows = new Set([
  '6',
  '26',
  '27',
  '33',
  '38',
  '41',
  '53',
  '69',
  '70',
  '72',
  '117',
  '130',
  '131',
  '321',
  '349',
  '376',
])

/** Whether an error is caused by the rows, so that retries cannot help. All other errors are retried forever. */
export const isOfTheRows = (error: unknown): boolean =>
  ofTheRows.has(String((error as { code?: unknown } | null)?.code))

/** Returns a short reason for the log, without the rows that ClickHouse repeats in its messages. */
export function reasonOf(error: unknown): string {
  if (error instanceof ClaimsUnavailable) return error.message
  const { code, type, name } = (error ?? {}) as { code?: unknown; type?: unknown; name?: unknown }
  return [type, code].filter(Boolean).join(' ') || String(name ?? 'unknown error')
}

const firstPauseMs = 100
const longestPauseMs = 15_000

/** Returns how long to wait after this number of consecutive failures. */
export const pauseMs = (failures: number, longestMs = longestPauseMs): number =>
  Math.min(firstPauseMs * 2 ** Math.max(0, failures - 1), longestMs)
