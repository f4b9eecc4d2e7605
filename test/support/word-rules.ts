import ts from 'typescript-js'
import { pluralFormsOf } from './plural-forms'
import { lineOf, treeOf } from './syntax-tree'

type Message = string | Readonly<Record<string, string>>

/** The messages of a room in one language. */
interface Translation {
  readonly room: string
  readonly language: string
  readonly english: Readonly<Record<string, Message>>
  readonly messages: Readonly<Record<string, Message>>
}

const textsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message)
const namesIn = (message: Message): readonly string[] => [
  ...new Set(
    textsOf(message).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)),
  ),
]

/** Returns what is wrong in the messages of a language: unknown keys, other placeholders, missing or useless plural forms. */
export function translationFaults({ room, language, english, messages }: Translation): string[] {
  return Object.entries(messages).flatMap(([key, message]) => {
    const at = `${room} ${language} ${key}`
    const { [key]: source } = english
    if (source === undefined) return [`${at}: English has no such key`]
    const known = new Set([...namesIn(source), ...(typeof source === 'string' ? [] : ['count'])])
    const used = namesIn(message)
    const other = typeof message === 'string' ? message : (message.other ?? '')
    return [
      ...used.filter((name) => !known.has(name)).map((name) => `${at}: English has no {${name}}`),
      ...namesIn(typeof source === 'string' ? source : (source.other ?? ''))
        .filter((name) => !other.includes(`{${name}}`))
        .map((name) => `${at}: {${name}} is missing`),
      ...formFaults(at, language, source, message),
    ]
  })
}

function formFaults(at: string, language: string, source: Message, message: Message): string[] {
  const needed = pluralFormsOf(language)
  if (typeof source === 'string')
    return typeof message === 'string' ? [] : [`${at}: English has no plural forms, so no count chooses one`]
  if (typeof message === 'string') return needed.length === 1 ? [] : [`${at}: it needs plural forms`]
  return [
    ...needed
      .filter((form) => message[form] === undefined)
      .map((form) => `${at}: the form ${form} is missing`),
    ...Object.keys(message)
      .filter((form) => !needed.includes(form))
      .map((form) => `${at}: the language has no form ${form}`),
  ]
}

/** Two words next to each other, or a word with a capital letter: text for people, and not a name in code. */
const sentence = /^(?!Renown$)[A-Z][a-z]+$|[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}/

/** Attributes whose value is shown or read aloud. */
const shown = new Set(['title', 'label', 'text', 'placeholder', 'about', 'hint', 'alt', 'summary'])

/** Returns the English words that stand in a file of a room that has a catalog. */
export function literalWords(path: string, source: string): string[] {
  const tree = treeOf(path, source)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && /[A-Za-z]{2}/.test(node.text) && !isCode(node)) found.push(at(node, node.text))
    else if (isText(node) && !isName(node) && sentence.test(node.text)) found.push(at(node, node.text))
    else if (ts.isTemplateExpression(node) && templateWords(node) && !isName(node))
      found.push(at(node, node.getText(tree)))
    ts.forEachChild(node, visit)
  }
  const at = (node: ts.Node, text: string) => `${path}:${lineOf(node, tree)} ${text.trim()}`
  visit(tree)
  return found
}

/** Whether a text is the name of a parameter or a command. */
const isCode = ({ parent }: ts.Node) =>
  ts.isJsxElement(parent) && parent.openingElement.tagName.getText() === 'code'

const isText = (node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)

const templateWords = ({ head, templateSpans }: ts.TemplateExpression) =>
  [head.text, ...templateSpans.map(({ literal }) => literal.text)].some((text) => sentence.test(text.trim()))

/** Whether a text is not for people: a module, a type, a class, a key of a word, a log entry or an error for developers. */
function isName(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent) || ts.isExportDeclaration(parent))
    return true
  if (ts.isJsxAttribute(parent)) {
    const name = parent.name.getText()
    return !shown.has(name) && !name.startsWith('aria-')
  }
  if (ts.isNewExpression(parent)) return /^(Type)?Error$/.test(parent.expression.getText())
  if (ts.isCallExpression(parent))
    return /Words$|^words|log\.|querySelector|\.has$|\.get$/.test(parent.expression.getText())
  if (ts.isJsxExpression(parent)) return ts.isJsxAttribute(parent.parent) && isName(parent)
  if (ts.isConditionalExpression(parent) || ts.isTemplateSpan(parent) || ts.isParenthesizedExpression(parent))
    return isName(parent)
  // A field of a record, a state or a kind is compared or listed by its name.
  return ts.isBinaryExpression(parent) && parent.operatorToken.getText().includes('==')
}
