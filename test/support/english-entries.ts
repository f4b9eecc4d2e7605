import { englishText, type InboxEntry, type Wording } from 'renown/pages'

/** An inbox entry with its texts in English. Lines of the description are joined. */
export interface EnglishEntry
  extends Omit<InboxEntry, 'title' | 'word' | 'about' | 'quote' | 'text' | 'link'> {
  readonly title: string
  readonly word: string
  readonly about?: string
  readonly quote?: { readonly text: string; readonly by?: string; readonly lang?: string }
  readonly text?: string
  readonly link?: { readonly href: string; readonly label: string }
}

/** Returns entries of the inbox as an English page shows them. */
export const inEnglish = (entries: readonly InboxEntry[]): EnglishEntry[] =>
  entries.map(({ title, word, about, quote, text, link, ...entry }) => ({
    ...entry,
    title: englishText(title),
    word: englishText(word),
    ...(about === undefined ? {} : { about: englishText(about) }),
    ...(quote === undefined ? {} : { quote: quoteOf(quote) }),
    ...(text === undefined
      ? {}
      : {
          text: linesOf(text)
            .map((line) => englishText(line))
            .join('\n'),
        }),
    ...(link === undefined ? {} : { link: { href: link.href, label: englishText(link.label) } }),
  }))

const quoteOf = ({ by, ...quote }: NonNullable<InboxEntry['quote']>) =>
  by === undefined ? quote : { ...quote, by: englishText(by) }

const isList = (text: Wording | readonly Wording[]): text is readonly Wording[] => Array.isArray(text)
const linesOf = (text: Wording | readonly Wording[]) => (isList(text) ? text : [text])
