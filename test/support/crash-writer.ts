import { openSqlite } from '../../core/stores/documents/sqlite'
import { quietLog } from './quiet-log'
import { CountedSample } from './sample-entity'

/** Writes without end and prints what was acknowledged; somebody kills it. Arguments: file, first number. */
const [, , path = '', first = '0'] = process.argv
const documents = await openSqlite({ path, now: () => new Date(), log: quietLog })
await documents.ensure([CountedSample])
const rows = documents.collection(CountedSample)
const document = (n: number) => ({
  id: `smp_${n}`,
  workspace_id: 'wks_1',
  location_id: 'loc_1',
  stage: 'new' as const,
  is_archived: false,
  created_date: '2026-01-01T00:00:00.000Z',
  updated_date: '2026-01-01T00:00:00.000Z',
  title: 'x'.repeat(1500),
  attempts: 0,
})
process.stdout.write('ready\n')

async function writer(start: number): Promise<void> {
  for (let n = start; ; n += 8) {
    await rows.insert(document(n))
    process.stdout.write(`${n} 0\n`)
    await rows.updateOne(
      { op: 'eq', field: 'id', value: `smp_${n}` },
      { inc: { attempts: 1 }, set: { kind: `k${n}` } },
    )
    process.stdout.write(`${n} 1\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, (_, offset) => writer(Number(first) + offset)))
