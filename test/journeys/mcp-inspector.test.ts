import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ClientRun, clientCommand, runProgram } from '../support/clients'
import { describeWith } from '../support/needs'
import { type RunningProduct, startProduct } from '../support/product'

let product: RunningProduct
const codes = { ok: 0, auth: 3, isError: 5 }

describeWith('MCP clients')('MCP Inspector', () => {
  beforeAll(async () => {
    product = await startProduct({ env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' } })
  }, 90_000)
  afterAll(() => product?.[Symbol.asyncDispose]())

  describe.each(['legacy', 'modern', 'auto'])('on the command line, %s', (era) => {
    const inspect = (words: string[], key = product.facts.agent_key): Promise<ClientRun> =>
      runProgram(
        [
          ...clientCommand('mcp-inspector'),
          '--cli',
          `${product.facts.api_url}/api/mcp`,
          '--transport',
          'http',
          '--header',
          `Authorization: Bearer ${key}`,
          '--stored-auth-only',
          '--protocol-era',
          era,
          '--format',
          'json',
          ...words,
        ],
        { env: { HOME: product.dataDir } },
      )
    const result = async (words: string[]) => {
      const { code, stdout, stderr } = await inspect(words)
      expect({ code, stderr }).toMatchObject({ code: codes.ok })
      return JSON.parse(stdout).result
    }

    test('lists tools, and finds nothing in their schemas that any client would stumble over', async () => {
      const { code, stdout, stderr } = await inspect(['--method', 'tools/list', '--strict'])
      expect({ code, stderr }).toEqual({ code: codes.ok, stderr: '' })
      const names = JSON.parse(stdout).result.tools.map(({ name }: { name: string }) => name)
      expect(names).toEqual(expect.arrayContaining(['list_records', 'get_record', 'listLeadsWithMentions']))
    }, 90_000)

    test('calls tools, reads resources, takes prompts', async () => {
      const call = ['--method', 'tools/call', '--tool-name', 'list_records', '--tool-arg', 'entity=Workspace']
      const [listed, resources, prompts] = await Promise.all([
        result(call),
        result(['--method', 'resources/read', '--uri', 'renown://records/Lead']),
        result(['--method', 'prompts/get', '--prompt-name', 'weekly_overview']),
      ])
      expect(JSON.parse(listed.content[0].text).rows[0].id).toBe(product.facts.workspace_id)
      expect(JSON.parse(resources.contents[0].text).name).toBe('Lead')
      expect(prompts.messages.length).toBeGreaterThan(0)
    }, 90_000)

    test('hears refusals as such', async () => {
      const call = ['--method', 'tools/call', '--tool-name', 'list_records', '--tool-arg', 'entity=Nothing']
      const [refused, stranger] = await Promise.all([
        inspect(call),
        inspect(['--method', 'tools/list'], 'rnw_key_none'),
      ])
      expect([refused.code, stranger.code]).toEqual([codes.isError, codes.auth])
      expect(refused.stdout).toContain('outside_surface')
      expect(stranger.stderr).toContain('auth_required')
    }, 90_000)

    test('calls a tool many times at once', async () => {
      const load = ['--load', '--load-requests', '40', '--load-concurrency', '20']
      const told = await result(['--method', 'tools/call', '--tool-name', 'list_workspaces', ...load])
      expect(told).toMatchObject({ requests: 40, ok: 40, toolErrors: 0, errors: 0 })
    }, 90_000)
  })
})
