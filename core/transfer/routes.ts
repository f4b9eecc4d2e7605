import * as v from 'valibot'
import { Refusal } from '../contracts/errors'
import { headerSchema, type Mark } from './format'
import type { Transfer } from './index'

type Route = (request: Request, url: URL) => Promise<unknown>

/** Export, import and backup on the admin interface. Each call is short. The command line makes the loop. */
export const transferRoutes = (transfer: Transfer): Record<string, Route> => ({
  'POST /data/begin': () => transfer.begin(),
  'POST /data/page': async (request) => {
    const { part, after } = (await request.json()) as { part: string; after: Mark | null }
    return transfer.page(part, after)
  },
  'POST /data/receive': async (request, url) => {
    const header = v.safeParse(headerSchema, await request.json())
    if (!header.success) throw new Refusal('conflict', notAnExport)
    await transfer.receive(header.output, isMerge(url))
    return {}
  },
  'POST /data/take': async (request, url) =>
    transfer.take(await request.text(), Number(url.searchParams.get('line')), isMerge(url)),
  'POST /data/finish': async () => {
    transfer.finish()
    return {}
  },
  'POST /data/backup': async (request) => {
    const { folder, keep } = (await request.json()) as { folder: string; keep: number | null }
    return transfer.backup(folder, keep)
  },
})

const notAnExport = 'The first line is not the start of an export. `bun renown data export` creates one.'

const isMerge = (url: URL) => url.searchParams.get('merge') === 'true'
