import { CommanderError } from 'commander'
import { messageOf } from '../../contracts/errors'
import { withShownDomains } from '../../kit/shown-domain'
import { StartError } from '../../process/start-error'
import { CommandError } from '../link'
import { exitCodes, harmless, painter, type Terminal } from './terminal'

/** A command with invalid options or arguments. */
export class UsageError extends Error {}

/** Prints an error once and returns the exit code. */
export function report(
  error: unknown,
  terminal: Terminal,
  json: boolean,
  spelling = (text: string) => text,
): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.ok
    if (json) terminal.out(`${JSON.stringify(failureOf('usage', error.message.replace(/^error: /, '')))}\n`)
    return exitCodes.usage
  }
  const message = spelling(messageOf(error))
  const code = codeOf(error)
  const faults = error instanceof CommandError ? error.errors : []
  if (json) terminal.out(`${JSON.stringify(failureOf(code, message, faults))}\n`)
  const paint = painter(terminal.errIsTerminal)
  terminal.err(`${paint('red', 'error:')} ${harmless(withShownDomains(message))}\n`)
  for (const fault of faults) {
    const allowed = fault.allowed ? ` (allowed: ${fault.allowed.join(', ')})` : ''
    terminal.err(`  ${harmless(withShownDomains(`${optionOf(fault.pointer)}${fault.message}${allowed}`))}\n`)
  }
  if (error instanceof UsageError) return exitCodes.usage
  if (error instanceof StartError) return exitCodes.unreachable
  if (error instanceof CommandError && error.isStoreAway) return exitCodes.unreachable
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
