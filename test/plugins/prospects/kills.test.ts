import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { OwnerContext } from '../../../core/contracts/owner'
import { withCore } from '../../../core/product/core-plugins'
import { createRegistry } from '../../../core/registry/registry'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../plugins'
import { newProspects } from '../../../plugins/prospects/audit/newProspects'
import { ProspectAudit } from '../../../plugins/prospects/records/ProspectAudit'
import { inStore as workInStore } from '../../support/in-store'
import { waitFor } from '../../support/wait-for'

const runner = resolve(import.meta.dir, './support/audit-runner.ts')
const clock = { now: () => new Date() }
const registry = createRegistry(withCore(builtin))
const tls = (name: string) => readFileSync(join(import.meta.dir, '../../fixtures/tls', name), 'utf8')
let folder: string
let path: string
let website: Bun.Server<undefined>
let isHanging = true
let asked = 0

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renown-audits-'))
  path = join(folder, 'documents.db')
  isHanging = true
  asked = 0
  website = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert: tls('cert.pem'), key: tls('key.pem') },
    fetch({ url }) {
      if (new URL(url).pathname !== '/') return new Response('', { status: 404 })
      asked++
      return isHanging ? new Promise<Response>(() => {}) : new Response('<title>Shop</title>')
    },
  })
})
afterEach(async () => {
  await website.stop(true)
  await rm(folder, { recursive: true })
})

/** Works on the store while no other process does. */
const inStore = <T>(work: (owner: OwnerContext) => Promise<T>) =>
  workInStore({ path, registry, now: clock.now }, work)
const audit = () => inStore(async (owner) => (await owner.rows(ProspectAudit).list())[0])

async function begin() {
  const child = Bun.spawn([process.execPath, runner, path], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let said = ''
  const hear = async () => {
    for await (const part of child.stdout) said += new TextDecoder().decode(part)
  }
  void hear()
  return {
    says: (what: string) =>
      waitFor(() => said.includes(what), { what: `it to say ${what}`, timeoutMs: 30_000 }),
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** Lets a process begin the audit and kills it while the website makes it wait. */
async function killedAtWork() {
  const before = asked
  const child = await begin()
  await waitFor(() => asked > before, { what: 'the website to be asked', timeoutMs: 30_000 })
  await child.kill()
}

async function prepare() {
  await inStore(async (owner) => {
    await owner.rows(BusinessLocation).insert({
      workspace_id: 'wsp_1',
      business_name: 'Pitch',
      website: `https://service.example:${website.port}/`,
      is_active: false,
      is_prospect: true,
      auto_response_enabled: false,
    })
    await newProspects.run(owner, AbortSignal.timeout(60_000))
  })
}

test('an audit whose process is killed is ended by the next one', async () => {
  await prepare()
  await killedAtWork()
  expect((await audit())?.status).toBe('running')
  isHanging = false
  const child = await begin()
  await child.says('ended')
  await child.kill()
  const ended = await audit()
  expect(ended).toMatchObject({ status: 'completed' })
  expect(ended?.findings?.traffic).toMatchObject({ reachable: true, https: { works: true } })
}, 120_000)

test('an audit whose process is killed three times has failed, and says so', async () => {
  await prepare()
  for (let n = 0; n < 3; n++) await killedAtWork()
  const child = await begin()
  await child.says('given up')
  await child.kill()
  expect(await audit()).toMatchObject({ status: 'failed', error: 'Its process died each time' })
  expect(asked).toBe(3)
}, 120_000)
