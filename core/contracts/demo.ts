import type { AnyEntity, BaseRow, NewRow } from './entity'
import type { OwnerContext, TableDeclaration } from './owner'

/** A stream of random values. The demo's seed and the stream's name determine every value. */
export interface DemoRandom {
  /** At least 0 and below 1. */
  next(): number
  /** A whole number, both ends included. */
  integer(min: number, max: number): number
  /** True in this share of the draws. */
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** One of the keys, as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
  /** Some time of the UTC day that many days before the demo's own; a fraction of a millisecond never. */
  instant(daysAgo: number): string
}

/** A sample business of the demo, with texts about it in its own language. */
export interface DemoBusiness {
  readonly id: string
  readonly workspace_id: string
  readonly key: string
  readonly name: string
  readonly category: string
  /** What it is, in its own language, as a searcher would type it. */
  readonly trade: string
  /** What it offers, in its own language. */
  readonly services: readonly string[]
  /** BCP 47. */
  readonly language: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly city: string
  readonly timezone: string
  readonly domain: string
  readonly source: string
  readonly competitors: readonly string[]
  /** How content its customers are, 0 to 1. */
  readonly quality: number
  /** Reviews in a month. */
  readonly reviewsPerMonth: number
}

/** A sample workspace of the demo. */
export interface DemoWorkspace {
  readonly id: string
  readonly name: string
  readonly timezone: string
  readonly locale: string
}

/** The input for every row of a demo. The same seed and day always give the same rows. */
export interface DemoWorld {
  /** The UTC day that the demo ends on: what happened lies before it, what is planned on it or later. */
  readonly today: string
  readonly agency_id: string
  readonly workspaces: readonly DemoWorkspace[]
  readonly businesses: readonly DemoBusiness[]
  /** Businesses being pitched, beside the others. */
  readonly prospects: readonly DemoBusiness[]
  /** Texts that break careless code, for tests: markup, commands, right-to-left marks, great length. Empty in the demo that people see. */
  readonly edgeCases: readonly string[]
  random(stream: string): DemoRandom
  /** The id that a key has in this world. */
  id(entity: Pick<AnyEntity, 'idPrefix'>, key: string): string
  /** The day that many days before today, at this time of day, UTC. */
  at(daysAgo: number, hour?: number): string
}

/** A row of a demo as it is stored, with its id, its workspace and its dates. */
export type DemoRow<E> = NewRow<E> & Omit<BaseRow, 'updated_date'> & { readonly updated_date?: string }

/** Rows of one entity, or of a table of columns. */
export type DemoRows =
  | { readonly entity: AnyEntity; readonly rows: readonly object[] }
  | { readonly table: TableDeclaration; readonly rows: readonly Readonly<Record<string, unknown>>[] }

/** What a plugin adds to a demo, and how it removes what is not stored in documents. */
export interface DemoDeclaration {
  /** Pure: no clock, no chance but the world's. */
  rows(world: DemoWorld): readonly DemoRows[]
  /** Called while the demo's documents still stand. Documents are removed by the core. */
  remove?(ctx: OwnerContext, workspaceIds: readonly string[]): Promise<void>
}
