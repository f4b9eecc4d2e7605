import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { where } from '../../../../core/contracts/where'
import { withCore } from '../../../../core/product/core-plugins'
import { openSqlite, type SqliteDocuments } from '../../../../core/stores/documents/sqlite'
import { Review } from '../../../../plugins/reviews/records/Review'
import { personBasis } from '../../../../plugins/reviews/reply/decideAct'
import { requestReply } from '../../../../plugins/reviews/reply/requestReply'
import { platformPlugins } from '../../../support/platforms'
import { quietLog } from '../../../support/quiet-log'
import { workbench } from '../../../support/workbench'
import { cleanLook } from '../support/looks'
import { platformWorld } from '../support/platform-world'

const day = 86_400_000
const llm = { LLM_BASE_URL: 'http://llm.test/v1', LLM_MODEL: 'small' }
let world: Awaited<ReturnType<typeof platformWorld>>
let image: Uint8Array
let head: string

const write = (id: string, changes: object = {}) => {
  const at = world.bench.now.getTime()
  world.google.reviews.set(id, {
    id,
    stars: 5,
    text: `Lovely place ${id}`,
    author: `Ann ${id}`,
    created: at,
    updated: at,
    ...changes,
  })
}
const rowOf = async (id: string) => {
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', id) })
  if (!row) throw new Error(`no row ${id}`)
  return row
}

/**
 * plain: as read. answered: by the owner at Google. sent: automatically. person: by a person, with Renown. skipped: no automatic
 * reply. model: judged by a language model. gone: removed at Google.
 */
beforeAll(async () => {
  world = await platformWorld({ settings: llm })
  await world.rules({ delay_min_minutes: 1, delay_max_minutes: 2, ratings: [5] })
  write('plain', { text: '' })
  write('answered', { text: '', reply: { text: 'Thank you', at: world.bench.now.getTime() } })
  write('sent', { text: '' })
  write('person', { text: '', stars: 4 })
  write('skipped', { text: '', stars: 3 })
  write('model', { stars: 3 })
  write('gone', { text: '', stars: 2 })
  for (const n of [1, 2, 3]) write(`more${n}`, { text: '', stars: n })
  await world.sync()
  world.model.answers.push({
    language: 'en',
    sentiment: 'positive',
    sentiment_score: 0.7,
    emotion: 'joy',
    topics: ['service'],
    is_urgent: false,
  })
  await world.analyse((await rowOf('model')).id)
  world.model.answers.push({ reply: 'Thank you for your review.', needs_person: false }, cleanLook)
  world.later(3 * 60_000)
  await world.reply((await rowOf('sent')).id)
  const answered = await rowOf('person')
  await requestReply(world.owner, { review_id: answered.id, text: 'Danke', basis: personBasis(answered) })
  await world.act(answered.id)
  world.google.reviews.delete('gone')
  world.later(25 * 3_600_000)
  await world.sync()
  world.later(25 * 3_600_000)
  await world.sync()
  image = (world.documents as SqliteDocuments).image()
  head = (await verified(image)).chains[0]?.head ?? ''
})
afterAll(() => world.bench.stop())

interface Verdict {
  readonly sound: boolean
  readonly altered_values?: readonly string[]
  readonly chains: readonly {
    readonly head?: string
    readonly strays?: readonly string[]
    readonly fault?: string
  }[]
}

async function verified(bytes: Uint8Array, input: object = {}): Promise<Verdict> {
  const documents = await openSqlite({
    path: ':memory:',
    image: bytes,
    now: () => world.bench.now,
    log: quietLog,
  })
  const bench = await workbench(withCore(platformPlugins), {}, { settings: llm, documents })
  bench.now = world.bench.now
  try {
    return (await bench.command('review verify', { ...input })) as unknown as Verdict
  } finally {
    await bench.stop()
  }
}

type Edit = (db: Database) => void
const edited = (edit: Edit, ignoresChecks: boolean): Uint8Array => {
  const db = Database.deserialize(image)
  if (ignoresChecks) db.run('PRAGMA ignore_check_constraints = ON')
  edit(db)
  const bytes = db.serialize()
  db.close()
  return bytes
}

const later = (ms: number) => new Date(world.bench.now.getTime() + ms).toISOString()
const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
const sourceIs = `json_extract(doc, '$.source_id') = ?`
/** Columns that the table has, so that an edit of a document can change both. */
const columnsOf = (db: Database, table: string) =>
  new Set(
    db
      .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name),
  )

/** Changes fields of a row as the product does: in the document and in its columns. */
const set =
  (id: string, given: () => Readonly<Record<string, unknown>>, table = 'Review', is = sourceIs): Edit =>
  (db) => {
    const columns = columnsOf(db, table)
    for (const [name, value] of Object.entries(given())) {
      // Hidden fields are in the other part of the document.
      const part = name === 'workspace_id' ? 'rest' : 'doc'
      const doc =
        value === undefined ? `json_remove(${part}, '$.${name}')` : `json_set(${part}, '$.${name}', json(?))`
      const plain = typeof value === 'boolean' ? Number(value) : (value ?? null)
      const column = columns.has(name) ? `, "${name}" = ?` : ''
      const values = [...(value === undefined ? [] : [json(value)]), ...(column === '' ? [] : [plain])]
      const { changes } = db.run(`UPDATE "${table}" SET ${part} = ${doc}${column} WHERE ${is}`, [
        ...values,
        id,
      ] as never[])
      expect([name, changes > 0]).toEqual([name, true])
    }
  }
