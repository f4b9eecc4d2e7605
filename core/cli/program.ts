import { Command, CommanderError } from 'commander'
import { systemClock } from '../clock'
import { createLog } from '../log'
import { StartError } from '../start-error'
import { version } from '../version'
import type { Cli } from './cli'
import { type Composition, commandsOf, compose } from './composition'
import { addData } from './data'
import { addDeclared, jsonOption } from './declared'
import { addDoctor } from './doctor'
import { addImport } from './import'
import { CommandError, type LinkDeps, openLink } from './link'
import { printAnswer, showsSecrets } from './print'
import { addRanges } from './ranges'
import { addStatus } from './status'
import { exitCodes, harmless, painter, type Terminal } from './terminal'

const epilogue = `
Commands speak with the running product over the socket in its data folder
(RENOWN_DATA_DIR, default ./data); where none runs they open the stores themselves.

Exit codes:
  0  done                 2  typed wrongly
  1  refused or failed    3  the product or a store cannot be reached

Examples:
  $ bun renown site create example.com
  $ bun renown import /var/log/nginx/access.log --site example.com
  $ bun renown doctor`

/** A command that must not be run the way it was typed. */
class UsageError extends Error {}

/** Runs one command line and answers its exit code. Never throws. */
export async function runCli(
  words: readonly string[],
  composition: Composition,
  terminal: Terminal,
): Promise<number> {
  let code: number = exitCodes.ok
  let json = words.includes('--json')
  try {
    const { config, plugins } = await compose(composition)
    const log = createLog('warn', (line) => terminal.err(`${line}\n`), systemClock.now)
    const deps: LinkDeps = { composition, config, plugins, log }
    const cli: Cli = {
      terminal,
      link: deps,
      now: systemClock.now,
      withLink: async (work) => {
        const link = await openLink(deps)
        return work(link).finally(() => link.close())
      },
      json: () => json,
      exit: (wanted) => {
        code = wanted
      },
    }
    const program = createProgram(cli)
    program.hook('preAction', (_, command) => {
      json = command.optsWithGlobals().json === true
    })
    await program.parseAsync([...words], { from: 'user' })
    return code
  } catch (error) {
    return report(error, terminal, json)
  }
}

function createProgram(cli: Cli): Command {
  const program = new Command('bun renown')
    .description('Look after a Renown installation.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', epilogue)
    .showHelpAfterError('(--help says how it is used)')
    .showSuggestionAfterError(true)
  addStatus(program, cli)
  addDeclared(program, commandsOf(cli.link.plugins), async (declared, input) => {
    if (!showsSecrets(declared, cli.terminal, cli.json())) {
      throw new UsageError(
        'This command answers a secret that is shown once, and the output is no terminal: nothing was done. Add --json to get it as JSON.',
      )
    }
    const answer = await cli.withLink((link) =>
      link.post(`/command?name=${encodeURIComponent(declared.name)}`, input),
    )
    printAnswer(cli.terminal, cli.json(), answer)
    if (declared.isBad?.(answer as Record<string, unknown>)) cli.exit(exitCodes.failed)
  })
  addImport(program, cli)
  addData(program, cli)
  addRanges(program, cli)
  addDoctor(program, cli)
  settle(program, cli.terminal)
  return program
}

/** Gives every command `--json`, our streams, and errors as exceptions in place of an exit. */
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

/** Says what went wrong, once, and answers the exit code. */
export function report(error: unknown, terminal: Terminal, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.ok
    if (json) terminal.out(`${JSON.stringify(failureOf('usage', error.message.replace(/^error: /, '')))}\n`)
    return exitCodes.usage
  }
  const message = error instanceof Error ? error.message : String(error)
  const code = codeOf(error)
  const faults = error instanceof CommandError ? error.errors : []
  if (json) terminal.out(`${JSON.stringify(failureOf(code, message, faults))}\n`)
  const paint = painter(terminal.errIsTerminal)
  terminal.err(`${paint('red', 'error:')} ${harmless(message)}\n`)
  for (const fault of faults) {
    const allowed = fault.allowed ? ` (allowed: ${fault.allowed.join(', ')})` : ''
    terminal.err(`  ${harmless(`${optionOf(fault.pointer)}${fault.message}${allowed}`)}\n`)
  }
  if (error instanceof UsageError) return exitCodes.usage
  if (error instanceof StartError) return exitCodes.unreachable
  return code === 'invalid_field' ? exitCodes.usage : exitCodes.failed
}

const failureOf = (code: string, message: string, errors: CommandError['errors'] = []) => ({
  error: { code, message, errors },
})

function codeOf(error: unknown): string {
  if (error instanceof CommandError) return error.code
  if (error instanceof UsageError) return 'usage'
  return error instanceof StartError ? 'unreachable' : 'failed'
}

const optionOf = (pointer: string | undefined) =>
  pointer ? `--${pointer.slice(1).replaceAll('_', '-')}: ` : ''
