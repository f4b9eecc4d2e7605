import ts from 'typescript-js'
import { callEdits } from './call-operators'
import type { Edit, Mutant } from './mutant'
import { regexEdits } from './regex-operators'

/** Every mutant of a source file, in the order of the text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind)
  const found = new Map<string, Mutant>()
  const lines = text.split('\n')
  const walk = (node: ts.Node) => {
    if (isLeftAlone(node)) return
    for (const { operator, at, to } of editsOf(node, tree)) {
      const original = text.slice(at.start, at.end)
      if (original === to) continue
      const line = tree.getLineAndCharacterOfPosition(at.start).line + 1
      const code = (lines[line - 1] ?? '').trim()
      const key = `${at.start} ${at.end} ${to}`
      if (!found.has(key))
        found.set(key, {
          file,
          line,
          start: at.start,
          end: at.end,
          original,
          replacement: to,
          operator,
          code,
        })
    }
    ts.forEachChild(node, walk)
  }
  walk(tree)
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Keys whose values are texts for people. */
const texts = /^(description|summary|title|detail|hint|message|help|label|note|purpose|says)$/

function isLeftAlone(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  return ts.isPropertyAssignment(node) && texts.test(node.name.getText())
}

const spanOf = (node: ts.Node) => ({ start: node.getStart(), end: node.getEnd() })

function editsOf(node: ts.Node, tree: ts.SourceFile): Edit[] {
  const edits: Edit[] = []
  const add = (operator: string, to: string, at: ts.Node = node) =>
    edits.push({ operator, at: spanOf(at), to })
  if (ts.isBinaryExpression(node)) edits.push(...binaryEdits(node))
  else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const operand = node.operand.getText()
    if (node.operator === ts.SyntaxKind.ExclamationToken) add('not', operand)
    if (node.operator === ts.SyntaxKind.MinusToken) add('minus', operand)
    if (node.operator === ts.SyntaxKind.PlusPlusToken) add('step', node.getText().replace('++', '--'))
    if (node.operator === ts.SyntaxKind.MinusMinusToken) add('step', node.getText().replace('--', '++'))
  } else if (ts.isAwaitExpression(node)) add('await', node.expression.getText())
  else if (ts.isIfStatement(node)) {
    add('condition', 'true', node.expression)
    add('condition', 'false', node.expression)
  } else if (ts.isConditionalExpression(node)) {
    add('condition', 'true', node.condition)
    add('condition', 'false', node.condition)
  } else if (ts.isWhileStatement(node) || ts.isDoStatement(node)) add('loop', 'false', node.expression)
  else if (ts.isForStatement(node) && node.condition) add('loop', 'false', node.condition)
  else if (node.kind === ts.SyntaxKind.TrueKeyword) add('boolean', 'false')
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add('boolean', 'true')
  else if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) {
    const isSign = isOfComparator(node)
    for (const to of numbers(node.getText(), isDuration(node))) if (!isSign || to === '0') add('number', to)
  } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    edits.push(...stringEdits(node))
  else if (ts.isTemplateExpression(node)) {
    if (!/\S \S.* /.test(node.getText())) add('template', '``')
  } else if (ts.isRegularExpressionLiteral(node)) {
    for (const to of regexEdits(node.text)) add('regex', to)
  } else if (ts.isCallExpression(node)) edits.push(...callEdits(node))
  else if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) add('dropped statement', ';')
  else if (ts.isBreakStatement(node) && !ts.isCaseClause(node.parent)) add('dropped statement', ';')
  else if (ts.isContinueStatement(node)) add('dropped statement', ';')
  else if (ts.isReturnStatement(node) && !node.expression) add('dropped statement', ';')
  else if (ts.isObjectLiteralExpression(node))
    edits.push(...elementEdits(node.properties, 'dropped property'))
  else if (ts.isArrayLiteralExpression(node)) edits.push(...elementEdits(node.elements, 'dropped element'))
  else if (isEmptied(node)) add('emptied body', '{}')
  const chain = chainDot(node, tree)
  if (chain) edits.push({ operator: 'optional chain', at: chain.at, to: chain.to })
  return edits
}

