import * as v from 'valibot'
import type { BaseRow } from './entity'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'
import type { OwnerContext } from './owner'

/** What a plugin gets to erase a person from a row. */
export interface ErasureTask {
  /** Whether the row is about the person. If not, a text of it only names them. */
  readonly isAbout: boolean
  /** Returns a copy of a value without the person: each place that names them, or quotes their words, is `[erased]`. */
  redact<T>(value: T): T
  /**
   * Remembers a key of a thing outside, such as the id of a review at its platform. Only a digest of it is stored.
   * `ErasedPeople.isBlocked` then finds it when the thing is read again.
   */
  block(key: string): Promise<void>
}

/** Erases people from the rows of one record type, where changing fields is not enough. */
export interface PersonErasure extends Extension {
  /** Name of the record type. */
  readonly record_type: string
  /** Idempotent. The row may be changed or gone already. */
  erase(ctx: OwnerContext, row: BaseRow, task: ErasureTask): Promise<void>
}

/** Erasure of rows that need more than new values of their fields. */
export const personErasure: ExtensionPoint<PersonErasure> = defineExtensionPoint<PersonErasure>({
  id: 'people.erasure',
  summary: 'Erases a person from the rows of a record type, where changing fields is not enough',
  isOptional: true,
  shape: { record_type: v.string(), erase: v.function() },
})
