import type { JsonObject } from './json'

/** A record type that the installation publishes. */
export interface PublishedType {
  readonly name: string
  readonly reads: readonly string[]
  readonly fields: readonly JsonObject[]
}

/** An operation that the installation publishes. */
export interface PublishedOperation {
  readonly name: string
  readonly class: string
}
