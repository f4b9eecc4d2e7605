import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'

/** What the shipper gets from its process. */
export interface ShipProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  /** Writes a line for people. */
  readonly say: (line: string) => void
}

/** What the command line asks for. */
export interface ShipOptions {
  readonly to: string
  readonly tokenFile?: string
  readonly state: string
  readonly fromStart: boolean
  readonly once: boolean
  readonly compress: boolean
}

/** What is sent. */
export type Wanted =
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'journald'; readonly filter: readonly string[] }
  | { readonly kind: 'docker'; readonly containers: readonly string[] }

/** The environment variable of the forwarder token. */
export const tokenVariable = 'RENOWN_FORWARDER_TOKEN'

const example = `
The forwarder token comes from the variable ${tokenVariable} or from --token-file.

Examples:
  $ renown ship file /var/log/nginx/access.log --to https://ingest.example.com
  $ renown ship journald --unit nginx --to https://ingest.example.com
  $ renown ship docker web --to https://ingest.example.com`

/** Adds \`ship\` to a program. */
export function addShip(
  program: Command,
  run: (wanted: Wanted, options: ShipOptions) => Promise<void>,
): Command {
  const ship = program
    .command('ship')
    .description('file, journald, docker: follow access logs and send them, each line once')
    .addHelpText('after', example)
  common(ship.command('file').argument('<path...>', 'logs to follow, through rotation'))
    .description('Follow log files')
    .action((paths: string[], options: ShipOptions) => run({ kind: 'files', paths }, options))
  common(ship.command('journald'))
    .description('Follow the journal of systemd')
    .option('--unit <name...>', 'only entries of these units')
    .option('--identifier <name...>', 'only entries with these syslog identifiers')
    .action((options: ShipOptions & { unit?: string[]; identifier?: string[] }) => {
      const units = (options.unit ?? []).map((unit) => `--unit=${unit}`)
      const identifiers = (options.identifier ?? []).map((name) => `--identifier=${name}`)
      return run({ kind: 'journald', filter: [...units, ...identifiers] }, options)
    })
  common(ship.command('docker').argument('<container...>', 'names or ids of containers'))
    .description('Follow the logs of containers of Docker (log driver json-file)')
    .action((containers: string[], options: ShipOptions) => run({ kind: 'docker', containers }, options))
  return ship
}

function common(command: Command): Command {
  return command
    .requiredOption('--to <url>', 'address of the ingest', webUrl)
    .option('--token-file <path>', 'file that contains the forwarder token')
    .option('--state <folder>', 'folder that remembers what was sent', stateFolder())
    .option('--from-start', 'send what a log already contains, not only what follows', false)
    .option('--once', 'end when everything was sent', false)
    .option('--no-compress', 'send without compression')
}

function webUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' || url?.protocol === 'http:')
    return url.href.endsWith('/') ? url.href : `${url.href}/`
  throw new InvalidArgumentError('It must begin with https:// or http://.')
}

const stateFolder = (): string =>
  process.getuid?.() === 0 ? '/var/lib/renown-ship' : join(homedir(), '.local/state/renown-ship')

/** Returns the forwarder token. Not from the command line: everybody on the machine can read that. */
export function tokenOf(
  { tokenFile }: Pick<ShipOptions, 'tokenFile'>,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (tokenFile !== undefined && !existsSync(tokenFile))
    throw new Error(`--token-file: ${tokenFile} does not exist.`)
  const token = (tokenFile === undefined ? env[tokenVariable] : readFileSync(tokenFile, 'utf8'))?.trim()
  if (!token) throw new Error(`Set ${tokenVariable} or --token-file to the forwarder token of the site.`)
  return token
}
