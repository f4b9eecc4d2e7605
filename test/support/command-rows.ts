import type { Command } from 'commander'
import type * as v from 'valibot'
import { commandsOf } from '../../core/cli/commands-of'
import type { AnyCommand } from '../../core/contracts/plugin'
import { shapeOf } from '../../core/kit/fields'
import { builtin } from '../../plugins'

/** A command line of the product: the command, and all its words. */
export interface CommandRow {
  readonly name: string
  readonly words: readonly string[]
}

/** The commands of a program that have no commands below them. */
export function leavesOf(program: Command, before: readonly string[] = []): string[] {
  return program.commands.flatMap((command) => {
    const words = [...before, command.name()]
    // A group such as `jobs` can be a command too.
    const isOwn = command.commands.length === 0 || command.options.some(({ long }) => long === '--json')
    return [...(isOwn ? [words.join(' ')] : []), ...leavesOf(command, words)]
  })
}

/** Returns a row for each command that plugins declare. References get ids of the installation, other inputs a value that fits. */
export function declaredRows(ids: ReadonlyMap<string, string>): CommandRow[] {
  return commandsOf(builtin).map((command) => ({ name: command.name, words: wordsOf(command, ids) }))
}

function wordsOf(command: AnyCommand, ids: ReadonlyMap<string, string>): string[] {
  const { entries = {} } = command.input as { entries?: Record<string, v.GenericSchema> }
  const positional = command.positional ?? []
  const wordOf = (name: string) => given(name, entries[name] as v.GenericSchema, ids)
  const flags = Object.entries(entries).flatMap(([name, schema]) => {
    const isNeeded = !shapeOf(schema).optional || (name === 'agency_id' && ids.has('agc'))
    return positional.includes(name) || !isNeeded ? [] : [`--${name.replaceAll('_', '-')}`, wordOf(name)]
  })
  const places = positional.filter((name) => entries[name] && !shapeOf(entries[name]).optional)
  return [...command.name.split(' '), ...places.map(wordOf), ...flags]
}

/** The prefixes of ids by the name of an argument, where it is not the start of the name of a record type. */
const prefixes: Readonly<Record<string, string>> = {
  agency_id: 'agc',
  workspace_id: 'wsp',
  location_id: 'loc',
  review_id: 'rev',
  lead_id: 'led',
  site_id: 'sit',
  user_id: 'usr',
  tracker_id: 'trk',
  mention_id: 'men',
  post_id: 'pst',
  report_id: 'rep',
  prompt_id: 'vpr',
  connection_id: 'con',
  job_id: 'job',
}

function given(name: string, schema: v.GenericSchema, ids: ReadonlyMap<string, string>): string {
  const { kind, values, element } = shapeOf(schema)
  const prefix = prefixes[name]
  const id = prefix && ids.get(prefix)
  if (id) return id
  if (values) return String(values[0])
  if (element?.values) return String(element.values[0])
  if (kind === 'number' || kind === 'integer') return '3'
  if (kind === 'object') return '{}'
  if (/_at$|until|date|today/.test(name)) return '2030-01-01T00:00:00Z'
  if (name === 'domain') return 'busy.example.com'
  if (name.includes('email')) return 'ada@example.com'
  if (name.includes('url')) return 'https://example.com/hook'
  return 'Something'
}
