import * as v from 'valibot'

/** The text of a message in the plural forms of its language. `count` chooses the form, by `Intl.PluralRules`. */
export type PluralForms = { readonly other: string } & {
  readonly [Form in Intl.LDMLPluralRule]?: string
}

/** A message of a catalog: a text with placeholders such as `{name}`, or its plural forms. */
export type Message = string | PluralForms

/** The messages of a room, by key. */
export type Messages = Readonly<Record<string, Message>>

/** The messages of a room in English, and in every language that has a file. */
export interface Catalog<M extends Messages = Messages> {
  /** The name of the room, such as `inbox`. */
  readonly room: string
  readonly english: M
  /** The other languages by tag, such as `de`. A language can lack messages. */
  readonly translations: ReadonlyMap<string, Messages>
}

/** What a placeholder stands for. Numbers, days, times and lists are formatted in the language of the page. */
export type PhraseValue =
  | string
  | number
  | Phrase
  /** A day, such as `2026-03-14`. */
  | { readonly day: string }
  /** A time, ISO 8601. It is shown in the time zone of the page. */
  | { readonly instant: string }
  | { readonly list: readonly (string | Phrase)[] }

/** A message of a catalog with its values. It becomes a text when the language of the page is known. */
export interface CatalogPhrase {
  readonly catalog: Catalog
  readonly key: string
  readonly values: Readonly<Record<string, PhraseValue>>
}

/** A text that exists in one language only, such as an error that was stored in English. */
export interface FixedPhrase {
  readonly text: string
  /** The language of the text, such as `en`. */
  readonly lang: string
}

/** A text whose language is known: a message of a catalog, or a text in one language. */
export type Phrase = CatalogPhrase | FixedPhrase

/** A text on a page: a phrase, or a plain text whose language nobody knows, such as a name. */
export type Wording = string | Phrase

/** A text in the language of the page. */
export interface ShownText {
  readonly text: string
  /** The language of the text if it is not that of the page. */
  readonly lang?: string
}

/** Names of the placeholders in a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

type NamesOf<M extends Message> = M extends string
  ? NamesIn<M>
  : NamesIn<Extract<M[keyof M], string>> | 'count'

/** Names of the placeholders of a message. */
export type PlaceholdersOf<M extends Message> = NamesOf<M>

/** The values that a message needs, by placeholder. */
export type ValuesFor<M extends Message> = {
  readonly [Name in NamesOf<M>]: M extends string ? PhraseValue : Name extends 'count' ? number : PhraseValue
}

/** The arguments after the key: none for a message without placeholders. */
export type ArgsFor<M extends Message> = [NamesOf<M>] extends [never] ? [] : [values: ValuesFor<M>]

/** The words of a room: a function from a key and its values to a phrase. */
export interface RoomWords<M extends Messages = Messages> {
  <Key extends keyof M & string>(key: Key, ...values: ArgsFor<M[Key]>): Phrase
  readonly catalog: Catalog<M>
}

/** The words of any room. */
// biome-ignore lint/suspicious/noExplicitAny: a page declares words with any messages
export type AnyWords = { readonly catalog: Catalog<any> }

/** The messages of words. */
export type MessagesOf<W extends AnyWords> = W['catalog']['english']

/** A file with the messages of a room in another language. It can lack messages, and can have other plural forms. */
export type TranslationOf<M extends Messages> = {
  readonly [Key in keyof M]?: M[Key] extends string ? string : PluralForms
}

/** Whether a value is a phrase. Checks the shape, because plugins return phrases. */
export const isPhrase = (value: unknown): value is Phrase => {
  if (typeof value !== 'object' || value === null) return false
  const { catalog, key, text, lang } = value as Partial<CatalogPhrase & FixedPhrase>
  if (catalog === undefined) return typeof text === 'string' && text !== '' && typeof lang === 'string'
  return typeof key === 'string' && catalog.english[key] !== undefined
}

/** Returns the schema of a wording: a phrase, or a text of at most `max` characters that is not empty if there is a maximum. */
export const wordingSchema = (max?: number): v.GenericSchema<Wording> =>
  v.union([
    max === undefined ? v.string() : v.pipe(v.string(), v.minLength(1), v.maxLength(max)),
    v.custom<Phrase>(isPhrase, 'a phrase of a catalog'),
  ])
