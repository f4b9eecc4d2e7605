import { expect, test } from 'bun:test'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { defineOperation, definePlugin } from 'renown'
import * as v from 'valibot'
import { compileTable } from '../../../core/mcp/table'
import { createRegistry } from '../../../core/registry/registry'
import { shippedRegistry } from '../../support/shipped'

const registry = shippedRegistry()
const table = compileTable(registry)
const tools = [...table.tools.values()]

test('every operation is a tool of its own name, beside four for records of any type', () => {
  const general = ['describe_records', 'get_record', 'list_records', 'list_workspaces']
  expect([...table.tools.keys()].sort()).toEqual([...registry.operations.keys(), ...general].sort())
})

test('annotations say what the class allows, and nothing destroys or reaches out', () => {
  for (const { listing, writes } of tools) {
    const operation = registry.operations.get(listing.name)
    expect(writes).toBe(operation !== undefined && operation.class !== 'read')
    const { idempotentHint: _, ...hints } = listing.annotations
    expect(hints).toEqual({
      readOnlyHint: !writes,
      ...(writes ? { destructiveHint: false } : {}),
      openWorldHint: false,
    })
    const taken = Object.keys(listing.inputSchema.properties)
    expect(taken).toContain('workspace_id')
    expect(taken.includes('idempotency_key') && taken.includes('dry_run')).toBe(writes)
  }
})

test('every argument but an id is described, in the list or once for all tools in the instructions', () => {
  const bare = tools.flatMap(({ listing }) =>
    Object.entries(listing.inputSchema.properties).flatMap(([name, schema]) =>
      'description' in schema || 'enum' in schema || name.endsWith('_id') || table.instructions.includes(name)
        ? []
        : [`${listing.name}.${name}`],
    ),
  )
  expect(bare).toEqual([])
})

test('what the list leaves out is accepted, and what it names is as well', () => {
  for (const { listing, accepts } of tools) {
    const left = Object.keys(accepts.properties).filter((name) => !(name in listing.inputSchema.properties))
    expect(left).toEqual('period' in accepts.properties ? ['days', 'date_from', 'date_to'] : [])
    expect(Object.keys(accepts.properties)).toEqual(
      expect.arrayContaining(Object.keys(listing.inputSchema.properties)),
    )
  }
})

test('the schemas of answers come where structured content is asked for, and are open', () => {
  expect(table.narrow('').listings.filter((listing) => 'outputSchema' in listing)).toEqual([])
  for (const search of ['?structured=1', 'structured=true&readonly=0']) {
    const { listings, isStructured } = table.narrow(search)
    expect([isStructured, listings.length]).toEqual([true, tools.length])
    expect(listings.map(({ outputSchema }) => outputSchema)).toEqual(tools.map((tool) => tool.outputSchema))
  }
  expect(JSON.stringify(tools.map(({ outputSchema }) => outputSchema))).not.toContain(
    '"additionalProperties":false',
  )
})

test('the whole list is small enough to stand in front of a conversation', () => {
  const list = JSON.stringify(table.narrow('').listings)
  expect(Buffer.byteLength(list)).toBeLessThanOrEqual(25_000)
  expect(encode(list).length).toBeLessThanOrEqual(5_500)
})

test('prompts name tools and arguments that exist', () => {
  for (const { name, takes = {} } of registry.prompts.values()) {
    const given = Object.fromEntries(Object.keys(takes).map((argument) => [argument, 'wsp_x']))
    const text = table.prompts.get(name, given).messages[0]?.content.text ?? ''
    const named =
      text.match(/\b(?:(?:get|list|mark|generate|setup)[A-Z]\w+|[a-z]+_records?|list_workspaces)\b/g) ?? []
    expect(named.filter((word) => !table.tools.has(word))).toEqual([])
    expect(() => table.prompts.get(name, { surely_unknown: 'x' })).toThrow()
  }
})

test('what clients are known to drop does not start', () => {
  const odd = (name: string, output: v.GenericSchema) =>
    defineOperation({
      name,
      summary: 'x',
      class: 'read',
      crossAgency: 'own',
      input: v.strictObject({}),
      output,
      run: async () => ({}),
    })
  const recursive: v.GenericSchema = v.object({ child: v.optional(v.lazy(() => recursive)) })
  const plugin = definePlugin({
    name: 'odd',
    renown: '^1.0.0',
    operations: [
      odd('a'.repeat(41), v.object({})),
      odd('either', v.union([v.object({ a: v.string() }), v.object({ b: v.string() })])),
      odd('deep', recursive),
    ],
  })
  expect(() => compileTable(createRegistry([plugin]))).toThrow(
    /a{41}: the name must have 1 to 40[\s\S]*deep: \$ref[\s\S]*either: anyOf at the root of its output/,
  )
})
