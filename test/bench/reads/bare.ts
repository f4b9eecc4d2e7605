import { createClient } from '@clickhouse/client'
import { createChdbConnection } from 'chdb/connection'
import { Elysia } from 'elysia'
import mongoose from 'mongoose'

/**
 * What the product is compared with, in a process of its own. `bun bare.ts bytes <file>` serves a file's bytes, `text
 * <file>` the same as a string, `elysia <file>` a file's bytes to a POST whose JSON was read, `driver <uri> <workspace>` the leads through MongoDB's driver and nothing else,
 * `columns <folder> <site>` the daily rows through ClickHouse's client and nothing else.
 */
const [kind, target = '', key = ''] = process.argv.slice(2)
const handlers: Record<string, () => Promise<(request: Request) => Response | Promise<Response>>> = {
  bytes: () => bodyOf(Bun.file(target).bytes()),
  text: () => bodyOf(Bun.file(target).text()),
  elysia: () => postOn(Bun.file(target).bytes()),
  driver: () => driverOn(target, key),
  columns: () => columnsOn(target, key),
}
const handler = await handlers[kind ?? '']?.()
if (!handler) throw new Error(`nothing is known of ${kind}`)
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: handler })
process.stdout.write(`listening ${server.port}\n`)

async function bodyOf(reading: Promise<string | Uint8Array<ArrayBuffer>>) {
  const body = await reading
  return () => new Response(body, { headers: { 'content-type': 'application/json' } })
}

async function postOn(reading: Promise<Uint8Array<ArrayBuffer>>) {
  const bytes = await reading
  const app = new Elysia().post('/', ({ body }) =>
    body ? new Response(bytes, { headers: { 'content-type': 'application/json' } }) : new Response(null),
  )
  return (request: Request) => app.handle(request)
}

async function driverOn(uri: string, workspace_id: string) {
  const client = await mongoose.mongo.MongoClient.connect(uri)
  const db = client.db()
  const name = (await db.listCollections().toArray())
    .map((each) => each.name)
    .find((each) => /^leads?$/i.test(each))
  const leads = db.collection(name ?? 'Lead')
  return async () => {
    const rows = await leads
      .find({ workspace_id, is_archived: { $ne: true }, stage: 'new' })
      .sort({ created_date: -1, _id: -1 })
      .limit(50)
      .toArray()
    return Response.json(rows)
  }
}

async function columnsOn(path: string, site: string) {
  const client = createClient({ connection: createChdbConnection({ path }) as never })
  await client.command({ query: 'USE renown' })
  const query = `SELECT id, site_id, location_id, date, crawler_hits, verified_hits, spoofed_hits, unique_agents,
      by_agent, by_category, top_paths, paths_by_category, referral_visits, by_referrer, referral_paths, created_date,
      updated_date
    FROM ai_traffic_daily FINAL WHERE site_id = {site:String} AND date >= {from:Date} ORDER BY date DESC LIMIT 100`
  return async () => {
    const found = await client.query({
      query,
      format: 'JSONEachRow',
      query_params: { site, from: '2026-01-01' },
    })
    return new Response(await found.text())
  }
}
