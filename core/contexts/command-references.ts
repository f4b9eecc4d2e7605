import type * as v from 'valibot'
import type { ListQuery } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { AnyCommand, OwnerContext } from '../contracts/plugin'
import { type Reference, referencesIn } from '../registry/references'
import type { Registry } from '../registry/registry'
import { candidatesAmong, type ListNamed, type NamedRow, namingFields, rowsNamed } from './named-rows'
import { noneNamed, severalNamed } from './reference-refusals'
import { isIdOf } from './references'

/**
 * Returns the input of a command with ids in place of names, domains and addresses of records. Operators read every workspace, so
 * all are searched. Throws for an id that no record has, so that no command answers with an empty list for it.
 */
export async function resolveCommand(
  registry: Registry,
  owner: Pick<OwnerContext, 'rows'>,
  command: AnyCommand,
  input: unknown,
): Promise<unknown> {
  if (input === null || typeof input !== 'object') return input
  const references = commandReferences(registry, command)
  const meant: Record<string, unknown> = { ...input }
  for (const { path, entity } of references) {
    const [name = '', ...inside] = path
    const given = meant[name]
    if (inside.length === 0 && typeof given === 'string') meant[name] = await idOf(owner, name, entity, given)
  }
  return meant
}

/** Returns the arguments of a command that name records. */
export const commandReferences = (registry: Registry, command: AnyCommand): readonly Reference[] =>
  referencesIn(registry, command.input as v.GenericSchema, pluginOf(registry, command.name))

const pluginOf = (registry: Registry, name: string): string =>
  [...registry.plugins.values()].find(({ commands = [] }) => commands.some((one) => one.name === name))
    ?.name ?? ''

async function idOf(
  owner: Pick<OwnerContext, 'rows'>,
  argument: string,
  entity: AnyEntity,
  text: string,
): Promise<string> {
  const rows = owner.rows(entity)
  if ((await rows.get(text)) !== null) return text
  if (isIdOf(entity, text)) {
    const noun = argument.replace(/_id$/, '').replaceAll('_', ' ')
    throw new Refusal('not_found', `There is no ${noun} ${text}.`)
  }
  const list: ListNamed = async (query) =>
    (await rows.list(query as ListQuery)) as unknown as readonly NamedRow[]
  const place = { argument, entity }
  const found = await rowsNamed(list, entity, text)
  const [only, ...others] = found
  if (only && others.length === 0) return only.id
  if (only) throw severalNamed(place, found)
  throw noneNamed(place, text, namingFields(entity).length > 0 ? await candidatesAmong(list, entity) : [])
}
