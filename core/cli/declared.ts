import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type * as v from 'valibot'
import type { AnyCommand } from '../contracts/plugin'
import { type Shape, shapeOf } from '../kit/fields'

export type RunDeclared = (command: AnyCommand, input: Record<string, unknown>) => Promise<void>

/** Adds the commands that plugins declare. The words of a name become nested commands, the input their options. */
export function addDeclared(program: Command, commands: readonly AnyCommand[], run: RunDeclared): void {
  for (const declared of commands) {
    const words = declared.name.split(' ')
    const parent = words.slice(0, -1).reduce(group, program)
    const name = words.at(-1) ?? ''
    const known = parent.commands.find((command) => command.name() === name)
    // A word can be a verb and the thing of others: `review reply` and `review reply cancel`.
    complete(known ?? parent.command(name), declared, run)
  }
  for (const command of program.commands) describeGroup(command)
}

/** The option of every command, including those with subcommands such as `jobs`. */
export const jsonOption = () => new Option('--json', 'print one JSON line')

/** Describes a group by its commands: `create, list, token rotate`. */
function describeGroup(command: Command): void {
  if (command.commands.length > 0 && command.description() === '')
    command.description(inside(command).join(', '))
  for (const child of command.commands) describeGroup(child)
}

const inside = (command: Command): string[] =>
  command.commands.flatMap((child) =>
    child.commands.length === 0 ? [child.name()] : inside(child).map((name) => `${child.name()} ${name}`),
  )

function group(parent: Command, word: string): Command {
  return parent.commands.find((command) => command.name() === word) ?? parent.command(word)
}

function complete(command: Command, declared: AnyCommand, run: RunDeclared): void {
  command.description(declared.summary)
  const positional = declared.positional ?? []
  const inputs = inputsOf(declared)
  for (const name of positional) {
    const input = inputs.get(name)
    if (input) command.addArgument(argument(name, input))
  }
  for (const [name, input] of inputs) {
    if (!positional.includes(name)) for (const option of options(name, input)) command.addOption(option)
  }
  command.addOption(jsonOption())
  command.addHelpText('after', `\nExample:\n  $ bun renown ${example(declared, inputs)}`)
  command.action(async (...given: unknown[]) => {
    const typed: Record<string, unknown> = {}
    positional.forEach((name, place) => {
      if (given[place] !== undefined) typed[name] = given[place]
    })
    const flags = command.opts()
    for (const name of inputs.keys()) {
      const value = flags[camel(name)]
      if (value !== undefined) typed[name] = value
    }
    await run(declared, typed)
  })
}

interface Input extends Shape {
  /** Whether the part is optional. */
  readonly free: boolean
  readonly fallback: unknown
}

function inputsOf(declared: AnyCommand): Map<string, Input> {
  const { entries = {} } = declared.input as { entries?: Record<string, v.GenericSchema> }
  return new Map(
    Object.entries(entries).map(([name, schema]) => {
      const shape = shapeOf(schema)
      const fallback = 'default' in schema ? (schema as { default: unknown }).default : undefined
      return [name, { ...shape, free: shape.optional, fallback }]
    }),
  )
}

function argument(name: string, input: Input): Argument {
  const { description = '', free, element } = input
  const shown = free ? `[${name}${element ? '...' : ''}]` : `<${name}${element ? '...' : ''}>`
  return new Argument(shown, description).argParser(parserOf(name, input))
}

function options(name: string, input: Input): Option[] {
  const { description = '', free, fallback, kind, values } = input
  const flag = `--${name.replaceAll('_', '-')}`
  if (kind === 'boolean') {
    const yes = new Option(flag, description)
    return fallback === true ? [yes, new Option(`--no-${flag.slice(2)}`, `Turn ${flag} off`)] : [yes]
  }
  const option = new Option(`${flag} <${kind === 'array' ? 'list' : kind}>`, description)
  if (values) option.choices(values.map(String))
  option.argParser(parserOf(name, input))
  return [option.makeOptionMandatory(!free)]
}

/** Returns a parser from typed text to the value of the schema. The schema reports remaining errors. */
function parserOf(name: string, { kind, values, element }: Input) {
  return (text: string, before: unknown): unknown => {
    if (kind === 'array') {
      const parts = text.split(',').map((part) => part.trim())
      const items = element?.kind === 'number' || element?.kind === 'integer' ? parts.map(Number) : parts
      return Array.isArray(before) ? [...before, ...items] : items
    }
    if (kind === 'number' || kind === 'integer') return Number(text)
    if (kind === 'object') return parseObject(name, text)
    if (values && !values.includes(text)) {
      throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`)
    }
    return text
  }
}

function parseObject(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError(`${name} must be JSON, such as '{"key":"value"}'.`)
  }
}

function example({ name, positional = [] }: AnyCommand, inputs: Map<string, Input>): string {
  const given = positional.map((key) => sample(key, inputs.get(key)))
  const flags = [...inputs]
    .filter(([key, input]) => !input.free && !positional.includes(key))
    .map(([key, input]) => `--${key.replaceAll('_', '-')} ${sample(key, input)}`)
  return [name, ...given, ...flags].join(' ')
}

function sample(key: string, input: Input | undefined): string {
  if (input?.values) return String(input.values[0])
  if (key === 'domain') return 'example.com'
  if (key.endsWith('_id')) return `<${key}>`
  if (key.includes('name')) return '"Corner Bakery"'
  return `<${key}>`
}

const camel = (name: string) => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
