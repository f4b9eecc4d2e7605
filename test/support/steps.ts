import ts from 'typescript-js'
import { lineOf, treeOf } from './syntax-tree'

/** At most so many steps of a file, and of a function with all functions inside it. */
const fileMax = 300
const functionMax = 100

/** Fewer characters than these cannot hold the steps of a function that is too long. */
const shortLength = 1_500

/**
 * Files and functions that are too long. A limit is for the reader, who has to follow all of it, so it counts what
 * happens and not the lines that it takes: merging lines makes nothing shorter.
 */
export function tooLong(path: string, text: string): { readonly line: number; readonly rule: string }[] {
  if (text.length < shortLength) return []
  const tree = treeOf(path, text)
  const found: { line: number; rule: string }[] = []
  const visit = (node: ts.Node): number => {
    let quarters = quartersOf(node)
    ts.forEachChild(node, (child) => {
      quarters += visit(child)
    })
    const steps = Math.floor((quarters - quartersOf(node)) / 4)
    if (hasBody(node) && steps > functionMax)
      found.push({
        line: lineOf(node, tree),
        rule: `a function has at most ${functionMax} steps, not ${steps}`,
      })
    return quarters
  }
  const steps = Math.floor(visit(tree) / 4)
  if (steps > fileMax) found.push({ line: 1, rule: `a file has at most ${fileMax} steps, not ${steps}` })
  return found
}

/**
 * A statement, a branch, a function, an element of a page, an assignment and each call of a list of calls are steps.
 * Members of a literal and of a type are read as a table: four of them are a step.
 */
function quartersOf(node: ts.Node): number {
  if (ts.isStatement(node)) return ts.isBlock(node) || ts.isEmptyStatement(node) ? 0 : 4
  if (hasBody(node) || branches.has(node.kind) || elements.has(node.kind)) return 4
  if (ts.isBinaryExpression(node)) return isStep(node) ? 4 : 0
  if (ts.isVariableDeclarationList(node)) return 4 * (node.declarations.length - 1)
  if (ts.isArrayLiteralExpression(node.parent ?? node)) return happens(node) ? 4 : 1
  return ts.isObjectLiteralElement(node) || ts.isTypeElement(node) || ts.isClassElement(node) ? 1 : 0
}

const hasBody = (node: ts.Node) => ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
const happens = (node: ts.Node) =>
  ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isAwaitExpression(node)

const branches: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.DefaultClause,
  ts.SyntaxKind.CatchClause,
])
const elements: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.JsxElement,
  ts.SyntaxKind.JsxSelfClosingElement,
  ts.SyntaxKind.JsxFragment,
])

/** `a && b`, `a || b`, `a ?? b`, and an assignment or a comma inside an expression. */
function isStep({ operatorToken: { kind }, parent }: ts.BinaryExpression): boolean {
  const { FirstAssignment, LastAssignment, CommaToken } = ts.SyntaxKind
  if (kind >= FirstAssignment && kind <= LastAssignment) return !ts.isExpressionStatement(parent)
  return kind === CommaToken || logical.has(kind)
}

const logical: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
])
