/**
 * What a person is searched by. A profile is a web address, a handle a name on a platform such as `anna_m`. A name counts as
 * found only where all of its words stand next to each other.
 */
export const identifierKinds = ['email', 'phone', 'name', 'profile', 'handle'] as const
/** A kind of identifier. */
export type IdentifierKind = (typeof identifierKinds)[number]

/** The path of a field, such as `author.handle`. Several paths are the parts of one value, such as first and last name. */
export type FieldPath = string | readonly string[]

/** What a record type whose rows can be about a person says of them. */
export interface PersonRows {
  /** The fields that say whom a row is about, by what they contain. */
  readonly who?: Readonly<Partial<Record<IdentifierKind, readonly FieldPath[]>>>
  /** Rows are also about a person if the row whose id is in this field is. */
  readonly through?: readonly { readonly field: string; readonly entity: string }[]
  /** Fields with the words of the person. Other records may quote them, so they are searched there too. */
  readonly words?: readonly string[]
  /**
   * What erasure does with a row about a person. `row` removes it. An object names the fields that get a new value, and null
   * removes the field. `plugin` leaves it to an implementation of `people.erasure`.
   */
  readonly erase: 'row' | 'plugin' | Readonly<Record<string, unknown>>
  /** Fields with JSON that is compressed by zstd, in base64. They are unpacked for a search. */
  readonly packed?: readonly string[]
}

/**
 * What a record type has to do with people. `nobody`: no row is about a person. All texts of a row are searched in any case,
 * because a person can be named in any of them.
 */
export type PeopleDeclaration = 'nobody' | PersonRows

/** The people who were erased in the agency of a workspace. Plugins ask before they store what was read outside. */
export interface ErasedPeople {
  /** Whether nobody was erased. */
  readonly isEmpty: boolean
  /** Whether a key was blocked by `ErasureTask.block`. */
  isBlocked(key: string): boolean
  /** Whether somebody who was erased has this identifier. */
  isErased(kind: IdentifierKind, value: string): boolean
  /** Returns a copy of a value in which no erased person is named. Returns the value itself if none is. */
  redact<T>(value: T): T
}
