/** @jsxImportSource renown/web */
import { Copyable } from 'renown/web'
import { fill, type RecipeValues } from './fill'
import type { MarkdownNode } from './markdown-node'

export interface RecipeProps {
  readonly nodes: readonly MarkdownNode[]
  readonly values: RecipeValues
  /** Returns the address of another sender's page. */
  readonly linkTo: (page: string) => string
}

/** A set-up page with a site's own values. */
export function Recipe({ nodes, values, linkTo }: RecipeProps) {
  return (
    <div class="recipe">
      {nodes.map((node, at) => (
        <Part key={at} node={node} values={values} linkTo={linkTo} />
      ))}
    </div>
  )
}

type PartProps = Omit<RecipeProps, 'nodes'> & { readonly node: MarkdownNode }

function Part({ node, values, linkTo }: PartProps) {
  if (typeof node === 'string') return <>{fill(node, values)}</>
  const { tag: Tag, children, href } = node
  const inside = children.map((child, at) => <Part key={at} node={child} values={values} linkTo={linkTo} />)
  if (Tag === 'pre') return <Code text={fill(textOf(node), values).trimEnd()} />
  if (Tag === 'a') {
    const page = /^([a-z-]+)\.md$/.exec(href ?? '')?.[1]
    return page === undefined ? <>{inside}</> : <a href={linkTo(page)}>{inside}</a>
  }
  if (Tag === 'h2') return <h3>{inside}</h3>
  if (Tag === 'table') {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      <section class="scroll" aria-label="Settings" tabIndex={0}>
        <table>{inside}</table>
      </section>
    )
  }
  return <Tag>{inside}</Tag>
}

/** Longer texts are whole files, which people copy and rarely read. */
const shownLines = 40

function Code({ text }: { readonly text: string }) {
  if (text.split('\n').length <= shownLines) return <Copyable label="these lines" value={text} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="file" aria-label="The file" tabIndex={0}>
      <Copyable label="the file" value={text} />
    </section>
  )
}

const textOf = (node: MarkdownNode): string =>
  typeof node === 'string' ? node : node.children.map(textOf).join('')