/** Changes a column alone, which needs the checks to be off. */
const column =
  (table: string, name: string, value: string | number | null, is = '1'): Edit =>
  (db) => {
    const { changes } = db.run(`UPDATE "${table}" SET "${name}" = ? WHERE ${is}`, [value] as never[])
    expect([table, name, changes > 0]).toEqual([table, name, true])
  }
const run =
  (...statements: readonly string[]): Edit =>
  (db) => {
    for (const sql of statements) db.run(sql)
  }
const everyLocation = `json_extract(doc, '$.business_name') = ?`
const sent = { auto_response_status: 'sent' }

/** Edits that keep every rule of the database. */
const documentEdits: readonly (readonly [string, Edit])[] = [
  ['stars', set('plain', () => ({ star_rating: 1 }))],
  ['words', set('answered', () => ({ review_text: 'Awful' }))],
  ['words of a review that a model judged', set('model', () => ({ review_text: 'Awful' }))],
  ['the author', set('plain', () => ({ reviewer_name: 'Bo' }))],
  ['when it was written', set('plain', () => ({ review_created_at: later(-30 * day) }))],
  ['when it was changed', set('plain', () => ({ review_updated_at: later(-30 * day) }))],
  ['the id at the platform', set('plain', () => ({ source_id: 'other' }))],
  ['the platform', set('plain', () => ({ source: 'facebook' }))],
  ['the location', set('plain', () => ({ location_id: 'loc_other' }))],
  ['the workspace', set('plain', () => ({ workspace_id: 'wsp_other' }))],
  ['a recommendation', set('plain', () => ({ source_metadata: { recommendation_type: 'negative' } }))],
  ['a reply that nobody wrote', set('plain', () => ({ reply_text: 'Liar', needs_response: false }))],
  [
    'a reply of today',
    set('plain', () => ({ reply_text: 'Liar', reply_created_at: later(-60_000), needs_response: false })),
  ],
  [
    'a reply dated in the future',
    set('plain', () => ({ reply_text: 'Liar', reply_created_at: later(400 * day), needs_response: false })),
  ],
  ['the words of a reply', set('answered', () => ({ reply_text: 'Liar' }))],
  ['the words of a reply of Renown', set('sent', () => ({ reply_text: 'Liar' }))],
  ['when a reply was written', set('answered', () => ({ reply_created_at: later(-400 * day) }))],
  [
    'when a reply was written, into the future',
    set('answered', () => ({ reply_created_at: later(400 * day) })),
  ],
  [
    'a reply that is taken away',
    set('answered', () => ({ reply_text: undefined, reply_created_at: undefined, needs_response: true })),
  ],
  ['that it was removed', set('plain', () => ({ removed_at_source_at: later(-day) }))],
  ['that it was not removed', set('gone', () => ({ removed_at_source_at: null }))],
  ['when it was removed', set('gone', () => ({ removed_at_source_at: later(-400 * day) }))],
  ['the stars of a removed review', set('gone', () => ({ star_rating: 5 }))],
  ['the sentiment', set('plain', () => ({ sentiment: 'negative' }))],
  ['the score of the sentiment', set('plain', () => ({ sentiment_score: -1 }))],
  ['the emotion', set('plain', () => ({ emotion: 'anger' }))],
  ['the topics', set('plain', () => ({ key_topics: ['price'] }))],
  ['the priority', set('plain', () => ({ priority: 'urgent' }))],
  ['whether it waits', set('plain', () => ({ needs_response: false }))],
  ['whether one that a model judged waits', set('model', () => ({ needs_response: false }))],
  [
    'the sentiment, and that a model judged it',
    set('plain', () => ({ sentiment: 'negative', sentiment_score: -1, analysis_method: 'llm:small' })),
  ],
  [
    'the sentiment of three stars, and that a model judged it',
    set('skipped', () => ({ sentiment: 'negative', sentiment_score: -0.8, analysis_method: 'llm:small' })),
  ],
  ['the sentiment that a model found', set('model', () => ({ sentiment: 'negative' }))],
  ['the score that a model found', set('model', () => ({ sentiment_score: -0.7 }))],
  ['the name of the model', set('model', () => ({ analysis_method: 'llm:better' }))],
  ['skipped to sent', set('skipped', () => sent)],
  [
    'skipped to sent, of one that a person answered',
    set('person', () => ({ ...sent, reply_updated_by: 'auto-response' })),
  ],
  ['none to sent', set('answered', () => ({ ...sent, reply_updated_by: 'auto-response' }))],
  ['sent to skipped', set('sent', () => ({ auto_response_status: 'skipped' }))],
  ['sent to none', set('sent', () => ({ auto_response_status: null }))],
  ['a row that is deleted', run(`DELETE FROM "Review" WHERE json_extract(doc, '$.source_id') = 'plain'`)],
  ['every row', run('DELETE FROM "Review"')],
  [
    'a row that is made up',
    (db) => {
      set('plain', () => ({ source_id: 'forged' }))(db)
      db.run(
        `UPDATE "Review" SET id = 'rev_forged', doc = json_set(doc, '$.id', 'rev_forged') WHERE json_extract(doc, '$.source_id') = 'forged'`,
      )
    },
  ],
  [
    'the average of the location',
    set('Acme', () => ({ average_rating: 4.99 }), 'BusinessLocation', everyLocation),
  ],
  [
    'the count of the location',
    set('Acme', () => ({ total_reviews: 500 }), 'BusinessLocation', everyLocation),
  ],
  ['the location', run('DELETE FROM "BusinessLocation"')],
  ['the log', run('DELETE FROM "ReviewObservation"')],
  [
    'the end of the log',
    run('DELETE FROM "ReviewObservation" WHERE seq = (SELECT max(seq) FROM "ReviewObservation")'),
  ],
  ['the middle of the log', run('DELETE FROM "ReviewObservation" WHERE seq = 2')],
  ['the notes of syncs', run('DELETE FROM "ReviewListing"')],
  [
    'reviews, log and notes',
    run('DELETE FROM "Review"', 'DELETE FROM "ReviewObservation"', 'DELETE FROM "ReviewListing"'),
  ],
  [
    'reviews, log, notes and the location',
    run(
      'DELETE FROM "Review"',
      'DELETE FROM "ReviewObservation"',
      'DELETE FROM "ReviewListing"',
      'DELETE FROM "BusinessLocation"',
    ),
  ],
]

