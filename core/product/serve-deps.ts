import type { ReadLogSample } from '../contracts/log-mapping'
import type { SafeFetch } from '../contracts/outbound'
import type { Log } from '../contracts/plugin'
import type { Settings } from '../contracts/settings'
import type { ClaimBatches, ColumnsTarget, Ingest, SitesFeed } from '../contracts/traffic'
import type { ReportProgress } from '../demo/create'
import type { Clock } from '../process/clock'
import type { SupervisorLink } from '../supervise/part'

/** Creates the ingest. A main file passes it in, because core does not import the ingest. */
export type CreateIngest = (deps: {
  readonly settings: Settings
  readonly columns: ColumnsTarget
  readonly directory: string
  readonly sites: SitesFeed
  readonly now: () => Date
  readonly log: Log
  /** The gateway's public origin, used in the ingest's errors. */
  readonly apiUrl: string
  /** Claims batches, if several processes count. */
  readonly claim: ClaimBatches | undefined
  /** Fetches the keys of signed crawlers. */
  readonly safeFetch: SafeFetch
}) => Promise<Ingest>

/** How the screen of a caller looks, whose command line runs in the product. */
export interface LineScreen {
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  /** Null if lines may have any length. */
  readonly columns: number | null
  /** Whether npx started Bun, and how the caller writes its data folder. */
  readonly byNpx: boolean
  readonly dataDir: string
}

/** Runs a command line for a caller on the command socket. Returns its exit code, or null if it must run at the caller. */
export type RunLine = (
  words: readonly string[],
  caller: {
    readonly screen: LineScreen
    readonly admin: (request: Request) => Promise<Response>
    out(text: string): void
    err(text: string): void
  },
) => Promise<number | null>

/** What the starting code passes to the product. */
export interface ServeDeps {
  readonly clock: Clock
  readonly log: Log
  loadIngest(): Promise<CreateIngest>
  /** Loads the reader of log samples. Left out where nobody pastes lines. */
  loadLogReader?(): Promise<ReadLogSample>
  /** Loads what runs command lines of callers on the command socket. */
  loadCommandLine?(): Promise<RunLine>
  /** If false, opens the stores for a command, without ports, jobs or socket. */
  readonly listen?: boolean
  /** Opens data even if plugins are missing. Only for the commands about plugins. */
  readonly allowsMissingPlugins?: boolean
  /** Domain of the first run's site. */
  readonly siteDomain?: string
  /** Creates a demo if there is none. */
  readonly demo?: boolean
  /** Receives the progress of the demo. */
  readonly onDemoProgress?: ReportProgress
  /** Ends the wait for servers that are down. */
  readonly signal?: AbortSignal
  /**
   * Set if this process is the gateway of `bun start`. The supervisor then holds the data folder, and the ingest is a
   * separate process.
   */
  readonly supervisor?: SupervisorLink
}
