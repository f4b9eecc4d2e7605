import mongoose from 'mongoose'

/**
 * What the product is compared with, in a process of its own: `bun bare.ts bytes <file>` serves a file's bytes,
 * `bun bare.ts driver <uri> <workspace>` the same leads through MongoDB's driver and nothing else.
 */
const [kind, target = '', workspace = ''] = process.argv.slice(2)
const handler = kind === 'bytes' ? await bytesOf(target) : await driverOn(target, workspace)
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: handler })
process.stdout.write(`listening ${server.port}\n`)

async function bytesOf(file: string) {
  const body = await Bun.file(file).bytes()
  return () => new Response(body, { headers: { 'content-type': 'application/json' } })
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
