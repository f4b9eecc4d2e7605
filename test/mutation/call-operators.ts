import ts from 'typescript-js'
import type { Edit } from './mutant'

/** Methods that are exchanged for their opposite. */
const opposite = new Map(
  Object.entries({
    some: 'every',
    every: 'some',
    startsWith: 'endsWith',
    endsWith: 'startsWith',
    toLowerCase: 'toUpperCase',
    toUpperCase: 'toLowerCase',
    min: 'max',
    max: 'min',
    floor: 'ceil',
    ceil: 'floor',
    round: 'floor',
    indexOf: 'lastIndexOf',
    lastIndexOf: 'indexOf',
    push: 'unshift',
    add: 'delete',
    trimStart: 'trimEnd',
    trimEnd: 'trimStart',
    padStart: 'padEnd',
  }),
)
/** Methods whose call is left out: what they were called on takes their place. */
const leftOut =
  'filter slice subarray substring trim sort toSorted reverse toReversed toLowerCase normalize replaceAll replace concat'.split(
    ' ',
  )
/** Methods whose last argument is a bound. */
const bounded = ['slice', 'subarray', 'substring']

/** What can be changed about a call. */
export function callEdits(node: ts.CallExpression): Edit[] {
  const callee = node.expression
  if (!ts.isPropertyAccessExpression(callee)) return []
  const edits: Edit[] = []
  const method = callee.name.text
  const other = opposite.get(method)
  const at = { start: callee.name.getStart(), end: callee.name.getEnd() }
  if (other) edits.push({ operator: 'method', at, to: other })
  const whole = { start: node.getStart(), end: node.getEnd() }
  if (leftOut.includes(method))
    edits.push({ operator: `no ${method}`, at: whole, to: callee.expression.getText() })
  if (method === 'abs') edits.push({ operator: 'no abs', at: whole, to: `(${node.arguments[0]?.getText()})` })
  if (bounded.includes(method))
    for (const bound of node.arguments) {
      if (ts.isNumericLiteral(bound)) continue
      const text = bound.getText()
      for (const to of [`(${text}) + 1`, `(${text}) - 1`])
        edits.push({ operator: 'bound', at: { start: bound.getStart(), end: bound.getEnd() }, to })
    }
  return edits
}
