import { describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ingest, SitesFeed } from 'renown/contracts'
import { createControl, type IngestReport } from '../../../ingest/control/control'
import { createControlClient } from '../../../ingest/control/control-client'
import { createRemoteIngest } from '../../../ingest/control/remote'
import type { Flusher, FlusherOptions } from '../../../ingest/flush/flusher'
import { createRemoteFlusher } from '../../../ingest/flush/remote-flusher'
import { turns, waitFor } from '../../support/wait-for'
import { record, site, startedAt, type TestIngest, withIngest } from '../support/ingest'
import { inTemporaryFolder, silentLog } from '../support/journal'

/** The control socket of an ingest. `instance` tells its runs apart. */
function listen(socket: string, ingest: Ingest, instance = 'one') {
  const heard: IngestReport[] = []
  const fetch = createControl({
    instance,
    ingest: Promise.resolve(ingest),
    log: silentLog,
    async onReport(news) {
      heard.push(news)
      if (news.sites) await ingest.setSites(news.sites)
    },
  })
  const server = Bun.serve({ unix: socket, fetch })
  return { heard, stop: () => server.stop(true) }
}

function remoteOf({ directory }: TestIngest, socket: string, sites: SitesFeed = { sites: [site] }) {
  const flusher: { options?: FlusherOptions; drained: number; fault: ReturnType<Flusher['trouble']> } = {
    drained: 0,
    fault: null,
  }
  const stopping = new AbortController()
  const made = createRemoteIngest({
    directory,
    columns: { path: directory },
    sites,
    socket,
    log: silentLog,
    now: () => new Date(startedAt),
    stopping: stopping.signal,
    ended: Promise.resolve(),
    flusher(options) {
      flusher.options = options
      const drain = async () => void flusher.drained++
      return { look() {}, drain, trouble: () => flusher.fault, stop: async () => {} }
    },
  })
  return { made, flusher, stopping }
}

