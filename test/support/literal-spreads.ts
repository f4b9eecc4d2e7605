import ts from 'typescript-js'
import { bareOf, lineOf, treeOf } from './syntax-tree'

/** A construct that only keeps the formatter from giving each member, or each name, a line of its own. */
interface Found {
  readonly line: number
  readonly rule: string
}

const spread = 'write the members in place: a literal is spread or merged into a literal'
const apart = 'one declaration for each name: a literal is taken apart into names'
const type = 'write the members in one type: literals of types are joined'
const ignored = 'the formatter formats everything'

/** What a literal starts with, and what is always the same: code without any of these needs no syntax tree. */
const suspect = new RegExp(
  [
    /\.\.\.[\s(]*(?:await[\s(]*)?(?:[[{!\d'"`]|true\b|false\b|null\b|undefined\b|\)\s*=>)/,
    /\.\.\.\s*(?:new )?[\w.]+\(\s*[[{]|\.\.\.\s*(?:JSON\.parse|Array\.of)\(/,
    /\bObject\.assign\(|\]\s*\.(?:concat|flat)\(/,
    /(?:const|let|var) [[{](?:[^=]{0,400}|[^\]}]{0,400}[\]}\s]{1,20})=[\s(]*[[{]/,
    /\}\s*&\s*\{|(?:biome|prettier)-ignore/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** Lines of a file with a literal that is spread into a literal, and with the ways around. */
export function literalSpreads(path: string, text: string): Found[] {
  if (path.endsWith('.md')) return inDocument(text)
  return suspect.test(text) ? inCode(path, text) : []
}

/** The pieces of code of a document. A piece that is not whole has no tree worth reading. */
function inDocument(text: string): Found[] {
  const blocks = [...text.matchAll(/^```(?:ts|typescript|tsx|js|javascript|jsx)\b[^\n]*\n([\s\S]*?)^```/gm)]
  return blocks.flatMap((block) => {
    const code = block[1] ?? ''
    if (!suspect.test(code)) return []
    const before = text.slice(0, block.index).split('\n').length
    return inCode(/<\/|\/>/.test(code) ? 'block.tsx' : 'block.ts', code).map(({ line, rule }) => ({
      line: before + line,
      rule,
    }))
  })
}

function inCode(path: string, text: string): Found[] {
  const tree = treeOf(path, text)
  const same = () => identities(tree)
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    const rule = ruleOf(node, same)
    if (rule !== null) found.push({ line: lineOf(node, tree), rule })
    ts.forEachChild(node, visit)
  }
  visit(tree)
  const marks = [...text.matchAll(/\b(?:biome-ignore (?:format|all)\b|prettier-ig(?:nore))/g)]
  return [
    ...found,
    ...marks.map(({ index }) => ({ line: text.slice(0, index).split('\n').length, rule: ignored })),
  ]
}

function ruleOf(node: ts.Node, same: Identities): string | null {
  if (ts.isSpreadAssignment(node) || ts.isSpreadElement(node) || ts.isJsxSpreadAttribute(node))
    return isLiteral(node.expression, same) ? spread : null
  if (ts.isCallExpression(node)) return isMerge(node, same) ? spread : null
  if (ts.isIntersectionTypeNode(node)) return node.types.filter(ts.isTypeLiteralNode).length > 1 ? type : null
  if (!ts.isVariableStatement(node)) return null
  return node.declarationList.declarations.some(isTakenApart) ? apart : null
}

/** Whether a value is a literal, however it is wrapped: its members could stand where it is spread. */
function isLiteral(given: ts.Expression, same: Identities): boolean {
  const node = bareOf(given)
  const again = (one: ts.Expression | undefined) => one !== undefined && isLiteral(one, same)
  if (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)) return true
  if (ts.isAwaitExpression(node)) return again(node.expression)
  if (ts.isConditionalExpression(node))
    return isFixed(node.condition) && (again(node.whenTrue) || again(node.whenFalse))
  if (ts.isBinaryExpression(node)) {
    const kind = node.operatorToken.kind
    if (kind === ts.SyntaxKind.CommaToken) return again(node.right)
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return isFixed(node.left) && again(node.right)
    return again(node.left) || (isFixed(node.left) && again(node.right))
  }
  if (ts.isNewExpression(node)) return isPlainSet(node)
  return ts.isCallExpression(node) && isCallOfLiteral(node, same)
}

/** Whether a condition is always the same: `true`, `null`, a number, a text or a literal. */
function isFixed(given: ts.Expression): boolean {
  const node = bareOf(given)
  const { TrueKeyword, FalseKeyword, NullKeyword } = ts.SyntaxKind
  return (
    [TrueKeyword, FalseKeyword, NullKeyword].some((kind) => kind === node.kind) ||
    (ts.isIdentifier(node) && node.text === 'undefined') ||
    ts.isNumericLiteral(node) ||
    ts.isStringLiteralLike(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    (ts.isPrefixUnaryExpression(node) && isFixed(node.operand))
  )
}

/** A set of texts and numbers that are written out holds each of them once already. */
const isPlainSet = ({ expression, arguments: given }: ts.NewExpression) => {
  const [list] = given ?? []
  return (
    expression.getText() === 'Set' &&
    list !== undefined &&
    ts.isArrayLiteralExpression(list) &&
    list.elements.every((one) => ts.isStringLiteralLike(one) || ts.isNumericLiteral(one))
  )
}

/** Functions of the language that return the literal that they are given, or its parts. */
const returning =
  /^(Object\.(freeze|seal|assign|fromEntries|entries|values|preventExtensions)|structuredClone|Array\.from|JSON\.parse)$/

function isCallOfLiteral({ expression, arguments: given }: ts.CallExpression, same: Identities): boolean {
  const callee = bareOf(expression)
  const isGiven = given.length > 0 && given.every((one) => isWhole(one, same))
  if (returning.test(callee.getText())) return isGiven
  if (callee.getText() === 'Array.of') return true
  if (ts.isIdentifier(callee)) return isGiven && same().has(callee.text)
  if (ts.isArrowFunction(callee)) return !ts.isBlock(callee.body) && isLiteral(callee.body, same)
  if (!ts.isPropertyAccessExpression(callee)) return false
  const from = bareOf(callee.expression)
  return (
    ts.isArrayLiteralExpression(from) &&
    (/^(slice|values|concat)$/.test(callee.name.text) || isListOfLists(callee))
  )
}

const isWhole = (node: ts.Expression, same: Identities) =>
  isLiteral(node, same) || ts.isStringLiteralLike(bareOf(node)) || ts.isSpreadElement(node)

/** Whether a call merges literals: `Object.assign({…}, {…})`, `[…].concat([…])`, `[[…], […]].flat()`. */
function isMerge({ expression, arguments: given }: ts.CallExpression, same: Identities): boolean {
  if (!ts.isPropertyAccessExpression(expression)) return false
  const [first, ...others] = given
  if (expression.getText() === 'Object.assign')
    return first !== undefined && isLiteral(first, same) && others.some((one) => isLiteral(one, same))
  if (!ts.isArrayLiteralExpression(bareOf(expression.expression))) return false
  return (
    (expression.name.text === 'concat' && given.some((one) => isLiteral(one, same))) ||
    isListOfLists(expression)
  )
}

function isListOfLists({ name, expression }: ts.PropertyAccessExpression): boolean {
  const list = bareOf(expression)
  return (
    name.text === 'flat' &&
    ts.isArrayLiteralExpression(list) &&
    list.elements.length > 0 &&
    list.elements.every((one) => ts.isArrayLiteralExpression(bareOf(one)))
  )
}

/** `const [a, b] = [x, y]` and `const { a, b } = { a: x, b: y }`. A literal with a spread may hold other values. */
function isTakenApart({ name, initializer }: ts.VariableDeclaration): boolean {
  const value = initializer && bareOf(initializer)
  if (value === undefined || ts.isIdentifier(name)) return false
  if (ts.isArrayLiteralExpression(value)) return !value.elements.some(ts.isSpreadElement)
  return (
    ts.isObjectLiteralExpression(value) &&
    value.properties.length > 0 &&
    !value.properties.some(ts.isSpreadAssignment)
  )
}

type Identities = () => ReadonlySet<string>

/** Functions of a file that return what they are given, unchanged. */
function identities(tree: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name && returnsItsOwn(node)) names.add(node.name.text)
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const made = bareOf(node.initializer)
      if ((ts.isArrowFunction(made) || ts.isFunctionExpression(made)) && returnsItsOwn(made))
        names.add(node.name.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return names
}

function returnsItsOwn({ parameters, body }: ts.FunctionLikeDeclaration): boolean {
  const [one] = parameters
  if (parameters.length !== 1 || one === undefined || body === undefined) return false
  const returned = ts.isBlock(body) ? body.statements[0] : body
  const value = returned && ts.isReturnStatement(returned) ? returned.expression : returned
  if (value === undefined || ts.isStatement(value)) return false
  const bare = bareOf(value as ts.Expression)
  return ts.isIdentifier(bare) && bare.text === one.name.getText()
}
