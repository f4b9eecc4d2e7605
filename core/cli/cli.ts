import type { Link, LinkDeps, LinkOptions } from './link'
import type { Terminal } from './print/terminal'

/** The dependencies of all commands. */
export interface Cli {
  readonly terminal: Terminal
  readonly link: LinkDeps
  now(): Date
  /** Returns a text with its commands written so that they work in this shell. */
  spelling(text: string): string
  /** Opens a link to the product for the duration of a command. */
  withLink<T>(work: (link: Link) => Promise<T>, options?: LinkOptions): Promise<T>
  /** Connects to the running product, or returns null if none runs. */
  connect(): Promise<Link | null>
  /** Whether `--json` was given. */
  json(): boolean
  /** Ends the command with this code, after its answer was printed. */
  exit(code: number): void
}
