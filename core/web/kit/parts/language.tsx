/** @jsxImportSource ../jsx */
import type {
  AnyWords,
  ArgsFor,
  Messages,
  MessagesOf,
  PhraseValue,
  PlaceholdersOf,
  ShownText,
} from '../../../contracts/words'
import { fillMessage, placeholder } from '../../../kit/fill-message'
import { sourceLanguage } from '../../../kit/page-locale'
import { formatMessage, type PageMessages } from '../../../kit/phrases'
import { type PageLanguage, TimeOf, usePageTime } from '../browser/page-time'
import type { Children } from '../jsx/jsx-runtime'
import english from './words/en'

/** The language of pages whose room has no words. */
export const englishPage: PageLanguage = { lang: sourceLanguage, own: { messages: {}, missing: [] } }

/** Returns the language of the page, for components that format dates or numbers. */
export const usePageLanguage = (): PageLanguage => usePageTime().language ?? englishPage

/** Sets the language of everything inside. */
export const LanguageOf = ({
  value,
  children,
}: {
  readonly value: PageLanguage
  readonly children?: Children
}) => <TimeOf value={{ ...usePageTime(), language: value }}>{children}</TimeOf>

/** Returns a text of the shared parts. */
export type PartWords = (
  key: keyof typeof english,
  values?: Readonly<Record<string, string | number>>,
) => string

/** The words of a room in the language of the page. */
export interface PageWords<M extends Messages> {
  /** Returns a message for the content of an element. A message that the language lacks is marked as English. */
  <Key extends keyof M & string>(key: Key, ...values: ArgsFor<M[Key]>): Children
  /** Returns a message as a text, for attributes. */
  text<Key extends keyof M & string>(key: Key, ...values: ArgsFor<M[Key]>): string
  /** Returns a message with elements in the place of its placeholders, such as a link or a time. */
  mixed<Key extends keyof M & string>(
    key: Key,
    elements: Readonly<Record<PlaceholdersOf<M[Key]>, Children>>,
  ): Children
}

/**
 * Returns the words of the room of the page. Import the type of the words only, so that no language gets into the
 * script: `import type { inboxWords } from './words'`, then `useWords<typeof inboxWords>()`.
 */
export const useWords = <W extends AnyWords>(): PageWords<MessagesOf<W>> => useMessages(usePageLanguage().own)

/** Returns the words of the shared parts. Their values are small numbers, and texts in the language of the page. */
export const usePartWords = (): PartWords => {
  const { lang, parts = english } = usePageLanguage()
  return (key, values = {}) => fillMessage(parts[key] ?? '', lang, values, String)
}

function useMessages<M extends Messages>({ messages, missing }: PageMessages): PageWords<M> {
  const { lang } = usePageLanguage()
  const { timezone } = usePageTime()
  const text = (key: string, values: Readonly<Record<string, PhraseValue>> = {}) => {
    const { [key]: message } = messages
    if (message === undefined) throw new Error(`The page has no words for ${key}`)
    return formatMessage(message, values, { lang: missing.includes(key) ? sourceLanguage : lang, timezone })
  }
  const words = (key: string, values?: Readonly<Record<string, PhraseValue>>) => {
    const said = text(key, values)
    return missing.includes(key) ? <span lang={sourceLanguage}>{said}</span> : said
  }
  const mixed = (key: string, elements: Readonly<Record<string, Children>>) => {
    const pieces = text(key)
      .split(placeholder)
      .map((piece, at) => (at % 2 === 1 ? elements[piece] : piece))
    return missing.includes(key) ? <span lang={sourceLanguage}>{pieces}</span> : pieces
  }
  return Object.assign(words, { text, mixed })
}

/** A text that the server put into the language of the page. It says its language if that is another one. */
export const shown = ({ text, lang }: ShownText): Children =>
  lang === undefined ? text : <span lang={lang}>{text}</span>
