import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { clientCommand } from '../support/clients'
import { type Check, runSuite, serveWithKey } from '../support/conformance-suite'
import { describeWith } from '../support/needs'
import { type RunningProduct, startProduct } from '../support/product'
import { expectedFailures } from './mcp-conformance.expected'

let product: RunningProduct
let door: ReturnType<typeof serveWithKey>
describeWith('MCP clients')("the official suite's requirements of", () => {
  beforeAll(async () => {
    product = await startProduct({
      env: {
        RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
        PLUGINS: join(import.meta.dir, '../support/conformance-plugin.ts'),
      },
    })
    door = serveWithKey(product.facts.api_url, product.facts.agent_key)
  }, 90_000)
  afterAll(async () => {
    await door?.stop()
    await product?.[Symbol.asyncDispose]()
  })

  test.each(Object.entries(expectedFailures))(
    '%s are met, but for those that are listed with their reasons',
    async (revision, expected) => {
      const { output, checks } = await runSuite(clientCommand('conformance'), [
        'server',
        '--url',
        door.url,
        '--requirements',
        revision,
      ])
      const failed = checks.filter(({ status }) => status === 'FAILURE')
      const listed = ({ scenario, id }: Check) =>
        [scenario, `${scenario}/${id}`].find((name) => Object.hasOwn(expected, name))
      expect(failed.filter((check) => !listed(check))).toEqual([])
      expect([...new Set(failed.map(listed))].sort()).toEqual(Object.keys(expected).sort())
      const passed = checks.filter(({ status }) => status === 'SUCCESS')
      // A suite that could not reach the product would fail nowhere else.
      expect(passed.length, output).toBeGreaterThan(40)
    },
    120_000,
  )
})
