import { Error as MongooseError, mongo } from 'mongoose'
import type { AnyEntity } from '../../../contracts/entity'
import { ConflictError, UnavailableError } from '../port'
import { indexFields } from './model'

interface ServerFault {
  readonly name?: string
  readonly message?: string
  readonly errmsg?: string
  readonly code?: number | string
  /** The keys of the unique index that refused the row, such as `{ workspace_id: 1, unique_key: 1 }`. */
  readonly keyPattern?: Readonly<Record<string, unknown>>
}

/** No answer to an operation came within its time. Whether it was done is unknown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /** Whether the server gave signs of life in the meantime, so that the operation itself was slow. */
  readonly isSeen: boolean
  constructor(ms: number, isSeen: boolean) {
    super(`no answer within ${Math.round(ms / 1000)} s`)
    this.isSeen = isSeen
  }
}

/**
 * Classes of the driver whose errors end by themselves: the server, the connection or the client was lost, or the time was
 * up. A class counts with those that extend it, such as `PoolClearedOnNetworkError`.
 */
const lostClasses = [
  NoAnswerError,
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoWriteConcernError,
  mongo.MongoOperationTimeoutError,
  mongo.MongoStalePrimaryError,
  mongo.MongoNotConnectedError,
  mongo.MongoExpiredSessionError,
  mongo.MongoServerClosedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoUnexpectedServerResponseError,
  MongooseError.MongooseServerSelectionError,
] as const
/** Errors of the driver's pool, whose classes it does not export. */
const lostNames: ReadonlySet<unknown> = new Set(['MongoPoolClosedError', 'MongoWaitQueueTimeoutError'])
/** Labels that the driver or the server puts on errors that end by themselves. */
const lostLabels = [
  'RetryableWriteError',
  'RetryableError',
  'TransientTransactionError',
  'SystemOverloadedError',
  'ResumableChangeStreamError',
  'HandshakeError',
] as const
/**
 * The server shuts down, steps down, is not the primary, timed out, has no majority, lost a cursor, or has no room at the
 * moment.
 */
const lostCodes: ReadonlySet<unknown> = new Set([
  6, 7, 24, 43, 46, 50, 63, 64, 89, 91, 100, 112, 133, 134, 150, 175, 189, 202, 237, 262, 365, 462, 9001,
  10058, 10107, 11600, 11601, 11602, 13388, 13435, 13436, 14031,
])

/** The server answers, and ended or refused this one command. */
const busyCodes: ReadonlySet<unknown> = new Set([24, 43, 46, 50, 112, 175, 202, 237, 262, 365, 462, 11601])
/** The server refused the command, because it is not the primary. */
const refusedCodes: ReadonlySet<unknown> = new Set([10058, 10107, 13435, 13436])
/** The command was not sent, because its pool was cleared or its client was replaced. */
const unsentNames: ReadonlySet<unknown> = new Set([
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
])

/** Whether a command certainly had no effect and can be repeated. The driver repeats only commands for one row by itself. */
export function isRepeatable(error: unknown): boolean {
  if (isDown(error)) return true
  if (!(error instanceof mongo.MongoError)) return false
  return refusedCodes.has(error.code) || unsentNames.has(error.name)
}

/** Whether mongoose threw a plain error, because a model was used while its connection was down. */
const isDown = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'MongooseError' &&
  /initial connection|bufferCommands|force closed/.test(error.message)

/** Runs a command. A duplicate key becomes ConflictError, a lost connection UnavailableError. */
export async function guarded<T>(entity: AnyEntity | null, run: () => PromiseLike<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw translated(entity, error)
  }
}

/** Returns the port's error for a driver error. */
export function translated(entity: AnyEntity | null, error: unknown): unknown {
  const fault = error as ServerFault
  if (entity && fault.code === 11000) return conflictOf(entity, fault) ?? error
  if (!isLost(error)) return error
  const isBusy = error instanceof NoAnswerError ? error.isSeen : busyCodes.has(fault.code)
  const what = isBusy ? 'MongoDB is not ready' : 'MongoDB cannot be reached'
  return new UnavailableError(`${what}: ${fault.message}`, { cause: error, isBusy })
}

/** Whether an error says nothing about the command itself, so that it works later. */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, code } = error as Error & ServerFault
  if (lostClasses.some((lost) => error instanceof lost) || lostNames.has(name) || lostCodes.has(code))
    return true
  if (error instanceof mongo.MongoError) return lostLabels.some((label) => error.hasErrorLabel(label))
  return isDown(error)
}

/**
 * Returns the conflict of a duplicate key. `keyPattern` is part of the protocol and names the fields. The server's message
 * names the index, in words that differ between servers. Null if neither says which value is taken, because a guess would
 * name the wrong field.
 */
export function conflictOf(entity: AnyEntity, fault: ServerFault): ConflictError | null {
  const keys = Object.keys(fault.keyPattern ?? {}).map((path) => (path === '_id' ? 'id' : path))
  const said = /index: (\S+) dup key/.exec(fault.errmsg ?? fault.message ?? '')?.[1]
  const name = said === '_id_' ? 'id' : said
  if (keys.length > 0) return new ConflictError(entity.name, name ?? keys.join('.'), keys)
  return name ? new ConflictError(entity.name, name, indexFields(entity, name)) : null
}
