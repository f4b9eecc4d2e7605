import type { AnyEntity } from '../../../contracts/entity'
import { ConflictError, UnavailableError } from '../port'
import { indexFields } from './model'

interface ServerFault {
  readonly name?: string
  readonly message?: string
  readonly errmsg?: string
  readonly code?: number | string
}

const lostNames =
  /^(MongoServerSelection|MongooseServerSelection|MongoNetwork|MongoNetworkTimeout|MongoNotConnected|MongoPoolCleared|MongoPoolClosed|MongoWaitQueueTimeout|MongoTopologyClosed|MongoClientClosed|MongoExpiredSession|MongoWriteConcern)Error$/
/** The server shuts down, steps down, is not the primary, timed out, or has no majority. */
const lostCodes = new Set<number | string | undefined>([
  6, 7, 50, 64, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436,
])

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
  if (entity && fault.code === 11000) return conflictOf(entity, fault)
  // Mongoose throws a plain error if a model is used while its connection is down.
  const down = fault.name === 'MongooseError' && /initial connection|bufferCommands/.test(fault.message ?? '')
  if (lostNames.test(fault.name ?? '') || lostCodes.has(fault.code) || down) {
    return new UnavailableError(`MongoDB cannot be reached: ${fault.message}`, { cause: error })
  }
  return error
}

/** Returns the unique index of a duplicate key, by the name in the server's message. */
export function conflictOf(entity: AnyEntity, fault: ServerFault): ConflictError {
  const name = /index: (\S+) dup key/.exec(fault.errmsg ?? fault.message ?? '')?.[1] ?? '_id_'
  return new ConflictError(entity.name, name === '_id_' ? 'id' : name, indexFields(entity, name))
}
