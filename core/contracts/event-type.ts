import type { GenericSchema, InferInput, InferOutput } from 'valibot'

/**
 * A type of events, such as `review.received`. Its data contains ids, links and numbers, but no texts of reviews,
 * names or addresses of people.
 */
export interface EventType<Data extends GenericSchema = GenericSchema> {
  /** `<record>.<what happened>` in snake_case. */
  readonly name: string
  /** What happened, as a sentence for the owners of webhooks. */
  readonly summary: string
  /** A `v.strictObject` of the fields that `data` has. */
  readonly data: Data
  /** Data of an event, for docs and test deliveries. */
  readonly example: InferInput<Data>
}

/** A type of events with any data. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds event types of any data
export type AnyEventType = EventType<any>

/** An event to publish. */
export interface NewEvent<Data extends GenericSchema = GenericSchema> {
  readonly workspace_id: string
  readonly location_id?: string
  /**
   * Identifies what happened within its type. A second event of the workspace with the same type and key is not
   * recorded, so work that is repeated after a crash can publish again. At most 200 characters. Without a key, every
   * call records an event.
   */
  readonly key?: string
  /** The record that the event is about. */
  readonly entity?: string
  readonly entity_id?: string
  readonly data: InferOutput<Data>
}

/** An event as it is stored in the log of its workspace. */
export interface RecordedEvent {
  readonly id: string
  readonly workspace_id: string
  readonly type: string
  /** Position in the log of the workspace. Later events have higher numbers. */
  readonly seq: number
  readonly occurred_at: string
  readonly location_id?: string
  readonly entity?: string
  readonly entity_id?: string
  readonly data: Readonly<Record<string, unknown>>
}
