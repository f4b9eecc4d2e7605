import { expect, test } from 'bun:test'
import { startProduct } from '../support/product'

test('`bun start --demo` makes a demo beside the first run, says so, and `demo remove` takes it away', async () => {
  await using product = await startProduct({ words: ['--demo'] })
  const { demo, api_url, agent_key } = product.facts
  const read = async (path: string, key = demo?.agent_key) => {
    const answer = await fetch(`${api_url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return { status: answer.status, rows: (await answer.json()) as Record<string, unknown>[] }
  }
  const workspaces = await read('/api/entities/Workspace')
  expect(workspaces.rows.map(({ is_demo }) => is_demo)).toEqual([true, true, true])
  expect((await read('/api/entities/AiTrafficDaily?limit=1000')).rows.length).toBeGreaterThan(400)
  expect((await read('/api/entities/Review')).rows).toHaveLength(100)
  expect((await read('/api/entities/Workspace', agent_key)).rows.map(({ is_demo }) => is_demo)).toEqual([
    undefined,
  ])

  const said = async () => JSON.parse((await product.renown('status', '--json')).stdout).demo_data
  expect(await said()).toBe(true)
  const again = await product.renown('demo', 'create', '--json')
  expect([again.code, again.stdout.includes('already loaded')]).toEqual([1, true])
  expect((await product.renown('demo', 'remove')).code).toBe(0)
  expect(await said()).toBe(false)
  expect((await read('/api/entities/Workspace')).status).toBe(401)
  expect((await read('/api/entities/Workspace', agent_key)).rows).toHaveLength(1)
}, 90_000)
