import type { AnyCard } from '../contracts/card'
import { homeCard } from '../contracts/home'
import type { PluginDeclaration } from '../contracts/plugin'

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
