/** A link of a page: its address and its text. */
export interface PageLink {
  readonly url: string
  readonly words: string
}

/** The content of a page, within limits: plain texts and addresses, never markup. */
export interface SitePage {
  /** The address that it came from. */
  readonly url: string
  readonly fetched_at: string
  readonly title: string
  /** What its `meta` says that it is about. */
  readonly description: string
  readonly headings: readonly string[]
  /** The words of each block that can be seen, in order. */
  readonly blocks: readonly string[]
  readonly links: readonly PageLink[]
  /** Telephone numbers that are links. */
  readonly phones: readonly string[]
  /** What it says about languages, as it says it. */
  readonly languages: readonly string[]
  /** What its scripts of JSON-LD hold. Strangers' values of any form. */
  readonly data: readonly unknown[]
  /** It was larger, deeper or longer than is read. */
  readonly isCut: boolean
}

/** How much of a page is read. */
export const pageBounds = {
  /** Elements inside each other: browsers stop at as many. */
  depth: 512,
  elements: 100_000,
  attributeCharacters: 2_048,
  blockCharacters: 2_000,
  blocks: 600,
  textCharacters: 20_000,
  headings: 60,
  headingCharacters: 200,
  links: 600,
  linkCharacters: 120,
  languages: 40,
  dataBlocks: 12,
  dataCharacters: 128 * 1024,
} as const