describe('the ingest of another process', () => {
  test('answers as the one in this process does, refusals included', () =>
    withIngest(async (tested) => {
      const socket = join(tested.directory, 'c.sock')
      const server = listen(socket, tested.ingest)
      const { made, flusher } = remoteOf(tested, socket)
      const remote = await made
      const line = new TextEncoder().encode(JSON.stringify(record()))
      expect(await remote.importBatch(site.site_id, 'chunk-1', line)).toMatchObject({ accepted: 1 })
      expect(await remote.importBatch(site.site_id, 'chunk-1', line)).toMatchObject({ duplicate: 1 })
      await expect(remote.importBatch('site_none', 'chunk-1', line)).rejects.toMatchObject({
        name: 'Refusal',
        code: 'not_found',
      })
      expect(await remote.signals(site.site_id)).toEqual(await tested.ingest.signals(site.site_id))
      expect(await remote.ranges.status()).toEqual([])
      expect(await remote.health()).toEqual({ ok: true, dedupShortened: null })
      await remote.flush()
      expect((await readdir(join(tested.directory, 'segments'))).every((name) => name.endsWith('.seg'))).toBe(
        true,
      )
      expect(flusher.drained).toBe(1)
      expect(await remote.state()).toEqual(await tested.ingest.state())
      await remote.stop()
      await server.stop()
    }))

  test('knows a change of the sites when setSites resolves, and a new run is told all of them', () =>
    withIngest(async (tested) => {
      const socket = join(tested.directory, 'c.sock')
      const first = listen(socket, tested.ingest)
      const { made } = remoteOf(tested, socket, { sites: [] })
      const remote = await made
      const send = async () => (await tested.send('/v1/hits', JSON.stringify(record()))).status
      expect(await send()).toBe(401)
      await remote.setSites({ sites: [site] })
      expect(await send()).toBe(200)
      await first.stop()
      await tested.ingest.setSites({ sites: [] })
      const second = listen(socket, tested.ingest, 'two')
      await waitFor(async () => (await send()) === 200, { what: 'the new run to know the site' })
      expect(second.heard.filter(({ sites }) => sites)).toHaveLength(1)
      await remote.stop()
      await second.stop()
    }))

  test('waits for an ingest that is started again, and says so when it stays away', () =>
    withIngest(async (tested) => {
      const socket = join(tested.directory, 'c.sock')
      const ask = createControlClient({ socket, stopping: new AbortController().signal, patienceMs: 5_000 })
      const asked = ask('GET /health')
      await turns(50)
      const server = listen(socket, tested.ingest)
      expect(await asked).toMatchObject({ ok: true })
      await server.stop()
      await expect(ask('GET /health', { patienceMs: 0 })).rejects.toMatchObject({ code: 'unavailable' })
      const stopped = createControlClient({ socket, stopping: AbortSignal.abort() })
      await expect(stopped('GET /health')).rejects.toMatchObject({ code: 'unavailable' })
    }))

  test('tells of the newest thousand flushed segments after it was away, of all when there are no more', () =>
    withIngest(async (tested) => {
      const socket = join(tested.directory, 'c.sock')
      const server = listen(socket, tested.ingest)
      const { made, flusher } = remoteOf(tested, socket)
      const remote = await made
      const tell = async (count: number) => {
        const before = server.heard.length
        for (let hits = 1; hits <= count; hits++) {
          flusher.options?.onFlushed?.({ segment: `s${hits}`, hits, elsewhere: 0, ms: 1 })
        }
        await remote.setSites({ sites: [{ ...site, domain: `d${count}.example` }] })
        return server.heard.slice(before).flatMap(({ flushed }) => flushed.map(({ hits }) => hits))
      }
      const few = await tell(1_000)
      expect([few.length, few[0], few.at(-1)]).toEqual([1_000, 1, 1_000])
      const many = await tell(1_002)
      expect([many.length, many[0], many.at(-1)]).toEqual([1_000, 3, 1_002])
      await remote.stop()
      await server.stop()
    }))

  test('an answer that is no answer is a fault', () =>
    inTemporaryFolder(async (directory) => {
      const socket = join(directory, 'c.sock')
      const server = Bun.serve({ unix: socket, fetch: () => new Response('<html>', { status: 200 }) })
      const ask = createControlClient({ socket, stopping: new AbortController().signal })
      await expect(ask('GET /health')).rejects.toThrow()
      await server.stop(true)
    }))

  test('news that does not fit is refused and changes nothing', () =>
    withIngest(async (tested) => {
      const socket = join(tested.directory, 'c.sock')
      const server = listen(socket, tested.ingest)
      const ask = createControlClient({ socket, stopping: new AbortController().signal })
      for (const news of [{}, { flushed: [], fault: null, sites: { sites: [{ site_id: '../x' }] } }]) {
        await expect(ask('POST /news', { body: JSON.stringify(news) })).rejects.toThrow()
      }
      expect(server.heard).toEqual([])
      expect((await tested.send('/v1/hits', JSON.stringify(record()))).status).toBe(200)
      await server.stop()
    }))
})

test('what is flushed elsewhere shows in /metrics, and a fault there in /readyz', () => {
  const told = createRemoteFlusher(() => new Date(startedAt))
  return withIngest(
    async ({ ingest }) => {
      const ask = async (path: string) =>
        (await ingest.fetch(new Request(`http://localhost${path}`), () => null)).text()
      const segment = `${startedAt - 1_000}`.padStart(14, '0')
      told.report({ flushed: [{ hits: 7, elsewhere: 2, segment, ms: 5 }], fault: null })
      const metrics = await ask('/metrics')
      expect(metrics).toContain('renown_ingest_flushed_hits_total 7')
      expect(metrics).toContain('renown_ingest_elsewhere_hits_total 2')
      expect(JSON.parse(await ask('/readyz'))).toMatchObject({ clickhouse: null, gateway: null })
      told.report({ flushed: [], fault: { of: 'clickhouse', reason: 'no room' } })
      expect(JSON.parse(await ask('/readyz'))).toMatchObject({
        accepting: true,
        clickhouse: { reason: 'no room', since: new Date(startedAt).toISOString() },
      })
    },
    { flusher: told.create },
  )
})
