import { afterAll, beforeAll, expect, test } from 'bun:test'
import { compileTable } from '../../../core/mcp/table'
import { proposalsPlugin } from '../../../core/product/proposals-plugin'
import { builtin } from '../../../plugins/index'
import { appToken } from '../../support/app-token'
import { type Gate, startGate } from '../../support/harness'
import { askMcp, mcpResult, revisions } from '../../support/mcp'
import { shippedRegistry } from '../../support/shipped'

const tools = [...compileTable(shippedRegistry()).tools.values()]
const namesOf = (some: typeof tools) => some.map(({ listing }) => listing.name).sort()
const writing = tools.filter(({ writes }) => writes)
const reading = tools.filter(({ writes }) => !writes)

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [proposalsPlugin(builtin), ...builtin] })
})
afterAll(() => gate.stop())

type Revision = (typeof revisions)[number]
async function listed(revision: Revision, key: string, query = ''): Promise<string[]> {
  const answer = askMcp(gate, revision, 'tools/list', {}, { key, query })
  const { tools } = await mcpResult<{ tools: { name: string }[] }>(answer)
  return tools.map(({ name }) => name).sort()
}

test.each([...revisions])(
  'over %s, only credentials that may write see and call tools that write',
  async (revision) => {
    const { agencyId } = gate.tenant
    const { token: readOnly } = await appToken(gate, agencyId, { scopes: ['read'] })
    const { token: whole } = await appToken(gate, agencyId)
    expect(writing.length).toBeGreaterThan(5)
    expect(await listed(revision, readOnly)).toEqual(namesOf(reading))
    expect(await listed(revision, readOnly, '?readonly=0&structured=1')).toEqual(namesOf(reading))
    for (const key of [whole, gate.tenant.key]) {
      expect(await listed(revision, key)).toEqual(namesOf(tools))
      expect(await listed(revision, key, '?readonly=1')).toEqual(namesOf(reading))
    }
    for (const { listing } of writing) {
      for (const dry_run of [undefined, true]) {
        const params = { name: listing.name, arguments: dry_run === undefined ? {} : { dry_run } }
        const answer = await askMcp(gate, revision, 'tools/call', params, { key: readOnly })
        expect([listing.name, answer.status]).toEqual([listing.name, 403])
        expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
        expect(await answer.json()).toMatchObject({ code: 'insufficient_scope' })
        const narrowed = await askMcp(gate, revision, 'tools/call', params, {
          key: whole,
          query: '?readonly=1',
        })
        expect(await narrowed.text()).toContain('Unknown tool')
      }
    }
  },
)
