import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { clientCommand } from '../support/clients'
import { type Check, runSuite, serveWithKey } from '../support/conformance-suite'
import { type RunningProduct, startProduct } from '../support/product'
import { skipLoudly } from '../support/programs'
import { expectedFailures } from './mcp-conformance.expected'

let product: RunningProduct
let door: ReturnType<typeof serveWithKey>
let command: string[] | null
beforeAll(async () => {
  command = await clientCommand('conformance')
  if (!command) return
  product = await startProduct({
    env: {
      RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
      PLUGINS: join(import.meta.dir, '../support/conformance-plugin.ts'),
    },
  })
  door = serveWithKey(product.facts.api_url, product.facts.agent_key)
}, 180_000)
afterAll(async () => {
  await door?.stop()
  await product?.[Symbol.asyncDispose]()
})

describe("the official suite's requirements of", () => {
  test.each(Object.entries(expectedFailures))(
    '%s are met, but for those that are listed with their reasons',
    async (revision, expected) => {
      if (!command) return skipLoudly('the conformance suite', ['conformance suite'])
      const { output, checks } = await runSuite(command, [
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
