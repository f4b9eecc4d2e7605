/** A link of a page: its address and its text. */
export interface PageLink {
  readonly url: string
  readonly words: string
}

/** The content of a page, within limits: plain texts and addresses, never markup. */
export interface SitePage {
  /** The address of the page. */
  readonly url: string
  readonly fetched_at: string
  readonly title: string
  /** The description in its `meta` elements. */
  readonly description: string
  readonly headings: readonly string[]
  /** The visible text of each block, in order. */
  readonly blocks: readonly string[]
  readonly links: readonly PageLink[]
  /** Telephone numbers that are links. */
  readonly phones: readonly string[]
  /** What the page declares about languages, unchanged. */
  readonly languages: readonly string[]
  /** The content of its JSON-LD scripts: values of strangers in any form. */
  readonly data: readonly unknown[]
  /** Whether the page was larger, deeper or longer than the limits. */
  readonly isCut: boolean
}

/** The limits for reading a page. */
export const pageBounds = {
  /** Depth of nested elements, the same as in browsers. */
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
