/** The processes that `bun start` runs. */
export type PartName = 'gateway' | 'ingest'

/** How often a part ended unexpectedly and was restarted. */
export interface PartRestarts {
  readonly count: number
  /** Time of the last unexpected end, RFC 3339. Null if there was none. */
  readonly last_at: string | null
  /** How it ended last time. */
  readonly reason: string | null
}

export type Restarts = Readonly<Partial<Record<PartName, PartRestarts>>>

/** A message from the supervisor to a part. */
export type ToPart =
  /** The part accepts requests on this port. */
  | { readonly tell: 'listening'; readonly part: PartName; readonly port: number }
  /** A part has ended, because the product stops. */
  | { readonly tell: 'ended'; readonly part: PartName }
  | { readonly tell: 'restarts'; readonly restarts: Restarts }
  | { readonly tell: 'stop'; readonly because: string }

/** A message from a part to the supervisor. */
export type FromPart =
  /** The part can receive messages. */
  | { readonly tell: 'joined' }
  | { readonly tell: 'listening'; readonly port: number }
  | { readonly tell: 'ready' }
  /**
   * The part cannot start. `isStartError` if the message is for a person, `isHeld` if it waited in vain for another process.
   */
  | {
      readonly tell: 'failed'
      readonly message: string
      readonly isStartError: boolean
      readonly isHeld: boolean
    }
  /** A signal to this part stops all parts. */
  | { readonly tell: 'signalled'; readonly because: string }

/** The environment variable with the process id of the supervisor, for its parts. */
export const supervisorPid = 'RENOWN_SUPERVISOR_PID'
