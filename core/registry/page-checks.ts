import type { AnyCard } from '../contracts/card'
import { homeCard } from '../contracts/home'
import type { AnyPage } from '../contracts/page'
import type { PluginDeclaration } from '../contracts/plugin'
import type { PublicPageDeclaration } from '../contracts/public-page'

/** Addresses under /app that are not pages. */
const reserved = ['assets', 'data', 'events']

/** Returns what is wrong with a page and its actions. */
export function pageFaults({
  path,
  module,
  actions = {},
  submit,
  record,
  cards,
  isStatic,
}: AnyPage): string[] {
  const at = `page ${path}`
  const faults: string[] = []
  if (reserved.includes(path.split('/')[2] ?? '')) faults.push(`${at} is under an address that core uses`)
  if (module.protocol !== 'file:' || !/\.[jt]sx$/.test(module.pathname))
    faults.push(`${at}: module must be a .tsx or .jsx file`)
  if (cards && !(record && isStatic)) faults.push(`${at}: a page with cards must have record and isStatic`)
  for (const [name, { input, auth }] of Object.entries({ ...actions, ...(submit && { submit }) })) {
    if (input.type !== 'strict_object')
      faults.push(`${at}: the input of action ${name} must be a v.strictObject`)
    if (auth !== 'session' && auth !== 'recent')
      faults.push(`${at}: auth of action ${name} must be session or recent`)
  }
  return faults
}

/** Returns what is wrong with a page that needs no account. */
export function publicPageFaults(
  name: string,
  { find, page, files, uploads }: PublicPageDeclaration,
): string[] {
  const at = `public page ${name}`
  if (!page && !files && !uploads) return [`${at} has neither a page nor files`]
  if ((page || files) && !find) return [`${at} has no find: it is a function`]
  const { module, submit } = page ?? {}
  const isModule = !module || (module.protocol === 'file:' && /\.[jt]sx$/.test(module.pathname))
  return [
    ...(isModule ? [] : [`${at}: module must be a .tsx or .jsx file`]),
    ...(submit && submit.input.type !== 'strict_object'
      ? [`${at}: the input of its form must be a v.strictObject`]
      : []),
  ]
}

interface Held {
  readonly plugin: string
  readonly card: AnyCard
}

/**
 * Returns what is wrong with the cards of plugins: components, inputs of actions, and names that occur twice
 * on one page.
 */
export function cardFaults(all: readonly PluginDeclaration[]): string[] {
  const pages = all.flatMap(({ pages = [] }) => pages.filter(({ cards }) => cards))
  const points = new Set(pages.map(({ cards }) => cards?.id))
  const faults = pages.flatMap(({ path, cards, actions = {}, record }) => {
    const own = Object.keys(actions).map((name) => [name, path] as const)
    return [...clashes(own, cardsOf(all, cards?.id)), ...reservedFields(all, cards?.id, record?.param)]
  })
  const shown = [...points].flatMap((id) => cardsOf(all, id).flatMap((one) => cardFault(one)))
  const home = cardsOf(all, homeCard.id)
  return [...faults, ...shown, ...clashes([], home), ...home.flatMap(inputFaults)]
}

const cardsOf = (all: readonly PluginDeclaration[], id: string | undefined): Held[] =>
  all.flatMap((plugin) =>
    (plugin.provides ?? [])
      .filter(({ point }) => point === id)
      .map(({ extension }) => ({ plugin: plugin.name, card: extension as AnyCard })),
  )

function clashes(own: readonly (readonly [string, string])[], cards: readonly Held[]): string[] {
  const owners = new Map(own)
  return cards.flatMap(({ plugin, card }) =>
    Object.keys(card.actions ?? {}).flatMap((name) => {
      const first = owners.get(name)
      owners.set(name, first ?? `the card ${card.name} of ${plugin}`)
      return first === undefined
        ? []
        : [`${plugin}: the action ${name} of its card ${card.name} is one of ${first} already`]
    }),
  )
}

/** Fields that Renown reads itself in every form of a page. */
export const ownFields = ['csrf', 'back'] as const

function reservedFields(
  all: readonly PluginDeclaration[],
  id: string | undefined,
  param: string | undefined,
): string[] {
  const taken = new Set<string>([...ownFields, ...(param === undefined ? [] : [param])])
  return cardsOf(all, id).flatMap(({ plugin, card }) =>
    Object.entries(card.actions ?? {}).flatMap(([name, { input }]) =>
      Object.keys((input as { entries?: object })?.entries ?? {})
        .filter((field) => taken.has(field))
        .map(
          (field) =>
            `${plugin}: the action ${name} of its card ${card.name} has a field ${field}, which Renown reads`,
        ),
    ),
  )
}

function cardFault(held: Held): string[] {
  const { plugin, card } = held
  const module: unknown = card.module
  const isFile = module instanceof URL && module.protocol === 'file:' && /\.[jt]sx$/.test(module.pathname)
  return isFile
    ? inputFaults(held)
    : [`${plugin}: module of its card ${card.name} must be a .tsx or .jsx file`, ...inputFaults(held)]
}

function inputFaults({ plugin, card }: Held): string[] {
  return Object.entries(card.actions ?? {}).flatMap(([name, action]) => [
    ...(/^[a-z][a-z0-9-]*$/.test(name)
      ? []
      : [`${plugin}: action name "${name}" of its card ${card.name} must be kebab-case`]),
    ...((action as { input?: { type?: unknown } } | undefined)?.input?.type === 'strict_object'
      ? []
      : [`${plugin}: the input of action ${name} of its card ${card.name} must be a v.strictObject`]),
  ])
}
