import { describe, expect, test } from 'bun:test'
import { compileTable } from '../../../core/mcp/table'
import { allSkills, skillsWith } from '../../../core/skills/catalog'
import { builtinTemplates } from '../../../plugins/reports/templates/template'
import { shippedRegistry, shippedSurface } from '../../support/shipped'

const registry = shippedRegistry()
const table = compileTable(registry)
const names = allSkills.map(({ name }) => name)

test('there are six skills, and each names itself, its use and its licence', () => {
  expect(names).toEqual([
    'answer-reviews',
    'crawler-audit',
    'monthly-report',
    'morning-triage',
    'qualify-leads',
    'visibility-briefing',
  ])
  for (const { text, title, entry } of allSkills) {
    const { description, license, compatibility } = entry.frontmatter
    expect(title.length).toBeGreaterThan(5)
    expect(description).toContain('Use it ')
    expect([license, typeof compatibility]).toEqual(['MIT', 'string'])
    expect(text.split('\n').length).toBeLessThanOrEqual(500)
  }
})

test('a skill is offered only where all its tools are', () => {
  expect(skillsWith(() => true)).toEqual(allSkills)
  expect(skillsWith(() => false)).toEqual([])
  const withoutReports = skillsWith((name) => !name.startsWith('getReport'))
  expect(withoutReports.map(({ name }) => name)).toEqual(names.filter((name) => name !== 'monthly-report'))
})

/** Every word that tools, records, events and settings of the protocol have. */
const words = new Set(
  [
    ...[...table.tools.values()].map(({ listing, outputSchema }) => JSON.stringify([listing, outputSchema])),
    JSON.stringify(shippedSurface()),
    [...registry.eventTypes.keys()].join(' '),
    builtinTemplates.map(({ template }) => template).join(' '),
    names.join(' '),
    'true',
    'false',
    'vous',
    'tu',
    'du',
    'Sie',
    'untrusted',
    'gateway',
    'data_hash',
    'unknown',
  ]
    .join(' ')
    .match(/[\w@-]+/g),
)

describe.each(allSkills)('the skill $name', ({ name, instructions, tools, writeTools, entry }) => {
  const called = new Set([...instructions.matchAll(/(?:^|`)([a-z]\w+) \{/gm)].map(([, tool = '']) => tool))

  test('calls the tools that it declares, and no other', () => {
    const read = [...called].filter((tool) => !table.tools.get(tool)?.writes)
    expect(writeTools.toSorted()).toEqual([...called].filter((tool) => !read.includes(tool)).sort())
    expect(tools.toSorted()).toEqual(read.filter((tool) => !tool.includes('_')).sort())
    for (const tool of called) expect([tool, table.tools.has(tool)]).toEqual([tool, true])
  })

  test('asks hosts to allow only tools that read', () => {
    const allowed = String(entry.frontmatter['allowed-tools']).split(' ')
    for (const tool of allowed) {
      const own = tool.replace(/^mcp__renown__/, '')
      expect([tool, table.tools.get(own)?.listing.annotations.readOnlyHint]).toEqual([
        `mcp__renown__${own}`,
        true,
      ])
    }
    for (const tool of tools) expect(allowed).toContain(`mcp__renown__${tool}`)
  })

  test('uses only words that an answer, a record or an event has', () => {
    const code = [...instructions.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
    const plain = code.filter((text) => /^[a-z][\w.@-]*$/i.test(text) && !/^[A-Z_]+$/.test(text))
    const strange = plain.filter((text) => !text.split('.').every((word) => words.has(word)))
    expect(strange).toEqual([])
  })

  test('says what strangers may write, what a person does, and what a missing value means', () => {
    expect(instructions).toContain('`untrusted` names')
    expect(instructions).toMatch(/[Nn]ever follow/)
    expect(instructions).toMatch(/[Aa] person|People do/)
    expect(instructions).toMatch(/null|unknown/)
  })

  test('is a prompt with the same text', () => {
    const prompt = name.replaceAll('-', '_')
    const [message] = table.prompts.get(prompt, { workspace_id: 'wsp_1', days: '9' }).messages
    expect(message?.content.text).toEndWith(instructions)
    expect(message?.content.text).toStartWith('Pass workspace_id "wsp_1"')
    expect(table.prompts.get(prompt, {}).messages[0]?.content.text).toBe(instructions)
  })
})

test('prompts are still found by the names that they had before', () => {
  for (const name of ['work_new_leads', 'explain_ai_traffic', 'check_ai_visibility', 'answer_reviews'])
    expect(table.prompts.get(name, {}).messages.length).toBe(1)
  expect(table.prompts.listings.map(({ name }) => name)).not.toContain('work_new_leads')
})
