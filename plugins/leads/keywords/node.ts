/** A part of a post's text. */
export type TextField = 'title' | 'body'

/** A word or an exact phrase. */
export interface PhraseNode {
  readonly kind: 'phrase'
  /** The phrase as written, without quotation marks. */
  readonly text: string
  /** The phrase as it is compared. */
  readonly folded: string
  /** The phrase in its exact case, if only this case counts. */
  readonly exact: string | null
  /** The only field that counts. Null: title and body. */
  readonly within: TextField | null
  readonly at: number
  readonly length: number
}

/** A condition on the post itself: its site, author, language or source. */
export interface FieldNode {
  readonly kind: 'field'
  readonly field: 'site' | 'author' | 'lang' | 'source'
  readonly value: string
}

/** Two phrases, or groups of alternative phrases, with at most `distance` words between them. */
export interface NearNode {
  readonly kind: 'near'
  readonly distance: number
  readonly left: readonly PhraseNode[]
  readonly right: readonly PhraseNode[]
}

/** A keyword as a tree. */
export type KeywordNode =
  | PhraseNode
  | FieldNode
  | NearNode
  | { readonly kind: 'and' | 'or'; readonly of: readonly KeywordNode[] }
  | { readonly kind: 'not'; readonly of: KeywordNode }

/** How a tracker uses a keyword. */
export type KeywordRole = 'keywords' | 'required_keywords' | 'excluded_keywords'

/** Limits of the language. They bound the work per post and the questions to sources. */
export const keywordLimits = {
  lengthMax: 500,
  depthMax: 8,
  phrasesMax: 60,
  phraseLengthMax: 120,
  distanceMax: 50,
  /** Keywords in each of the three lists of a tracker. */
  perListMax: 100,
} as const

/** A mistake in a keyword, with its position and what to write instead. */
export class KeywordFault extends Error {
  override readonly name = 'KeywordFault'
  readonly at: number
  readonly length: number

  constructor(message: string, at: number, length: number) {
    super(message)
    this.at = at
    this.length = length
  }
}
