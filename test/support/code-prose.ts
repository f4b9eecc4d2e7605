import ts from 'typescript-js'
import { treeOf } from './syntax-tree'

/** Text that people read, and its index in the file. */
export interface Prose {
  readonly at: number
  readonly text: string
}

/** The comments of a file, each without its marks. Lines of `//` that follow each other are one comment. */
export function commentsOf(text: string): Prose[] {
  const blocks = [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].map((found) => ({
    at: found.index,
    text: found[0].replace(/^\/\*\*|\*\/$/g, ' ').replace(/\n\s*\*/g, ' '),
  }))
  const lines = [...text.matchAll(/^[ \t]*\/\/ (?!biome-)[^\n]*(?:\n[ \t]*\/\/ [^\n]*)*/gm)].map((found) => ({
    at: found.index + found[0].search(/\S/),
    text: found[0].replace(/^[ \t]*\/\//gm, ' '),
  }))
  return [...blocks, ...lines]
}

/**
 * The texts of a file of code, each as a reader sees it: text of an element with what it marks up, over all of its lines;
 * a template with `x` for each value; strings that are added to each other.
 */
export function stringsOf(path: string, text: string): Prose[] {
  const file = treeOf(path, text)
  const found: Prose[] = []
  const add = (node: ts.Node, words: string) => {
    if (/\p{L}/u.test(words)) found.push({ at: node.getStart(file), text: words })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (isRun(node)) {
      for (const run of runsOf(node)) if (run.words.trim() !== '') add(run.first, run.words)
    } else if (isText(node) && !isInside(node)) add(node, wordsOf(node))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

type Run = ts.JsxElement | ts.JsxFragment
const isRun = (node: ts.Node): node is Run => ts.isJsxElement(node) || ts.isJsxFragment(node)
const isText = (node: ts.Node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || isSum(node)
const isSum = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken && hasText(node)
const hasText = ({ left, right }: ts.BinaryExpression): boolean => isText(left) || isText(right)

/** Whether a text is a part of one that was already read. */
const isInside = (node: ts.Node): boolean =>
  isSum(node.parent) || (ts.isParenthesizedExpression(node.parent) && isSum(node.parent.parent))

/** Elements that stand within a sentence. */
const inline = new Set([
  'a',
  'abbr',
  'b',
  'code',
  'em',
  'i',
  'kbd',
  'mark',
  'small',
  'span',
  'strong',
  'time',
  'Link',
  'Code',
])
const isInline = (node: ts.Node) =>
  (ts.isJsxElement(node) && inline.has(node.openingElement.tagName.getText())) || ts.isJsxFragment(node)

/** The texts of an element, between those of its children that start a line of their own. */
function runsOf(node: Run): { readonly first: ts.Node; readonly words: string }[] {
  if (isInline(node) && isRun(node.parent)) return []
  const runs: { first: ts.Node; words: string }[] = []
  let run: { first: ts.Node; words: string } | null = null
  let hasOwnText = false
  const end = () => {
    if (run && hasOwnText) runs.push(run)
    run = null
    hasOwnText = false
  }
  for (const child of node.children) {
    const words = inElement(child)
    if (words === null) end()
    else {
      run ??= { first: child, words: '' }
      run.words += words
      hasOwnText ||= ts.isJsxText(child) && child.text.trim() !== ''
    }
  }
  end()
  return runs
}

/** The words of a child that stands within a sentence; null for one that does not. */
function inElement(node: ts.Node): string | null {
  if (ts.isJsxText(node)) return node.text
  if (ts.isJsxExpression(node)) {
    const { expression } = node
    if (!expression) return ''
    return ts.isStringLiteralLike(expression) ? expression.text : ' x '
  }
  if (isInline(node)) return (node as Run).children.map((child) => inElement(child) ?? ' x ').join('')
  return ts.isJsxSelfClosingElement(node) && node.tagName.getText() !== 'br' ? ' x ' : null
}

function wordsOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('')
  if (ts.isParenthesizedExpression(node)) return wordsOf(node.expression)
  if (isSum(node)) return wordsOf(node.left) + wordsOf(node.right)
  return 'x'
}
