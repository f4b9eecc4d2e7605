import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-js'
import { withoutComments } from '../syntax-tree'

/** A pattern of the sources. */
export interface FoundPattern {
  readonly file: string
  readonly line: number
  /** The literal as it is written. */
  readonly text: string
  /** Null where it is made while the product runs. */
  readonly pattern: RegExp | null
}

/** Every regular expression in some folders of a checkout: literals, and calls of `RegExp`. */
export const patternsIn = (root: string, folders: readonly string[]): FoundPattern[] =>
  sourcesIn(root, folders).flatMap(({ file, source }) => patternsOf(file, source))

/** The sources in some folders of a checkout. */
export function sourcesIn(root: string, folders: readonly string[]): { file: string; source: string }[] {
  const listed = Bun.spawnSync(['git', 'ls-files', '-co', '--exclude-standard', ...folders], { cwd: root })
  const files = listed.stdout
    .toString()
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file))
  return files.map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }))
}

/** Every regular expression in a source. */
export function patternsOf(file: string, source: string): FoundPattern[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(file, source, withoutComments, false, kind)
  const found: FoundPattern[] = []
  const walk = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node) || isMade(node)) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
      const text = node.getText(tree)
      found.push({ file, line, text, pattern: ts.isRegularExpressionLiteral(node) ? literalOf(text) : null })
    }
    ts.forEachChild(node, walk)
  }
  walk(tree)
  return found
}

function literalOf(text: string): RegExp {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}

const isMade = (node: ts.Node) =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp'
