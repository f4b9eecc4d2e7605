import type { PluginDeclaration } from '../contracts/plugin'
import type { Own, ProvidedNames, Rule } from './kind'
import { type AnyKind, kindList, partsOf } from './kinds'
import { type Confinable, isCore, keysOf, ownExtension, ownOf } from './own-context'

/** Adds to each plugin the settings that the others share. */
export function withShared(all: readonly PluginDeclaration[]): readonly Confinable[] {
  const readableSettings = all.flatMap(({ settings }) => settings?.shared ?? [])
  return all.map((plugin) => ({ ...plugin, readableSettings, isCore: isCore(plugin) }))
}

/**
 * Returns the plugin whose functions get contexts with its own rights, as the table of kinds says for each function. The
 * registry applies it to every plugin, so nothing that a plugin declares has the rights of another plugin.
 */
export function confined<P extends Confinable>(plugin: P): P {
  const own = ownOf(plugin)
  return withParts(plugin, (kind, part, holder) =>
    given(kind.contexts as Rules, { own, part, holder, of: part }),
  )
}

/**
 * Returns a plugin whose `field.provided` fields and inputs also accept the provided names. Returns the same
 * plugin if no name is new.
 */
export const withNames = <P extends PluginDeclaration>(plugin: P, names: ProvidedNames): P =>
  withParts(plugin, (kind, part) => kind.widened?.(part as never, names) ?? part)

/** Returns the plugin with each of its declarations changed, or itself if none changes. */
function withParts<P extends PluginDeclaration>(
  plugin: P,
  change: (kind: AnyKind, part: unknown, holder: object) => unknown,
): P {
  const changes: Record<string, unknown> = {}
  for (const [key, kind] of kindList) {
    const held = plugin[key] as object
    const parts = partsOf(plugin, key, kind)
    const changed = parts.map(([name, part]) => [name, change(kind, part, held)] as const)
    if (changed.every(([, part], at) => part === parts[at]?.[1])) continue
    if (kind.holds === 'one') changes[key] = changed[0]?.[1]
    else if (kind.holds === 'list') changes[key] = changed.map(([, part]) => part)
    else changes[key] = Object.fromEntries(changed)
  }
  return Object.keys(changes).length === 0 ? plugin : { ...plugin, ...changes }
}

type Rules = Rule | { readonly [name: string]: Rules }

const isRule = (rules: Rules): rules is Rule => 'gives' in rules

/** A value inside a declaration, what holds it, and the declaration's innermost part with a name. */
interface Inner {
  readonly own: Own
  readonly part: unknown
  readonly holder: object
  readonly of: unknown
}

/** Returns a declaration, or a part of one, whose functions get what the rules say. The same if no function gets a context. */
function given(rules: Rules, { own, part, holder, of }: Inner): unknown {
  if (typeof part !== 'object' && typeof part !== 'function') return part
  if (part === null) return part
  if (isRule(rules)) {
    if (rules.gives === 'any') return ownExtension(own, part)
    const { give } = rules
    if (give === null || typeof part !== 'function') return part
    return (...args: unknown[]) =>
      Reflect.apply(part, holder, [give(own, args, of as object), ...args.slice(1)])
  }
  const changes = keysOf(part).flatMap((key) => {
    const rule = rules[key] ?? rules.each
    const inner = (part as Readonly<Record<string, unknown>>)[key]
    if (rule === undefined) return []
    const changed = given(rule, { own, part: inner, holder: part, of: isRule(rule) ? of : inner })
    return changed === inner ? [] : [[key, changed] as const]
  })
  if (changes.length === 0) return part
  // The methods of a class are not copied by a spread.
  const all = keysOf(part).map((key) => [key, (part as Readonly<Record<string, unknown>>)[key]] as const)
  return Object.fromEntries([...all, ...changes])
}
