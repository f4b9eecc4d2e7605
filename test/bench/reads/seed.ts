import { createLog } from '../../../core/log'
import { openMongo } from '../../../core/stores/documents/mongo'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { Lead } from '../../../plugins/leads/Lead'
import { randomSource } from '../../support/random-documents'

/**
 * Puts leads of about 2 KB into a documents store that the product has made: `bun seed.ts <sqlite file | mongodb uri>
 * <workspace> <location> <leads>`. A tenth belongs to the workspace, the rest to nineteen others.
 */
const [target = '', workspace = '', location = '', count = '0'] = process.argv.slice(2)
const now = () => new Date()
const log = createLog('warn', (line) => process.stderr.write(`${line}\n`), now)
const store = target.startsWith('mongodb')
  ? await openMongo({ uri: target, now, log })
  : await openSqlite({ path: target, now, log })
await store.ensure([Lead])
const syllables =
  'garden terrace quiet Sunday booking roof plumber recommend anyone asking harbour price urgent week'.split(
    ' ',
  )
const random = randomSource(1)
const from = Date.parse('2026-01-01T00:00:00Z')
for (let done = 0; done < Number(count); done += 1000) {
  const { failures } = await store
    .collection(Lead)
    .insertMany(Array.from({ length: 1000 }, (_, at) => lead(done + at)))
  if (failures.length > 0) throw failures[0]?.error
}
await store.close()
process.exit(0)

function lead(number: number) {
  const ours = number % 10 === 0
  const at = new Date(from + random.below(300) * 86_400_000 + number).toISOString()
  return {
    id: `led_${String(number).padStart(26, '0')}`,
    workspace_id: ours ? workspace : `wsp_${number % 19}`,
    location_id: ours ? location : `loc_${number % 19}`,
    created_date: at,
    updated_date: at,
    mention_id: `men_${String(number).padStart(26, '0')}`,
    tracker_id: `trk_${number % 40}`,
    intent_score: random.below(101),
    intent_reason: words(40),
    stage: ['new', 'contacted', 'qualified', 'won', 'lost'][number % 7] ?? 'new',
    notes: words(220),
    first_name: words(1),
    last_name: words(1),
    email: `${number}@example.org`,
    suburb: words(1),
    postcode: String(1000 + (number % 9000)),
    source: 'reddit',
    is_archived: number % 11 === 0,
  }
}

function words(count: number): string {
  return Array.from({ length: count }, () => random.one(syllables)).join(' ')
}
