import { Command } from 'commander'
import type { Terminal } from '../print/terminal'

export interface StartOptions {
  readonly json: boolean
  readonly domain: string
  readonly demo: boolean
}

const help = `
The gateway and the ingest run as two processes, so that neither stalls or stops the other.
One that ends by itself is started again.

The first run creates an agency, its home workspace, an owner, a location and a site, and
prints the agent key and the forwarder token once: to a terminal, or with --json.
Settings come from the environment and from .env; docs/reference/config.md lists them.

Examples:
  $ bun start
  $ bun start --demo
  $ bun start --json > first-run.json
  $ PORT=8080 INGEST_PORT=8081 RENOWN_DATA_DIR=/var/lib/renown bun start`

/** The options of `bun start`. Throws commander's error for what cannot be parsed, and for `--help`. */
export function parseStart(words: readonly string[], terminal: Terminal): StartOptions {
  const command = withStartOptions(new Command('bun start'))
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
  return command.parse([...words], { from: 'user' }).opts<StartOptions>()
}

/** Gives a command the options and the help of `bun start`. */
export const withStartOptions = (command: Command): Command =>
  command
    .description('Run Renown: the gateway, the ingest and their stores.')
    .option('--json', 'print what was created, with the addresses, as one JSON line', false)
    .option('--domain <domain>', 'domain of the site that the first start creates', 'localhost')
    .option('--demo', 'load a demo with sample data, if there is none', false)
    .addHelpText('after', help)
