/** The Markdown elements of set-up pages. */
export type MarkdownTag =
  | ('p' | 'h1' | 'h2' | 'h3' | 'ul' | 'ol' | 'li' | 'pre' | 'code' | 'strong' | 'em' | 'a')
  | ('table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td')

/** Text, or an element with its content. */
export type MarkdownNode =
  | string
  | { readonly tag: MarkdownTag; readonly children: readonly MarkdownNode[]; readonly href?: string }
