import type { Link, LinkDeps, LinkOptions } from './link'
import type { Terminal } from './print/terminal'

/** The dependencies of all commands. */
export interface Cli {
  readonly terminal: Terminal
  readonly link: LinkDeps
  now(): Date
  /** Spells the commands in a text as they work in this shell. */
  spelling(text: string): string
  /** Opens a link to the product for the length of a command. */
  withLink<T>(work: (link: Link) => Promise<T>, options?: LinkOptions): Promise<T>
  /** Whether `--json` was given. */
  json(): boolean
  /** Ends the command with this code, its answer given. */
  exit(code: number): void
}
