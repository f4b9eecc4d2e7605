import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtin } from '../../plugins/index'
import { Lead } from '../../plugins/leads/records/Lead'
import { type Gate, startGate } from '../support/harness'
import { part } from '../support/part'
import { sampleRow } from '../support/sample-row'

const root = join(import.meta.dir, '../..')
let gate: Gate
let folder: string

beforeAll(async () => {
  gate = await startGate({ plugins: builtin })
  for (const intent_score of [70, 10, 40]) {
    await gate.put(Lead, part({ ...sampleRow(Lead, 'x'), stage: 'new', intent_score }))
  }
  folder = await mkdtemp(join(tmpdir(), 'renown-client-'))
  await cp(join(import.meta.dir, 'client'), folder, { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const settings = { extends: join(root, 'tsconfig.json'), include: ['.'] }
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  await Bun.write(join(folder, 'openapi.json'), await (await gate.ask('/openapi.json')).text())
})
afterAll(async () => {
  await gate.stop()
  await rm(folder, { recursive: true })
})

const run = (...command: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder })
  return { exitCode, text: `${stdout}${stderr}` }
}
const compile = () => run(join(root, 'node_modules/.bin/tsc'), '--noEmit', '-p', folder)

test('a client generated from /openapi.json compiles', () => {
  const script = join(root, 'test/support/generate-client.ts')
  expect(run(process.execPath, script, join(folder, 'openapi.json'), join(folder, 'api.ts'))).toMatchObject({
    exitCode: 0,
  })
  expect(compile()).toEqual({ exitCode: 0, text: '' })
})

test('and reads, pages, is refused and marks at a started gate', async () => {
  const { journey } = await import(join(folder, 'journey.ts'))
  const answer = await journey({
    url: `http://127.0.0.1:${gate.listen().port}`,
    key: gate.tenant.key,
    workspace: gate.stranger.workspaceId,
  })
  expect(answer).toEqual({
    offered: expect.arrayContaining(['Lead', 'Review', 'AiTrafficDaily']),
    scores: [10, 40, 70],
    stage: 'new',
    codes: ['not_found', 'invalid_parameter', 'workspace_not_readable', 'unauthenticated'],
    fault: 'limit',
    total: 3,
    updated: [3, 3, 3],
    replayed: 'true',
  })
})

test('its types refuse what the product does not take or answer', async () => {
  const wrong = [
    "client.GET('/api/entities/Ghost')",
    "client.POST('/api/entities/Lead', { body: {} })",
    "client.GET('/api/entities/Lead', { params: { query: { colour: 'red' } } })",
    "client.POST('/api/functions/markLeadsSeen', { body: { lead_ids: 'led_1' } })",
    "client.GET('/api/entities/Lead/{id}', { params: { path: { id: 'x' } } }).then(({ data }) => data?.render_token)",
  ]
  const head =
    "import createClient from 'openapi-fetch'\nimport type { paths } from './api'\nexport const client = createClient<paths>()\n"
  await Bun.write(join(folder, 'wrong.ts'), `${head}${wrong.join('\n')}\n`)
  const { text } = compile()
  const lines = [...text.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line) - 4)
  expect([...new Set(lines)]).toEqual(wrong.map((_, place) => place))
})
