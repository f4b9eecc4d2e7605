import { Command } from 'commander'
import type { AnyCommand } from '../contracts/plugin'
import { demoCommands } from '../demo/command-names'
import { systemClock } from '../process/clock'
import { createLog } from '../process/log'
import { makeKeyFiles } from '../process/setting-files'
import { version } from '../process/version'
import type { RunLine } from '../product/serve-deps'
import type { Cli } from './cli'
import { type Composition, compose } from './composition'
import { addData } from './data/data'
import { addDeclared, jsonOption } from './declared'
import { addDoctor } from './doctor'
import { addImport } from './import/import'
import { connect, type Hear, type Link, type LinkDeps, type LinkOptions, link, openLink } from './link'
import { isLocal } from './local-words'
import { addPlugin } from './plugin'
import { withDemoProgress } from './print/demo-progress'
import { startNotice } from './print/notice'
import { printAnswer, showsSecrets } from './print/print'
import { report, UsageError } from './print/report'
import { createSpelling } from './print/spelling'
import { exitCodes, type Terminal } from './print/terminal'
import { addRanges } from './ranges'
import { addRegistry } from './registry'
import { addSecrets } from './secrets'
import { addSigning } from './signing'
import { withStartOptions } from './start/start-options'
import { addStatus } from './status'

const epilogue = `
Commands speak with the running product over the socket in its data folder
(RENOWN_DATA_DIR, default ./data); where none runs they open the stores themselves.
They never create a data folder: only \`bun start\` and \`data import\` do.

Exit codes:
  0  done                 2  typed wrongly
  1  refused or failed    3  the product or a store cannot be reached

Examples:
  $ bun renown site create example.com
  $ bun renown log import /var/log/nginx/access.log --site example.com
  $ bun renown doctor`

/** Runs one command line and returns its exit code. Never throws. */
export async function runCli(
  words: readonly string[],
  composition: Composition,
  screen: Terminal,
): Promise<number> {
  const notice = startNotice(screen)
  const { terminal } = notice
  let spelling = (text: string) => text
  try {
    // As the first start does, because an import comes before it.
    if (words[0] === 'data' && words[1] === 'import') makeKeyFiles(composition.env)
    const { config, plugins } = await compose(composition)
    const byNpx = composition.env.npm_config_user_agent?.startsWith('npm/') ?? false
    spelling = createSpelling({ byNpx, dataDir: config.RENOWN_DATA_DIR })
    const log = createLog('warn', (line) => terminal.err(`${line}\n`), systemClock.now)
    const deps: LinkDeps = { composition, config, plugins, log }
    const hear: Hear = (told) => {
      if ('working' in told && told.working.doing !== null) terminal.doing?.(told.working.doing)
    }
    return await runWords(words, {
      terminal,
      deps,
      spelling,
      open: (options) => openLink(deps, options, hear),
      connect: () => connect(config.RENOWN_DATA_DIR, hear),
    })
  } catch (error) {
    return report(error, terminal, words.includes('--json'), spelling)
  } finally {
    notice.end()
  }
}

/** Returns a function that runs command lines inside the product, for callers on its command socket. */
export const createRunLine =
  (deps: LinkDeps): RunLine =>
  async (words, { screen, admin, out, err }) => {
    if (isLocal(words)) return null
    const own = () => link(true, admin, async () => {})
    return runWords(words, {
      terminal: { ...screen, out, err, columns: screen.columns ?? Number.POSITIVE_INFINITY },
      deps,
      spelling: createSpelling(screen),
      open: async () => own(),
      connect: async () => own(),
    })
  }

interface Surroundings {
  readonly terminal: Terminal
  readonly deps: LinkDeps
  spelling(text: string): string
  open(options?: LinkOptions): Promise<Link>
  connect(): Promise<Link | null>
}

async function runWords(
  words: readonly string[],
  { terminal, deps, spelling, open, connect }: Surroundings,
): Promise<number> {
  let code: number = exitCodes.ok
  let json = words.includes('--json')
  try {
    // Core's own plugins take a third of a second of processor time to load.
    const commands = deps.composition.isLight ? [] : (await import('./commands-of')).commandsOf(deps.plugins)
    const program = createProgram(commands, {
      terminal,
      link: deps,
      now: systemClock.now,
      spelling,
      withLink: async (work, options) => {
        const link = await open(options)
        return work(link).finally(() => link.close())
      },
      connect,
      json: () => json,
      exit: (wanted) => {
        code = wanted
      },
    })
    program.hook('preAction', (_, command) => {
      json = command.optsWithGlobals().json === true
    })
    await program.parseAsync([...words], { from: 'user' })
    return code
  } catch (error) {
    return report(error, terminal, json, spelling)
  }
}

/** Returns the program with all commands. */
export function createProgram(commands: readonly AnyCommand[], cli: Cli): Command {
  const program = new Command('bun renown')
    .description('Manage a Renown installation.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', epilogue)
    .showHelpAfterError('(run it with --help to see its usage)')
    .showSuggestionAfterError(true)
  addStart(program)
  addStatus(program, cli)
  addRegistry(program, cli)
  addDeclared(program, commands, async (declared, input) => {
    if (!showsSecrets(declared, cli.terminal, cli.json())) {
      throw new UsageError(
        'This command prints a secret only once, and the output is not a terminal. Nothing was changed. Add --json to get the secret as JSON.',
      )
    }
    const answer = await cli.withLink((link) => {
      const answered = link.post(`/command?name=${encodeURIComponent(declared.name)}`, input)
      return declared.name === demoCommands.create ? withDemoProgress(answered, link, cli.terminal) : answered
    })
    printAnswer(cli.terminal, cli.json(), answer)
    if (declared.isBad?.(answer as Record<string, unknown>)) cli.exit(exitCodes.failed)
  })
  addImport(program, cli)
  addShip(program)
  addData(program, cli)
  addPlugin(program, cli)
  addRanges(program, cli)
  addSecrets(program, cli)
  addSigning(program, cli)
  addDoctor(program, cli)
  settle(program, cli.terminal)
  return program
}

/** Adds the help of `bun renown start`. The main file runs the command itself, before it loads plugins. */
function addStart(program: Command): void {
  withStartOptions(program.command('start')).action(() => {
    throw new UsageError('Write `start` before its options: bun renown start --json')
  })
}

/** Adds the help of `bun renown ship`, which is a program of its own. */
function addShip(program: Command): void {
  const ship = program.command('ship').allowUnknownOption()
  ship.description('file, journald, docker: follow access logs and send them, each line once').action(() => {
    throw new UsageError('Write `ship` before its options: bun renown ship file access.log --to <url>')
  })
}

/** Gives every command `--json`, the terminal's streams, and exceptions instead of exits. */
function settle(command: Command, terminal: Terminal): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.out(text),
    writeErr: (text) => terminal.err(text),
    getOutHasColors: () => terminal.outIsTerminal,
    getErrHasColors: () => terminal.errIsTerminal,
  })
  const takesJson = command.options.some(({ long }) => long === '--json')
  if (command.commands.length === 0 && !takesJson) command.addOption(jsonOption())
  for (const child of command.commands) settle(child, terminal)
}
