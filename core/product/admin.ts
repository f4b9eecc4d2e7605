import { chmodSync, rmSync } from 'node:fs'
import { runCommand } from '../contexts/run-command'
import { isRefusal, isUnavailable, messageOf, Refusal } from '../contracts/errors'
import type { AnyCommand, Log, OwnerContext } from '../contracts/plugin'
import type { Ingest, SitesFeed } from '../contracts/traffic'
import type { FetchSigner } from '../outbound/signing/fetch-signer'
import { makeSocketFolder } from '../process/data-folder'
import type { Registry } from '../registry/registry'
import { commandLine } from '../tenancy/audit/audit'
import type { Transfer } from '../transfer'
import { transferRoutes } from '../transfer/routes'
import { operatorWork, runWork } from '../work/scope'
import { type AnswerPart, inParts, partsType } from './answer-parts'
import type { InstalledPlugins } from './installed-plugins'
import type { ResealedField } from './reseal'
import type { LineScreen, RunLine } from './serve-deps'

export interface AdminDeps {
  readonly commands: ReadonlyMap<string, AnyCommand>
  readonly registry: Registry
  readonly owner: OwnerContext
  readonly log: Log
  /** The ingest. Created on first use if the process runs none. */
  ingest(): Promise<Ingest>
  sites(): Promise<SitesFeed>
  status(): Promise<Record<string, unknown>>
  checks(): Promise<unknown>
  /** Export, import and backup of all data. */
  readonly transfer: Transfer
  readonly plugins: InstalledPlugins
  readonly signer: FetchSigner
  /** Seals every stored secret again under the newest key. */
  reseal(): Promise<readonly ResealedField[]>
  /** Runs whole command lines. Left out where there is no command line. */
  loadCommandLine?(): Promise<RunLine>
}

export type AdminFetch = (request: Request) => Promise<Response>

type Route = (request: Request, url: URL, tell: (told: AnswerPart) => void) => Promise<unknown>

/**
 * The admin interface: commands, imports and the state of the process as JSON. Reachable only over a socket or in
 * process.
 */
export function createAdmin(deps: AdminDeps): AdminFetch {
  const routes: Record<string, Route> = {
    // Needs no store, so it shows whether the process answers at all.
    'GET /alive': async () => ({ pid: process.pid }),
    'POST /line': (request, _url, tell) => runLine(deps, self, request, tell),
    'GET /status': () => deps.status(),
    'GET /checks': () => deps.checks(),
    'GET /ranges': async () => (await deps.ingest()).ranges.status(),
    'POST /ranges/refresh': async () => (await deps.ingest()).ranges.refresh(),
    'GET /signing': async () => deps.signer.status(),
    'POST /signing/rotate': async () => deps.signer.rotate(),
    'POST /secrets/reseal': async () => ({ fields: await deps.reseal() }),
    'GET /registry': async () => (await deps.ingest()).registry(),
    'POST /flush': async () => (await deps.ingest()).flush().then(() => ({ flushed: true })),
    'POST /command': async (request, url) => {
      const owner = { ...deps.owner, by: { host: commandLine } }
      return runCommand({ ...deps, owner }, url.searchParams.get('name') ?? '', await request.json())
    },
    'GET /site': async (_request, url) => findSite(deps, url.searchParams.get('site') ?? ''),
    'POST /import': async (request, url) => importChunk(deps, request, url),
    'GET /plugins': () => deps.plugins.list(),
    'POST /plugins/remove': async (request) => {
      const { name, deletes_rows } = (await request.json()) as { name: string; deletes_rows: boolean }
      return deps.plugins.remove(name, deletes_rows === true)
    },
    ...transferRoutes(deps.transfer),
  }
  const answer = async (request: Request, tell: (told: AnswerPart) => void): Promise<Response> => {
    const url = new URL(request.url)
    const route = routes[`${request.method} ${url.pathname}`]
    if (!route) return problem(404, 'not_found', 'The command socket does not have this address.')
    try {
      return Response.json(await route(request, url, tell))
    } catch (error) {
      if (isRefusal(error)) return problem(error.status, error.code, error.message, error.details)
      if (isUnavailable(error)) return problem(503, 'unavailable', messageOf(error), { is_store: true })
      deps.log.error('a command failed', { path: url.pathname, error: String(error) })
      return problem(500, 'internal', messageOf(error))
    }
  }
  const self: AdminFetch = (request) => {
    const work = operatorWork()
    return runWork(work, () =>
      request.headers.get('accept') === partsType
        ? inParts(
            (tell) => answer(request, tell),
            () => work.step,
          )
        : answer(request, () => {}),
    )
  }
  return self
}

/** What a caller sends to have its whole command line run here, where the commands of all plugins are loaded. */
interface Line {
  readonly words: readonly string[]
  readonly screen: LineScreen
}

async function runLine(
  { loadCommandLine }: AdminDeps,
  admin: AdminFetch,
  request: Request,
  tell: (told: AnswerPart) => void,
) {
  const { words, screen } = (await request.json()) as Line
  if (!loadCommandLine) return { code: null }
  const run = await loadCommandLine()
  return {
    code: await run(words, { screen, admin, out: (out) => tell({ out }), err: (err) => tell({ err }) }),
  }
}

/** Opens the socket for the owner only. Removes the socket of an ended process first. */
export function listenAdmin(path: string, fetch: AdminFetch): { stop(): Promise<void> } {
  makeSocketFolder(path)
  rmSync(path, { force: true })
  const server = Bun.serve({ unix: path, fetch, maxRequestBodySize: 128 * 2 ** 20 })
  chmodSync(path, 0o600)
  return {
    async stop() {
      await server.stop(true)
      rmSync(path, { force: true })
    },
  }
}

async function findSite({ sites }: AdminDeps, wanted: string) {
  const known = (await sites()).sites
  const site =
    known.find(({ site_id }) => site_id === wanted) ?? known.find(({ domain }) => domain === wanted)
  if (site) return { site_id: site.site_id, domain: site.domain }
  const hint =
    known.length === 0
      ? 'There are no sites yet.'
      : `Known: ${known
          .map(({ domain, site_id }) => `${site_id} (${domain})`)
          .slice(0, 10)
          .join(', ')}.`
  throw new Refusal('not_found', `There is no site ${wanted}. ${hint}`)
}

async function importChunk(deps: AdminDeps, request: Request, url: URL) {
  const { site_id } = await findSite(deps, url.searchParams.get('site') ?? '')
  const batch = url.searchParams.get('batch') ?? ''
  if (batch === '') throw new Refusal('invalid_parameter', 'An import must send the id of its part.')
  return (await deps.ingest()).importBatch(site_id, batch, await request.bytes())
}

const problem = (status: number, code: string, detail: string, more: object = {}) =>
  Response.json({ status, code, detail, ...more }, { status })
