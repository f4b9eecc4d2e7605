import type { MarkdownNode, MarkdownTag } from './markdown-node'

/** A Markdown page: its title, and the rest. */
export interface MarkdownPage {
  readonly title: string
  readonly nodes: readonly MarkdownNode[]
}

/** Parses one of Renown's own pages. HTML in it stays text. */
export function markdownOf(text: string): MarkdownPage {
  const [title, ...nodes] = nodesOf(Bun.markdown.react(text) as unknown as Element)
  return { title: title === undefined ? '' : plain(title), nodes }
}

interface Element {
  readonly type?: unknown
  readonly props: { readonly children?: Child | readonly Child[]; readonly href?: string }
}
type Child = string | Element

const tags: ReadonlySet<unknown> = new Set<MarkdownTag>([
  'p',
  'h1',
  'h2',
  'h3',
  'ul',
  'ol',
  'li',
  'pre',
  'code',
  'strong',
  'em',
  'a',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
])

const nodesOf = ({ props: { children = [] } }: Element): MarkdownNode[] =>
  [children].flat().flatMap(nodeOf).reduce(joined, [])

function nodeOf(child: Child): MarkdownNode[] {
  if (typeof child === 'string') return [child]
  const { type, props } = child
  const inside = nodesOf(child)
  if (!tags.has(type)) return inside
  const node = { tag: type as MarkdownTag, children: inside }
  return [props.href === undefined ? node : { ...node, href: props.href }]
}

/** Joins texts, because the parser splits them and a placeholder can extend over two. */
function joined(all: MarkdownNode[], node: MarkdownNode): MarkdownNode[] {
  const last = all.at(-1)
  if (typeof node !== 'string' || typeof last !== 'string') return [...all, node]
  return [...all.slice(0, -1), last + node]
}

const plain = (node: MarkdownNode): string =>
  typeof node === 'string' ? node : node.children.map(plain).join('')