/** Whether a number is what a comparator answers: a sort looks only at its sign. */
function isOfComparator(node: ts.Node): boolean {
  const answer = ts.isPrefixUnaryExpression(node.parent) ? node.parent : node
  if (!ts.isConditionalExpression(answer.parent) || answer.parent.condition === answer) return false
  let compares: ts.Node = answer.parent
  while (!ts.isFunctionLike(compares) && !ts.isStatement(compares)) compares = compares.parent
  const call = compares.parent
  if (ts.isCallExpression(call)) return /\.(sort|toSorted)$/.test(call.expression.getText())
  if (!ts.isVariableDeclaration(call)) return false
  return new RegExp(`\\.(sort|toSorted)\\(${call.name.getText()}\\)`).test(node.getSourceFile().text)
}

/** The body of a function that returns nothing, or a `catch` that does something. */
function isEmptied(node: ts.Node): boolean {
  if (!ts.isBlock(node) || node.statements.length < 2) return false
  return ts.isFunctionLike(node.parent) || ts.isCatchClause(node.parent)
}

function chainDot(node: ts.Node, tree: ts.SourceFile) {
  if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return null
  if (!node.questionDotToken) return null
  const start = node.questionDotToken.getStart(tree)
  const end = node.questionDotToken.getEnd()
  return { at: { start, end }, to: ts.isPropertyAccessExpression(node) ? '.' : '' }
}

const swapped: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '??=': ['='],
  '||=': ['&&='],
  '&&=': ['||='],
}

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)))

function binaryEdits(node: ts.BinaryExpression): Edit[] {
  const operator = node.operatorToken.getText()
  const at = spanOf(node.operatorToken)
  const edits: Edit[] = (swapped[operator] ?? []).map((to) => ({ operator: 'operator', at, to }))
  if (operator === '+' && !isText(node)) edits.push({ operator: 'operator', at, to: '-' })
  if (['&&', '||', '??'].includes(operator)) {
    edits.push({ operator: 'one side', at: spanOf(node), to: `(${node.left.getText()})` })
    edits.push({ operator: 'one side', at: spanOf(node), to: `(${node.right.getText()})` })
  }
  return edits
}

/** Whether a number is a duration of many milliseconds: one more or less changes no rule. */
function isDuration(node: ts.NumericLiteral | ts.BigIntLiteral): boolean {
  const { parent } = node
  const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
  const name = isNamed || ts.isBindingElement(parent) ? parent.name.getText() : ''
  return /Ms$/.test(name) && Number(node.getText().replaceAll('_', '')) >= 100
}

/** The neighbours of a number and values far away. Above 10,000 one more or less changes no rule. */
function numbers(text: string, isLong: boolean): string[] {
  const isBig = text.endsWith('n')
  const value = Number(text.replaceAll('_', '').replace(/n$/, ''))
  const isNear = Number.isInteger(value) && value <= 10_000 && !isLong
  const others = value === 0 ? [1] : [...(isNear ? [value + 1, value - 1] : [value / 10]), value * 10, 0]
  const kept = [...new Set(others)].filter((to) => to !== value && (!isBig || Number.isInteger(to)))
  return kept.map((to) => `${to}${isBig ? 'n' : ''}`)
}

/** Only words that a program compares or hands on. Sentences are for people. */
function stringEdits(node: ts.StringLiteralLike): Edit[] {
  const value = node.text
  if (!/^[\w:.,;&=?/*@#+-]{1,40}$/.test(value)) return []
  const parent = node.parent
  if ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node) return []
  if (ts.isJsxAttribute(parent)) return []
  return [{ operator: 'string', at: spanOf(node), to: `'${value}~'` }]
}

/** Drops each element of a list of elements, with the comma after or before it. */
function elementEdits(nodes: ts.NodeArray<ts.Node>, operator: string): Edit[] {
  return [...nodes].flatMap((node, index) => {
    if (ts.isPropertyAssignment(node) && texts.test(node.name.getText())) return []
    const next = nodes[index + 1]
    const before = nodes[index - 1]
    const start = next || !before ? node.getStart() : before.getEnd()
    return [{ operator, at: { start, end: next ? next.getStart() : node.getEnd() }, to: '' }]
  })
}
