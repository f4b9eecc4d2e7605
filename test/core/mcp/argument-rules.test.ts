import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { shapeOf } from '../../../core/kit/fields'
import { compileTable } from '../../../core/mcp/table'
import type { Arguments, Tool } from '../../../core/mcp/tool'
import { proposalsPlugin } from '../../../core/product/proposals-plugin'
import { exampleObject } from '../../../core/registry/examples'
import { builtin } from '../../../plugins/index'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { callTool, problemIn, revisions } from '../../support/mcp'
import { shippedRegistry } from '../../support/shipped'

/** The quick run tries half of the rules with each tool, and each rule with half of the tools, over both revisions. */
const isLong = process.env.RENOWN_LONG === '1'
const isTried = (tool: string, place: number) =>
  isLong || Math.floor((place + names.indexOf(tool)) / 2) % 2 === 0

const registry = shippedRegistry()
const tools = [...compileTable(registry).tools]
const names = tools.map(([name]) => name)

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: [proposalsPlugin(builtin), ...builtin], columns })
})
afterAll(async () => {
  await gate.stop()
  await columns.close()
})

/** Arguments that pass every check of their form. What they name need not exist. */
function validArguments(name: string, tool: Tool): Arguments {
  const known: Record<string, Arguments> = {
    list_records: { entity: 'Lead' },
    get_record: { entity: 'Workspace', id: gate.tenant.workspaceId },
    getAnswer: { run_id: 'x' },
    getPageJourney: { path: '/services' },
    proposeChange: { change: 'lead move', input: { lead_id: 'x', stage: 'won' }, reason: 'because' },
  }
  const operation = registry.operations.get(name)
  const texts = () => ['x', '2026-11-20', 'abc_x']
  const fields = operation ? (shapeOf(operation.input).fields ?? []) : []
  const given = known[name] ?? exampleObject(fields, { texts, isWhole: false })
  return tool.writes ? { ...given, dry_run: true } : given
}

interface Schema {
  readonly type?: string
  readonly maximum?: number
  readonly items?: Schema
}
type Rule = readonly [title: string, given: unknown, meant: unknown]
/** As a meant value: the argument is left out, or the call is refused and names the argument. */
const absent = Symbol('absent')
const refused = Symbol('refused')

/** What to try for an argument, and which value it means. */
function rulesOf(
  name: string,
  { type, maximum, items }: Schema,
  value: unknown,
  isRequired: boolean,
): Rule[] {
  const rules: Rule[] = [['null', null, isRequired ? refused : absent]]
  if (type === 'integer') rules.push(['a number as text', '25', 25], ['a word', 'many', refused])
  if (type === 'integer' || type === 'boolean' || type === 'object') rules.push(['empty text', '', refused])
  if (type === 'integer' && maximum !== undefined)
    rules.push(['more than the maximum', maximum + 1, name === 'limit' ? maximum : refused])
  if (type === 'boolean') rules.push(['a flag as text', 'false', false], ['a number', 1, refused])
  if (type === 'object') rules.push(['JSON as text', JSON.stringify(value ?? {}), value ?? {}])
  if (type === 'object' || type === 'boolean') rules.push(['a list', [], refused])
  if (type === 'array') {
    const one = items?.type === 'object' ? { name: 'x' } : 'x'
    rules.push(['one value', one, [one]], ['JSON as text', JSON.stringify([one]), [one]])
    rules.push(['a number', 5, refused])
  }
  if (type === 'string' || type === 'integer') rules.push(['a list', ['x', 'y'], refused])
  return rules
}

/** What differs between two calls that mean the same. */
const passing = new Set(
  'request_id instance limit_applied id checked_at counted_at generated_at seen_at read_at'.split(' '),
)

async function answerTo(place: number, name: string, args: Arguments) {
  const revision = revisions[place % revisions.length] ?? revisions[0]
  const result = await callTool(gate, revision, name, args)
  const { isError, structuredContent } = result
  const body = isError ? problemIn(result) : structuredContent
  const text = JSON.stringify(body, (key, value) => (passing.has(key) ? undefined : value))
  return { code: isError ? problemIn(result).code : undefined, text }
}

describe.each(tools)('%s', (name, tool) => {
  test('reads each argument by the same rules as every other tool', async () => {
    const valid = validArguments(name, tool)
    expect(['invalid_field', 'invalid_parameter']).not.toContain((await answerTo(0, name, valid)).code)
    let place = 0
    for (const [argument, schema] of Object.entries(tool.accepts.properties)) {
      const isRequired = tool.accepts.required?.includes(argument) ?? false
      for (const [title, given, meant] of rulesOf(argument, schema, valid[argument], isRequired)) {
        place++
        if (!isTried(name, place)) continue
        const { [argument]: _, ...others } = valid
        const answer = await answerTo(place, name, { ...others, [argument]: given })
        const what = `${argument}: ${title}`
        if (meant === refused) {
          expect([what, answer.code]).toEqual([
            what,
            expect.stringMatching(/^(?:invalid_|malformed_filter$)/),
          ])
          expect(answer.text).toContain(argument)
        } else {
          const same = meant === absent ? others : { ...others, [argument]: meant }
          expect([what, answer]).toEqual([what, await answerTo(place, name, same)])
        }
      }
    }
    expect(place).toBeGreaterThanOrEqual(Object.keys(tool.accepts.properties).length)
  })

  test('refuses arguments that it does not have, also as null, and names those that it has', async () => {
    const valid = validArguments(name, tool)
    const given = [1, null].map((value) => ({ ...valid, surely_unknown: value }))
    // Not by assignment: `__proto__` must come out as a key.
    given.push(...given.map(() => Object.fromEntries([...Object.entries(valid), ['__proto__', {}]]) as never))
    for (const [place, args] of given.entries()) {
      const { code, text } = await answerTo(place, name, args)
      expect(code).toMatch(/^unknown_(?:field|parameter)$/)
      expect(JSON.parse(text).errors[0].allowed).toBeArray()
    }
  })
})

test.each([...revisions])(
  'over %s, an answer says which limit was used in place of a larger one',
  async (revision) => {
    const answer = async (limit: unknown) =>
      (await callTool(gate, revision, 'list_records', { entity: 'Lead', limit })).structuredContent
        ?.limit_applied
    expect([await answer(101), await answer('5000'), await answer(100), await answer('5')]).toEqual([
      100,
      100,
      undefined,
      undefined,
    ])
  },
)
