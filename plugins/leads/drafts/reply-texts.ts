import written from './reply-texts.json'

/** The lengths of a reply. */
export const lengths = ['short', 'medium', 'long'] as const
/** One value of `lengths`. */
export type ReplyLength = (typeof lengths)[number]

interface ReplyTexts {
  /** The sentence that says who writes. `{business}` is its name. */
  readonly disclosure: string
  /** The template's sentences. A short reply has the first, a medium one two, a long one all. */
  readonly sentences: readonly string[]
}

/** Texts by language. The disclosure is added to every reply, so that nobody takes it for a stranger's advice. */
export const replyTexts: Readonly<Record<string, ReplyTexts>> = written

/** Returns the texts of a language, English if there are none, and the language that they are in. */
export function textsIn(language: string): { readonly language: string; readonly texts: ReplyTexts } {
  const base = language.toLowerCase().split('-', 1)[0] ?? ''
  const texts = Object.hasOwn(replyTexts, base) ? replyTexts[base] : undefined
  return texts ? { language: base, texts } : { language: 'en', texts: written.en }
}

/** Returns the sentence that says who writes, in every language. English first. */
export const disclosures = (businessName: string): string[] =>
  Object.values(replyTexts).map(({ disclosure }) => disclosure.replace('{business}', () => businessName))
