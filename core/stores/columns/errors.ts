import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRefusal } from '../../contracts/errors'
import { CancelledError, TimedOutError } from '../../work/scope'
import { UnavailableError } from './port'

const dropped = new Set(['ECONNRESET', 'EPIPE', 'ERR_SOCKET_CLOSED', 'UND_ERR_SOCKET'])
const unreachable = new Set([
  ...dropped,
  'ECONNREFUSED',
  'ConnectionRefused',
  'ConnectionClosed',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'FailedToOpenSocket',
])
/**
 * ClickHouse's error codes for temporary problems: busy, out of memory, read-only replica, network inside a cluster.
 */
const busy = new Set(['159', '202', '209', '210', '225', '241', '242', '243', '252', '279', '319', '999'])

/** Those of them that no statement causes: the network of the cluster, its coordination, or a read-only replica. */
const replicating = new Set(['209', '210', '225', '242', '243', '279', '319', '999'])

/** Whether the connection ended before the answer. The statement may or may not have run. */
export const isDroppedConnection = (error: unknown): boolean => {
  const { code, message } = facts(error)
  return dropped.has(code) || /socket hang up|closed unexpectedly/i.test(message)
}

/** Whether the statement reached its time limit. */
export const isTimeout = (error: unknown): boolean => facts(error).code === '159'

/** Whether the statement would read more rows than its own limit. */
export const isTooManyRows = (error: unknown): boolean => facts(error).code === '158'

/** Whether a balancer answered, because no server is behind it. The client passes on only the text of the answer. */
const isBalancer = (message: string): boolean =>
  /^(<!doctype html|<html)/i.test(message.trimStart())
    ? /\b50[234]\b/.test(message.slice(0, 1_000))
    : /^(no healthy upstream|upstream connect error|(502 bad gateway|503 service unavailable|504 gateway time-?out))/i.test(
        message,
      )

/** Converts an error: UnavailableError if waiting helps, otherwise a plain message. */
export function toColumnsError(error: unknown, where: string): Error {
  if (error instanceof UnavailableError || error instanceof TimedOutError) return error
  if (error instanceof CancelledError || isRefusal(error)) return error
  const { code, message } = facts(error)
  if (unreachable.has(code) || isDroppedConnection(error)) {
    return new UnavailableError(`${where} cannot be reached (${code || message})`, { cause: error })
  }
  if (isBalancer(message)) {
    return new UnavailableError(`${where} is away, says what stands before it`, { cause: error })
  }
  if (/^timeout error/i.test(message)) {
    return new UnavailableError(`${where} did not answer in time`, { cause: error })
  }
  if (busy.has(code)) {
    const isBusy = !replicating.has(code)
    return new UnavailableError(`${where} is not ready: ${message}`, { cause: error, isBusy })
  }
  if (code === '516' || code === '194' || code === '193') {
    return new Error(`${where} rejected the user name or the password of CLICKHOUSE_URL`, { cause: error })
  }
  return error instanceof Error ? error : new Error(message)
}

/** Whether an error says that the server is away. One that is busy is there. */
export function isAwayError(error: unknown, where: string): boolean {
  const converted = toColumnsError(error, where)
  return converted instanceof UnavailableError && !converted.isBusy
}

/** Returns why the embedded engine does not open, and what to do. */
export function explainChdb(error: unknown, path: string): Error {
  const { code, message } = facts(error)
  const platform = `${process.platform}-${process.arch}`
  if (/one active data directory per process/i.test(message)) {
    return new Error(`This process already uses another embedded ClickHouse, so ${path} cannot be opened.`, {
      cause: error,
    })
  }
  if (code === 'CHDB_PLATFORM' || code === 'CHDB_ABI' || /cannot find|could not resolve/i.test(message)) {
    return new Error(
      `The embedded ClickHouse (npm package chdb) has no library for ${platform} here: run \`bun install\` without --omit=optional, or set CLICKHOUSE_URL to a ClickHouse server.`,
      { cause: error },
    )
  }
  if (code === 'CHDB_CONNECTION') {
    return new Error(
      `The folder ${path} cannot be opened. Another process uses it${holder(path)}, or it is not writable. Only one process at a time can use an embedded ClickHouse. Stop the other process, or choose another RENOWN_DATA_DIR.`,
      { cause: error },
    )
  }
  return error instanceof Error ? error : new Error(message)
}

/** Returns which process uses chDB's folder, from its lock file, because chDB prints the reason only to stderr. */
function holder(path: string): string {
  try {
    const pid = /^PID: (\d+)/m.exec(readFileSync(join(path, 'status'), 'utf8'))?.[1]
    return pid ? ` (pid ${pid})` : ''
  } catch {
    return ''
  }
}

function facts(error: unknown): { code: string; message: string } {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return { code: code === undefined ? '' : String(code), message: String(message ?? error) }
}
