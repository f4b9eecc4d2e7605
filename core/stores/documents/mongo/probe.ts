import type { mongo } from 'mongoose'
import { messageOf } from '../../../contracts/errors'
import { hourMs } from '../../../contracts/time'
import { UnavailableError } from '../port'
import { translated } from './errors'

type Db = mongo.Db
type Rows = mongo.Collection<{ _id: string; place?: string; key?: string; ends?: Date; count?: number }>

/** Something that Renown needs from a server and that not every server with MongoDB's protocol has. */
interface Need {
  /** What it is, in the words of MongoDB's manual, and where it exists. */
  readonly name: string
  /** Returns whether the server has it. May throw as well if it has not. */
  readonly isMet: (rows: Rows, id: string, now: Date) => Promise<boolean>
}

/** The server's time an hour from now, as jobs use it for their leases. */
const inAnHour = { $add: ['$$NOW', hourMs] }

const needs: readonly Need[] = [
  {
    name: 'unique indexes with a partialFilterExpression',
    isMet: async (rows) => {
      const partialFilterExpression = { key: { $gte: '' } }
      await rows.createIndex(
        { place: 1, key: 1 },
        { name: 'place.key.unique', unique: true, partialFilterExpression },
      )
      return true
    },
  },
  {
    name: 'TTL indexes',
    isMet: async (rows) => {
      await rows.createIndex({ ends: 1 }, { name: 'ends.ttl', expireAfterSeconds: 0 })
      return true
    },
  },
  {
    name: 'updates with a pipeline that reads $$NOW (MongoDB from 4.2 on; DocumentDB if its switch is on)',
    isMet: async (rows, id) => {
      const count = { $add: [{ $cond: [{ $eq: [{ $type: '$count' }, 'missing'] }, 0, '$count'] }, 1] }
      const update = [{ $set: { place: id, key: 'a', count, ends: inAnHour } }]
      const options = { upsert: true, returnDocument: 'after', sort: { _id: 1 } } as const
      const row = await rows.findOneAndUpdate({ _id: id }, update, options)
      return row?.count === 1 && row.ends instanceof Date && row.ends.getTime() > hourMs
    },
  },
  {
    name: 'an index that refuses a second row with the same values',
    isMet: async (rows, id, now) => {
      const again = { _id: `${id}.again`, place: id, key: 'a', ends: now }
      const isTaken = (error: unknown) =>
        (error as { code?: unknown }).code === 11000 || Promise.reject(error)
      return rows.insertOne(again).then(() => false, isTaken)
    },
  },
]

/**
 * Tries what Renown needs from a server on a row of its own. Returns what is missing, with what the server says of it. A server
 * without `$$NOW` would start, and never run a job.
 */
export async function missingNeeds(db: Db, now: Date): Promise<readonly string[]> {
  const rows: Rows = db.collection('RenownProbe')
  const id = crypto.randomUUID()
  const missing: string[] = []
  try {
    for (const { name, isMet } of needs) {
      const lack = await isMet(rows, id, now).then(
        (is) => (is ? null : 'it is accepted and has no effect'),
        reasonOf,
      )
      if (lack !== null) missing.push(`${name} (${lack})`)
    }
  } finally {
    // If this fails, the TTL index removes the rows within the hour.
    await rows.deleteMany({ place: id }).catch(() => undefined)
  }
  return missing
}

/** The server answers that this user may not do something. It says nothing about what the server can do. */
const forbidden: ReadonlySet<unknown> = new Set([13, 18])

/** Returns the server's reason for refusing a command. Throws what says nothing about the command, such as a lost connection. */
function reasonOf(error: unknown): string {
  const known = translated(null, error)
  if (known instanceof UnavailableError || forbidden.has((error as { code?: unknown }).code)) throw known
  return messageOf(error)
}
