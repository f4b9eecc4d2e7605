import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { OwnerContext } from '../../../core/contracts/owner'
import { where } from '../../../core/contracts/where'
import { withCore } from '../../../core/product/core-plugins'
import { createRegistry } from '../../../core/registry/registry'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { builtin } from '../../../plugins'
import { dueEnrichments } from '../../../plugins/enrichment/work/dueEnrichments'
import { inStore as workInStore } from '../../support/in-store'
import { serveWebsite, type WebsiteStandIn } from '../../support/stand-ins/website'
import { waitFor } from '../../support/wait-for'

const runner = resolve(import.meta.dir, './support/enrich-runner.ts')
const clock = { now: () => new Date() }
const registry = createRegistry(withCore(builtin))
let folder: string
let path: string
let website: WebsiteStandIn
let isHanging = true

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renown-enrichments-'))
  path = join(folder, 'documents.db')
  isHanging = true
  const home = () =>
    isHanging
      ? new Promise<Response>(() => {})
      : new Response('<p>Hello', { headers: { 'content-type': 'text/html' } })
  website = serveWebsite({ '/': home })
})
afterEach(async () => {
  await website.stop()
  await rm(folder, { recursive: true })
})

/** Works on the store while no other process does. */
const inStore = <T>(work: (owner: OwnerContext) => Promise<T>) =>
  workInStore({ path, registry, now: clock.now }, work)
const stands = () =>
  inStore(async (owner) => {
    const [location] = await owner.rows(BusinessLocation).list()
    const [sync] = await owner.rows(SyncStatus).list({ where: where.eq('kind', 'enrichment') })
    return { ...location, sync: sync?.status }
  })
const look = () => inStore((owner) => dueEnrichments.run(owner, new AbortController().signal))

async function begin() {
  const child = Bun.spawn([process.execPath, runner, path], { stdout: 'pipe', stderr: 'inherit' })
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

const homes = () => website.asked.filter(({ path }) => path === '/').length

/** Lets a process begin to read and kills it while the website makes it wait. */
async function killedAtWork() {
  const before = homes()
  const child = await begin()
  await waitFor(() => homes() > before, { what: 'the website to be asked', timeoutMs: 30_000 })
  await child.kill()
}

const prepare = () =>
  inStore(async (owner) => {
    await owner.rows(BusinessLocation).insert({
      workspace_id: 'wsp_1',
      business_name: 'Acme',
      website: `http://acme.example:${website.port}/`,
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      enrichment: { about: 'Old' },
    })
    await dueEnrichments.run(owner, new AbortController().signal)
  })

test('an enrichment whose process is killed is ended by the next one', async () => {
  await prepare()
  await killedAtWork()
  expect(await stands()).toMatchObject({
    enrichment_status: 'pending',
    sync: 'running',
    enrichment: { about: 'Old' },
  })
  await look()
  isHanging = false
  const child = await begin()
  await child.says('ended')
  await child.kill()
  expect(await stands()).toMatchObject({
    enrichment_status: 'success',
    sync: 'succeeded',
    enrichment: { about: 'Acme' },
  })
}, 120_000)

test('an enrichment whose process is killed each time has failed, says so, and leaves nothing running', async () => {
  await prepare()
  for (let n = 0; n < 4; n++) await killedAtWork()
  const child = await begin()
  await child.says('given up')
  await child.kill()
  expect(await stands()).toMatchObject({
    enrichment_status: 'failed',
    enrichment_error: 'Its process died each time',
    sync: 'failed',
    enrichment: { about: 'Old' },
  })
  expect(homes()).toBe(4)
}, 120_000)