/** Edits of one value that figures are computed from, beside its document. The database refuses them unless its checks are off. */
const columnEdits: readonly (readonly [string, Edit])[] = [
  ...(
    [
      ['star_rating', 2],
      ['removed_at_source_at', '2026-03-16T00:00:00.000Z'],
      ['review_created_at', '2020-01-01T00:00:00.000Z'],
      ['review_updated_at', '2020-01-01T00:00:00.000Z'],
      ['reply_created_at', '2020-01-01T00:00:00.000Z'],
      ['needs_response', 7],
      ['sentiment', 'mixed'],
      ['sentiment_score', 0.123],
      ['priority', 'x'],
      ['emotion', 'x'],
      ['auto_response_status', 'x'],
      ['review_language', 'xx'],
      ['location_id', 'loc_other'],
      ['workspace_id', 'wsp_other'],
      ['source', 'facebook'],
      ['is_flagged', 7],
      ['created_date', '2020-01-01T00:00:00.000Z'],
    ] as const
  ).map(([name, value]): readonly [string, Edit] => [
    `Review.${name}`,
    column('Review', name, value, `json_extract(doc, '$.source_id') = 'plain'`),
  ]),
  ['Review.id', column('Review', 'id', 'rev_other', `json_extract(doc, '$.source_id') = 'plain'`)],
  ['a document', column('Review', 'doc', '{}', `json_extract(doc, '$.source_id') = 'plain'`)],
  ['a document that is no JSON', column('Review', 'doc', '{', `json_extract(doc, '$.source_id') = 'plain'`)],
  ['BusinessLocation.average_rating', column('BusinessLocation', 'average_rating', 4.99)],
  ['BusinessLocation.total_reviews', column('BusinessLocation', 'total_reviews', 5_000)],
  ['BusinessLocation.is_active', column('BusinessLocation', 'is_active', 7)],
  ['ReviewObservation.location_id', column('ReviewObservation', 'location_id', 'loc_other', 'seq = 2')],
  ['ReviewObservation.source', column('ReviewObservation', 'source', 'facebook', 'seq = 2')],
  ['ReviewListing.location_id', column('ReviewListing', 'location_id', 'loc_other')],
]

describe('Who edits the database directly is found:', () => {
  test('without an edit, everything is sound, and the log has its end', async () => {
    expect(await verified(image)).toMatchObject({ sound: true })
    expect(await verified(image, { head })).toMatchObject({ sound: true, holds_head: true })
  })

  test.each(documentEdits)('%s', async (_, edit) => {
    const verdict = await verified(edited(edit, false))
    expect(verdict.sound).toBe(false)
  })

  test.each(columnEdits)('%s, with the checks of the database off', async (_, edit) => {
    expect(() => edited(edit, false)).toThrow()
    const verdict = await verified(edited(edit, true))
    expect(verdict.sound).toBe(false)
    expect(verdict.altered_values ?? []).not.toEqual([])
  })

  test('everything, by an end of the log that was kept elsewhere', async () => {
    const tables = ['Review', 'ReviewObservation', 'ReviewListing', 'BusinessLocation', 'SyncStatus']
    const all = edited(run(...tables.map((name) => `DELETE FROM "${name}"`)), false)
    expect(await verified(all, { head })).toMatchObject({ sound: false, holds_head: false })
  })
})
