import { join } from 'node:path'
import * as v from 'valibot'
import { operationCalls } from './support/operation-calls'
import { shortened } from './support/printed-operations'
import { startProduct } from './support/product'
import { shippedRegistry } from './support/shipped'

// Calls each operation once on the demo, and keeps one call and one answer of each for `docs/reference/operations.md`.

const registry = shippedRegistry()
await using product = await startProduct({ words: ['--demo'] })
const { demo, api_url, agent_key, workspace_id: ownWorkspace } = product.facts
if (!demo) throw new Error('The product made no demo.')

async function ask(path: string, workspace: string | undefined, body?: object): Promise<unknown> {
  const answer = await fetch(`${api_url}/api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${workspace === ownWorkspace ? agent_key : demo?.agent_key}`,
      'content-type': 'application/json',
      ...(workspace === undefined ? {} : { 'x-workspace-id': workspace }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const said: unknown = await answer.json()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(said)}`)
  return said
}

const first = async (entity: string, workspace: string, q: object = {}) => {
  const query = new URLSearchParams({ q: JSON.stringify(q), limit: '1' })
  const [row] = (await ask(`entities/${entity}?${query}`, workspace)) as readonly { readonly id: string }[]
  if (!row) throw new Error(`The demo has no ${entity} with ${JSON.stringify(q)}`)
  return row
}

const workspaces = (await ask('entities/Workspace', undefined)) as readonly { readonly id: string }[]
/** Workspaces with a business in Britain come first, because the reference is in English. */
const isBritish = await Promise.all(
  workspaces.map(({ id }) =>
    first('BusinessLocation', id, { country: 'GB' }).then(
      () => true,
      () => false,
    ),
  ),
)
const ids = workspaces.map(({ id }) => id).toSorted((a, b) => rank(a) - rank(b))
function rank(id: string): number {
  return isBritish[workspaces.findIndex((one) => one.id === id)] ? 0 : 1
}
const kept: Record<string, unknown> = {}
const missing: string[] = []
for (const [name, { output }] of registry.operations) {
  const call = operationCalls[name]
  if (!call) throw new Error(`test/support/operation-calls.ts has no call of ${name}`)
  const failed: unknown[] = []
  // Some operations refuse the demo. They are called in the workspace of the first run.
  for (const id of [...ids, ownWorkspace]) {
    try {
      const input = await call((entity, q) => first(entity, id, q))
      const answer = shortened(await ask(`functions/${name}`, id, input), output)
      if (!v.is(output, answer)) throw new Error(`${name}: the answer does not fit its schema when shortened`)
      kept[name] = { input, answer }
      break
    } catch (error) {
      failed.push(error)
    }
  }
  if (!(name in kept)) missing.push(`${name}: ${failed.map(String).join('\n  ')}`)
}
await Bun.write(join(import.meta.dir, 'support/operation-answers.json'), `${JSON.stringify(kept, null, 1)}\n`)
if (missing.length > 0) throw new Error(`These have no answer:\n${missing.join('\n')}`)
