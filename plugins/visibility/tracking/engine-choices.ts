import type { OwnerContext } from 'renown'
import { engineId, type VisibilityEngine, visibilityEngine } from '../engines/engine'

/** A way to ask one engine. */
export interface EngineWay {
  readonly provider: string
  /** Settings that are missing. Empty if it can be asked. */
  readonly needs: readonly string[]
}

/** An engine that a tracker can have, and the ways to reach it. */
export interface EngineChoice {
  readonly engine: string
  readonly label: string
  readonly ways: readonly EngineWay[]
}

const labels: Readonly<Record<string, string>> = {
  direct: "Each assistant's own API",
  dataforseo: 'DataForSEO, as people see the answers',
  recorded: 'Recorded answers from a file',
}

/** Name of a way to reach engines, for people. */
export const providerLabel = (provider: string): string => labels[provider] ?? provider

const orderOf = ({ provider }: EngineWay) => [...Object.keys(labels), provider].indexOf(provider)

/** Returns all engines that plugins provide, each once. */
export function engineChoices(ctx: Pick<OwnerContext, 'extensions' | 'settings'>): EngineChoice[] {
  const byId = Map.groupBy(ctx.extensions(visibilityEngine), engineId)
  const all = [...byId].toSorted(([a], [b]) => a.localeCompare(b))
  return all.map(([engine, ways]) => ({
    engine,
    label: labelOf(ways[0], engine),
    ways: ways
      .map((one) => ({ provider: one.provider, needs: [...one.needs(ctx)] }))
      .toSorted((a, b) => orderOf(a) - orderOf(b)),
  }))
}

const labelOf = (one: VisibilityEngine | undefined, engine: string): string =>
  one?.version === undefined ? (one?.label ?? engine) : `${one.label} (${one.version})`
