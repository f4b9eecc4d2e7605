import * as v from 'valibot'
import { Refusal } from '../contracts/errors'
import { field } from '../contracts/field'
import type { Where } from '../contracts/where'
import { refusedField } from './refused-field'

/** The generator name of a draft that the caller sent. */
export const callerGenerator = 'caller'

/** What a draft replaced: its text, and who wrote it. */
export interface ReplacedDraft {
  readonly text: string
  /** The generator name. Absent if a caller sent the text. */
  readonly by?: string | undefined
}

/** The part of an operation's input that `draftInputs` declares. */
export interface DraftWish {
  readonly text?: string | undefined
  readonly if_unchanged?: string | undefined
  readonly take_back: boolean
}

/** A draft that needs no generator. `restored` is the replaced draft that it takes back, and null for the caller's own text. */
export interface OwnDraft<Replaced extends ReplacedDraft> {
  readonly text: string
  readonly generator: string
  readonly restored: Replaced | null
}

/** How a record stores a draft. */
export interface DraftField<Stored, Replaced extends ReplacedDraft> {
  /** The name of the draft in the answer of the operation. A refusal has the present draft under the same name. */
  readonly name: string
  readonly textOf: (row: Stored) => string | null | undefined
  /** Returns what callers may send as `if_unchanged` in place of the text, such as the instant of the draft. */
  readonly versionOf?: (row: Stored) => string | undefined
  readonly replacedOf: (row: Stored) => Replaced | null | undefined
}

/** Rows whose draft is replaced, such as `ctx.rows(Review)`. */
export interface DraftRows<Stored, Changes> {
  get(id: string): Promise<Stored | null>
  update(id: string, changes: Changes, onlyIf: Where): Promise<Stored | null>
}

/**
 * Returns the inputs of an operation that drafts: the caller's own text, the draft that it expects to replace, and
 * `take_back`. `noun` says what the text is, and `max` its length. Give the sentences of the other two where they differ.
 */
export const draftInputs = (
  noun: string,
  max: number,
  {
    if_unchanged = 'The draft that you expect to replace; empty for none. 409 if it is another',
    take_back = 'Restores the draft that the last one replaced. Send it without text',
  }: { readonly if_unchanged?: string; readonly take_back?: string } = {},
) => ({
  text: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1),
      v.maxLength(max),
      v.description(`Your own ${noun}. It is saved unchanged instead of generating one`),
    ),
  ),
  if_unchanged: v.optional(v.pipe(v.string(), v.maxLength(max), v.description(if_unchanged))),
  take_back: v.optional(field.flag(take_back), false),
})

/** Throws an `invalid_field` Refusal if the caller sent a text together with `take_back`. */
export function requireOneWish({ text, take_back }: Pick<DraftWish, 'text' | 'take_back'>): void {
  if (take_back && text !== undefined) throw refusedField('take_back', 'Send either text or take_back.')
}

/** Declares the draft of a record type, for operations that let callers save their own text. */
export function defineDraft<Stored extends { readonly id: string }, Replaced extends ReplacedDraft>({
  name,
  textOf,
  versionOf,
  replacedOf,
}: DraftField<Stored, Replaced>) {
  const changed = (row: Stored | null) =>
    new Refusal('conflict', 'The draft is not the one that you expected to replace. Read it first.', {
      extra: { [name]: (row && textOf(row)) ?? '' },
    })
  return {
    /**
     * Returns the caller's own text, or the draft that it takes back. Returns null if a draft must be generated. Throws a
     * Refusal if the row has another draft than the caller expects. `row` is null for a new record.
     */
    own(row: Stored | null, wish: DraftWish): OwnDraft<Replaced> | null {
      requireOneWish(wish)
      const { text, if_unchanged, take_back } = wish
      const expected = row === null ? [] : [textOf(row) ?? '', versionOf?.(row)]
      if (if_unchanged !== undefined && !expected.includes(if_unchanged)) throw changed(row)
      if (text !== undefined) return { text, generator: callerGenerator, restored: null }
      if (!take_back) return null
      const restored = row && replacedOf(row)
      if (!restored) throw new Refusal('conflict', 'No draft was replaced, so there is none to take back.')
      return { text: restored.text, generator: restored.by ?? callerGenerator, restored }
    },
    /**
     * Saves a draft, and returns the row. Throws a `conflict` Refusal with the present draft if the row no longer matches
     * `isAsRead`: somebody saved another draft while this one was written.
     */
    async replace<Changes>(
      rows: DraftRows<Stored, Changes>,
      id: string,
      changes: NoInfer<Changes>,
      isAsRead: Where,
    ): Promise<Stored> {
      const saved = await rows.update(id, changes, isAsRead)
      if (saved) return saved
      throw changed(await rows.get(id))
    },
  }
}
