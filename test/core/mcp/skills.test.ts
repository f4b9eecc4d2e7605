import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { allSkills } from '../../../core/skills/catalog'
import { builtin } from '../../../plugins/index'
import { type Gate, startGate } from '../../support/harness'
import { askMcp, mcpResult, revisions } from '../../support/mcp'

let gate: Gate
let port: number
beforeAll(async () => {
  gate = await startGate({ plugins: builtin })
  port = gate.listen().port
})
afterAll(() => gate.stop())

const names = allSkills.map(({ name }) => name)

test.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)(
  'the client of the SDK lists, gets and verifies all skills, speaking %p',
  async (mode) => {
    const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode } })
    const headers = { authorization: `Bearer ${gate.tenant.key}` }
    const url = new URL(`http://127.0.0.1:${port}/api/mcp`)
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    const skills = new SkillsClient(client)
    expect(skills.supported).toBe(true)
    const listed = await skills.list()
    expect(listed.skills.map(({ frontmatter }) => frontmatter.name)).toEqual(names)
    for (const [place, skill] of listed.skills.entries()) {
      const file = await skills.read((await skills.get(skill.uri)).skill)
      expect([file.verified, file.text]).toEqual([true, allSkills[place]?.text])
    }
    const { resources } = await client.listResources()
    const own = resources.filter(({ uri }) => uri.startsWith('skill://')).map(({ name }) => name)
    expect(own).toEqual(names)
    await client.close()
  },
)

interface Listed {
  readonly skills: readonly { readonly uri: string }[]
}
const listOf = async (query: string, revision: (typeof revisions)[number] = '2026-07-28') => {
  const { skills } = await mcpResult<Listed>(askMcp(gate, revision, 'skills/list', {}, { query }))
  return skills.map(({ uri }) => uri)
}

test.each(revisions)('a connection with fewer tools has fewer skills, in %s', async (revision) => {
  expect(await listOf('?readonly=1', revision)).toEqual(names.map((name) => `skill://${name}/SKILL.md`))
  expect(await listOf('?toolsets=records,reviews', revision)).toEqual(['skill://answer-reviews/SKILL.md'])
  expect(await listOf('?toolsets=records', revision)).toEqual([])
  const uri = 'skill://crawler-audit/SKILL.md'
  const query = '?toolsets=records,reviews'
  for (const [method, message] of [
    ['skills/get', 'lacks a tool'],
    ['resources/read', 'Resource not found'],
  ] as const)
    expect(await (await askMcp(gate, revision, method, { uri }, { query })).text()).toContain(message)
})

test.each(revisions)('what is no skill and no page is refused in words, in %s', async (revision) => {
  const told = async (method: string, params: Record<string, unknown>) =>
    ((await (await askMcp(gate, revision, method, params)).json()) as { error: unknown }).error
  for (const uri of ['skill://nothing/SKILL.md', 'skill://morning-triage/../SKILL.md', 7, undefined])
    expect(await told('skills/get', { uri })).toMatchObject({
      code: -32602,
      message: expect.stringContaining('There is no skill with that address'),
    })
  expect(await told('skills/list', { cursor: 'x' })).toMatchObject({ code: -32602 })
  expect(await told('skills/list', { cursor: null })).toBeUndefined()
})
