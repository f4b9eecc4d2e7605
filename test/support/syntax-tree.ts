import ts from 'typescript-js'

let last: { readonly path: string; readonly text: string; readonly tree: ts.SourceFile } | null = null

/** The syntax tree of a file. Rules ask for the same file one after another, so the last tree is remembered. */
export function treeOf(path: string, text: string): ts.SourceFile {
  if (last?.path === path && last.text === text) return last.tree
  const kind = path.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.TSX
  const tree = ts.createSourceFile(path, text, withoutComments, true, kind)
  last = { path, text, tree }
  return tree
}

/** No rule asks for the tags of comments. To read them takes a sixth of the time. */
export const withoutComments: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.ESNext,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
}

/** The line of a node, from 1. */
export const lineOf = (node: ts.Node, tree: ts.SourceFile): number =>
  tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1

/** The expression inside parentheses and casts, which change no value. */
export function bareOf(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
    ? bareOf(node.expression)
    : node
}
