import type { AnyEntity, BaseRow, NewRow } from './entity'
import type { AnyEventType, NewEvent } from './event-type'
import type { OwnerContext, TableDeclaration } from './owner'
import type { PlatformIds } from './platform-id'
import type { PreparedChange } from './proposal'

/** A stream of random values. The demo's seed and the stream's name determine every value. */
export interface DemoRandom {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number
  /** Returns a whole number between `min` and `max`, both included. */
  integer(min: number, max: number): number
  /** Returns true with this probability. */
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** Returns one of the keys, each as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
  /** Returns a random time of the UTC day `daysAgo` days before the demo's day, in whole milliseconds. */
  instant(daysAgo: number): string
}

/** A sample business of the demo, with texts about it in its own language. */
export interface DemoBusiness {
  readonly id: string
  readonly workspace_id: string
  readonly key: string
  readonly name: string
  readonly category: string
  /** The trade, in the language of the business, as people type it into a search. */
  readonly trade: string
  /** The services it offers, in its own language. */
  readonly services: readonly string[]
  /** BCP 47. */
  readonly language: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly city: string
  readonly timezone: string
  readonly domain: string
  /** Where its customers review it: a listing on a map, or a page of its own. */
  readonly listing: 'map' | 'page'
  /** The platform of its listing. Undefined if no loaded plugin provides one. */
  readonly source: string | undefined
  /** Its ids on that platform. */
  readonly ids: PlatformIds
  readonly competitors: readonly string[]
  /** How satisfied its customers are, from 0 to 1. */
  readonly quality: number
  /** Reviews per month. */
  readonly reviewsPerMonth: number
}

/** A sample workspace of the demo. */
export interface DemoWorkspace {
  readonly id: string
  readonly name: string
  readonly timezone: string
  readonly locale: string
}

/** The output fields that explain missing figures. */
export interface DemoWorld {
  /** The last UTC day of the demo. Past events are before it, planned ones on it or later. */
  readonly today: string
  /** How names of the demo are marked, such as `demo`. */
  readonly label: string
  readonly agency_id: string
  readonly workspaces: readonly DemoWorkspace[]
  readonly businesses: readonly DemoBusiness[]
  /** Businesses that the agency wants to win as clients. */
  readonly prospects: readonly DemoBusiness[]
  /**
   * Texts that break careless code, for tests: markup, commands, right-to-left marks, very long words. Empty
   * in the demo that people see.
   */
  readonly edgeCases: readonly string[]
  random(stream: string): DemoRandom
  /** Returns the id of a key in this demo. */
  id(entity: Pick<AnyEntity, 'idPrefix'>, key: string): string
  /** Returns the instant `daysAgo` days before today, at this UTC hour. */
  at(daysAgo: number, hour?: number): string
}

/** A row of a demo as it is stored, with its id, its workspace and its dates. */
export type DemoRow<E> = NewRow<E> & Omit<BaseRow, 'updated_date'> & { readonly updated_date?: string }

/** Rows of one entity, or of a table of columns. */
export type DemoRows =
  | { readonly entity: AnyEntity; readonly rows: readonly object[] }
  | { readonly table: TableDeclaration; readonly rows: readonly Readonly<Record<string, unknown>>[] }

/**
 * How many days of events the logs of the demo hold. It is the same for every type of event, so that the events since the first
 * day of a log are those of the rows since then.
 */
export const demoLoggedDays = 30

/** An event of a demo, as the plugin would have published it then. */
export interface DemoEvent {
  readonly type: AnyEventType
  /** When it happened (ISO 8601). */
  readonly at: string
  /** With its key. */
  readonly event: NewEvent
}

/** A sample of a change that an agent proposed. */
export interface SampleProposal {
  readonly workspace_id: string
  /** Name of the command. */
  readonly change: string
  readonly reason: string
  readonly state:
    | 'open'
    | 'approved'
    | 'queued'
    | 'done'
    | 'failed'
    | 'declined'
    | 'expired'
    | 'outdated'
    | 'unknown'
  /** As `prepare` of the command returns it. */
  readonly prepared: PreparedChange<unknown>
}

/** The sample rows of a plugin, and how it removes those that are not stored in documents. */
export interface DemoDeclaration {
  /** Returns the sample rows. Pure: it uses no clock, and no random values except those of the world. */
  rows(world: DemoWorld): readonly DemoRows[]
  /** Returns the events of these rows, in any order. Core adds them to the logs of their workspaces. */
  events?(world: DemoWorld, rows: readonly DemoRows[]): readonly DemoEvent[]
  /** Returns sample proposals of the plugin's commands. Pure, like `rows`. */
  proposals?(world: DemoWorld): readonly SampleProposal[]
  /** Called before the demo's documents are removed. Core removes the documents. */
  remove?(ctx: OwnerContext, workspaceIds: readonly string[]): Promise<void>
}
