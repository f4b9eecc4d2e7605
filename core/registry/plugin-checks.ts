import type { PluginDeclaration, PluginFacts } from '../contracts/plugin'
import { nearest } from '../kit/suggest'
import { version } from '../process/version'
import { deprecationFaults } from './deprecations'
import { type Form, type Forms, fits, isMap, isText, type Parts, wordsOf } from './forms'
import type { KindKey } from './kind'
import { type AnyKind, kindList, nameFaults, partsOf } from './kinds'

/** The valid part of a plugin, and its faults. */
interface CheckedPlugin {
  readonly sound: PluginDeclaration
  readonly faults: readonly string[]
}

const facts: Forms<PluginFacts> = {
  name: 'text',
  summary: 'text?',
  notYet: 'text?',
  renown: 'text',
  needs: 'texts?',
}
const pluginForms: Readonly<Record<string, Form>> = {
  ...facts,
  ...Object.fromEntries(kindList.map(([key, { form }]) => [key, form])),
}

/**
 * Returns what is malformed in a plugin's declaration, and the declaration without it. A plugin in plain JavaScript
 * has no compiler, so a misspelt key such as `hiden` must be reported, not ignored.
 */
export function checkPluginShape(given: unknown): CheckedPlugin {
  if (!isMap(given)) return { sound: { name: 'unnamed', renown: '*' }, faults: ['A plugin is not an object'] }
  const at = typeof given.name === 'string' ? given.name : 'A plugin without a name'
  const faults = shapeFaults(at, pluginForms, given)
  const sound: Record<string, unknown> = { ...given }
  if (typeof given.name !== 'string') sound.name = 'unnamed'
  for (const [key, form] of Object.entries(pluginForms)) {
    if (key in given && !fits(form, given[key])) delete sound[key]
  }
  for (const [key, kind] of kindList) {
    const { [key]: held } = sound
    if (kind.shape === null || (!isMap(held) && !Array.isArray(held))) continue
    const kept = Object.entries(held).filter(([name, part]) => {
      const found = partFaults(at, kind, labelOf(key, kind, name, part), part)
      faults.push(...found)
      return found.length === 0 || (isMap(part) && kind.isReadable?.(part) === true)
    })
    sound[key] = Array.isArray(held) ? kept.map(([, part]) => part) : Object.fromEntries(kept)
  }
  return { sound: faults.length === 0 ? (given as never) : (sound as never), faults }
}

function labelOf(key: KindKey, { word, namedBy }: AnyKind, name: string, part: unknown): string {
  const named = isMap(part) && namedBy !== undefined ? part[namedBy] : undefined
  if (isText(named)) return `${word} ${named}`
  return /^\d+$/.test(name) ? `${key}[${name}]` : `${word} ${name}`
}

function partFaults(plugin: string, kind: AnyKind, label: string, part: unknown): string[] {
  const at = `${plugin}: ${label}`
  if (!isMap(part)) return [`${at} is not an object`]
  if (kind.isElsewhere?.(part) || kind.shape === null) return []
  return shapeFaults(at, kind.shape, part, kind.isOpen)
}

function shapeFaults(
  at: string,
  known: Readonly<Record<string, Form>>,
  part: Parts,
  isOpen = false,
): string[] {
  const wrong = Object.entries(known).flatMap(([key, form]) => {
    if (fits(form, part[key])) return []
    const wanted = wordsOf(form)
    return part[key] === undefined
      ? [`${at} has no ${key}: it is ${wanted}`]
      : [`${at}: ${key} is not ${wanted}`]
  })
  if (isOpen) return wrong
  const strange = Object.keys(part).filter((key) => !Object.hasOwn(known, key))
  return [
    ...wrong,
    ...strange.map((key) => `${at}: ${key} is not a key of its declaration${meant(key, known)}`),
  ]
}

function meant(key: string, known: object): string {
  const near = nearest(key, Object.keys(known))
  return near ? `; did you mean ${near}?` : ''
}

/** Returns what is wrong inside one plugin, or between its requirements and the loaded plugins. */
export function pluginFaults(plugin: PluginDeclaration, all: readonly PluginDeclaration[]): string[] {
  const { name: at, renown, needs = [] } = plugin
  const faults = nameFaults(at, 'plugin', at, [/^[a-z][a-z0-9-]*$/, 'kebab-case'])
  if (!/[\d*]/.test(renown ?? '') || !Bun.semver.satisfies(version, renown))
    faults.push(`${at} works with renown ${renown}, but this is ${version}`)
  for (const need of needs) {
    if (!all.some(({ name }) => name === need))
      faults.push(`${at} needs the plugin ${need}, which is not loaded`)
  }
  for (const [key, kind] of kindList) {
    for (const [name, part] of partsOf(plugin, key, kind)) {
      if (kind.names) faults.push(...nameFaults(at, kind.word, name, kind.names))
      faults.push(...(kind.check?.(part as never, name, at) ?? []))
    }
    faults.push(...(kind.checkPlugin?.(plugin) ?? []))
  }
  return [...faults, ...deprecationFaults(plugin)]
}
