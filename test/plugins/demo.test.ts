import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import * as v from 'valibot'
import { isStorable } from '../../core/contracts/values'
import { demoContents, demoCounts } from '../../core/demo/contents'
import { demoOf } from '../../core/demo/create'
import { fieldsOf, rowSchema } from '../../core/kit/fields'
import { withCore } from '../../core/product/core-plugins'
import { indexesOf } from '../../core/stores/documents/indexes'
import { builtin } from '../../plugins'
import { AiTrafficDaily } from '../../plugins/traffic/records/AiTrafficDaily'
import { edgeCases } from '../support/edge-cases'
import { shippedRegistry } from '../support/shipped'

type Row = Readonly<Record<string, unknown>>
const plugins = withCore(builtin)
const today = '2026-11-20'
const { world, sets } = demoOf(plugins, { seed: 'renown', today })
const registry = shippedRegistry()
const entities = [...registry.entities.values()]

const parsed = [
  'by_agent',
  'by_category',
  'top_paths',
  'paths_by_category',
  'by_referrer',
  'referral_paths',
  'crawler_errors',
  'robots_check',
  'agent_paths',
  'verified_by',
  'by_signer',
]

/** Rows by entity; the sealed days as AiTrafficDaily answers them. */
const rows = new Map<string, readonly Row[]>(
  sets.map((set) => {
    if ('entity' in set) return [set.entity.name, set.rows as readonly Row[]]
    return [AiTrafficDaily.name, (set.rows as readonly Row[]).map(read)]
  }),
)
const of = (name: string) => rows.get(name) ?? []

function read({ timezone: _, rev: __, sealed_at: ___, ...row }: Row): Row {
  // Days without signed hits have no such lists, which the API leaves out.
  const absent = parsed.filter((name) => row[name] === null)
  const there = parsed.filter((name) => row[name] !== null)
  const lists = there.map((name) => [name, JSON.parse(row[name] as string)])
  const kept = Object.entries(row).filter(([name]) => !absent.includes(name))
  return { ...Object.fromEntries(kept), ...Object.fromEntries(lists) }
}

describe('the same seed and day make the same rows', () => {
  const digestOf = (seed: string, day: string) =>
    new Bun.CryptoHasher('sha256')
      .update(
        JSON.stringify(
          demoOf(plugins, { seed, today: day }).sets.map((set) => [
            'entity' in set ? set.entity.name : set.table.name,
            set.rows,
          ]),
        ),
      )
      .digest('hex')

  const digest = digestOf('renown', '2026-11-20')
  test('down to this digest; a change of it is deliberate, because pictures rest on it', () => {
    expect(digest).toBe('2393cd3cd9a8402557d781ae5d2b8839c09d9254224ca0b3b5fb569fb5537ac9')
  })
  test('and others make others', () => {
    expect(digestOf('another', '2026-11-20')).not.toBe(digest)
    expect(digestOf('renown', '2024-02-29')).not.toBe(digest)
  })
})

test('each workspace has a log of past events without gaps, in the order of their times', () => {
  const logs = Map.groupBy(of('EventEntry'), ({ workspace_id }) => workspace_id)
  expect(logs.size).toBe(world.workspaces.length)
  for (const log of logs.values()) {
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, at) => at + 1))
    expect(log.map(({ created_date }) => String(created_date))).toEqual(
      log.map(({ created_date }) => String(created_date)).toSorted(),
    )
  }
  expect([...new Set(of('EventEntry').map(({ type }) => type))].toSorted()).toEqual([
    'crawler.spoofed',
    'lead.created',
    'post.failed',
    'report.completed',
    'review.low_rating',
    'review.received',
    'review.removed',
  ])
})

/** When a row shows that an event happened, by the type of the event. Null: it did not happen to this row. */
const shownBy: Readonly<Record<string, readonly [entity: string, at: (row: Row) => unknown]>> = {
  'review.received': ['Review', (row) => row.review_created_at],
  'review.low_rating': [
    'Review',
    (row) => (Number(row.star_rating ?? 5) <= 2 ? row.review_created_at : null),
  ],
  'review.removed': ['Review', (row) => row.removed_at_source_at ?? null],
  'lead.created': ['Lead', (row) => row.created_date],
  'post.failed': ['Post', (row) => (row.status === 'failed' ? row.created_date : null)],
  'report.completed': ['Report', (row) => (row.status === 'completed' ? row.completed_at : null)],
}

test.each(['2026-11-20', '2026-12-31', '2024-02-29'])(
  'the logs of events of %s and the rows agree, for each type that rows show',
  (day) => {
    const made = demoOf(plugins, { seed: 'renown', today: day })
    const rowsOf = (name: string): Row[] =>
      made.sets.flatMap((set) => ('entity' in set && set.entity.name === name ? (set.rows as Row[]) : []))
    const events = rowsOf('EventEntry')
    const began = new Date(Date.parse(day) - 30 * 86_400_000).toISOString()
    expect(
      events
        .map(({ created_date }) => String(created_date))
        .sort()[0]
        ?.slice(0, 10),
    ).toBe(began.slice(0, 10))
    for (const { id: workspace_id } of made.world.workspaces)
      for (const [type, [entity, at]] of Object.entries(shownBy)) {
        const logged = events.filter((one) => one.type === type && one.workspace_id === workspace_id)
        const happened = rowsOf(entity).filter((row) => {
          const time = at(row)
          return row.workspace_id === workspace_id && typeof time === 'string' && time >= began && time < day
        })
        expect([type, logged.map(({ entity_id }) => entity_id).sort()]).toEqual([
          type,
          happened.map(({ id }) => id).sort(),
        ])
      }
  },
)

describe('the demo holds', () => {
  test.each([
    ['renown', today],
    ['another', '2024-02-29'],
    ['renown', '2027-01-01'],
  ])('as many records as it says, with the seed %s on %s', (seed, day) => {
    const made = demoOf(plugins, { seed, today: day })
    const counted = new Map(
      made.sets.map((set) => ['entity' in set ? set.entity.name : set.table.name, set.rows]),
    )
    const days = new Set((counted.get('ai_traffic_daily') as { date: string }[]).map(({ date }) => date))
    const { businesses, trafficDays, ...entities } = demoCounts
    expect([made.world.businesses.length, days.size]).toEqual([businesses, trafficDays])
    expect(Object.keys(entities).map((name) => [name, counted.get(name)?.length])).toEqual(
      Object.entries(entities),
    )
  })

  test.each(['README.md', 'docs/operators/command-line.md'])(
    'what %s says in the same words',
    async (path) => {
      const text = await Bun.file(join(import.meta.dir, '../..', path)).text()
      expect(text.replaceAll(/\s+/g, ' ')).toContain(demoContents)
    },
  )

  test('rows of every record type that callers can read', () => {
    const offered = entities.filter(({ reads }) => reads.length > 0).map(({ name }) => name)
    expect(offered.length).toBeGreaterThanOrEqual(17)
    expect(offered.filter((name) => of(name).length === 0)).toEqual([])
  })

  test('one agency, three workspaces and twelve businesses, all marked', () => {
    expect(of('Agency').map(({ is_demo, name }) => [is_demo, name])).toEqual([
      [true, 'Lantern Street Agency (demo)'],
    ])
    expect(of('Workspace')).toHaveLength(3)
    expect(of('Workspace').every((row) => row.is_demo && String(row.name).includes('(demo)'))).toBe(true)
    expect(of('BusinessLocation').filter(({ is_prospect }) => !is_prospect)).toHaveLength(12)
    expect(of('BusinessLocation').every(({ is_demo }) => is_demo)).toBe(true)
  })

  test('every state of every machine, with what the state needs', () => {
    const missing: string[] = []
    const read = new Set(entities.filter(({ reads }) => reads.length > 0).map(({ name }) => name))
    for (const { entity, field, moves, needs } of registry.states.values()) {
      // What callers never see, such as an agency's domains, the demo has none of.
      if (!read.has(entity)) continue
      for (const state of Object.keys(moves)) {
        const found = of(entity).filter((row) => row[field] === state)
        if (found.length === 0) missing.push(`${entity}.${field} ${state}`)
        for (const name of needs?.[state] ?? []) {
          if (found.some((row) => !row[name])) missing.push(`${entity}.${field} ${state} without ${name}`)
        }
      }
    }
    expect(missing).toEqual([])
  })

  test('every value of every closed list of a record type', () => {
    const missing = entities.flatMap((entity) =>
      fieldsOf(entity).flatMap(({ name, kind, values = [] }) => {
        if (kind !== 'string' || entity.reads.length === 0 || of(entity.name).length === 0) return []
        const found = new Set(of(entity.name).map((row) => row[name]))
        return values.filter((value) => !found.has(value)).map((value) => `${entity.name}.${name} ${value}`)
      }),
    )
    // The demo is replayed, what was added by hand stands nowhere, and nobody in it was erased.
    const absent =
      /^(?:(?:Report\.pdf_state|VisibilityRun\.access|BusinessLocation\.added_via|BusinessLocation\.trial_charge_interval) |Mention\.removal_rule erased$)/
    expect(missing.filter((one) => !absent.test(one))).toEqual([])
  })

  test('two years of reviews, five engines and ninety days of AI traffic', () => {
    const written = of('Review')
      .map((row) => String(row.review_created_at))
      .sort()
    expect(written[0]?.slice(0, 7)).toBe('2024-11')
    expect(written.at(-1)?.slice(0, 10)).toBe('2026-11-19')
    expect(new Set(of('VisibilityRun').map(({ engine }) => engine)).size).toBe(5)
    const dates = new Set(of('AiTrafficDaily').map(({ date }) => date))
    expect([dates.size, [...dates].sort()[0], [...dates].sort().at(-1)]).toEqual([
      90,
      '2026-08-22',
      '2026-11-19',
    ])
  })

  test('edge cases where a test asks for them, and nowhere else', () => {
    const textOf = (edge: readonly string[]) =>
      JSON.stringify(
        demoOf(plugins, { seed: 'renown', today, edgeCases: edge }).sets.map(({ rows: all }) => all),
      )
    const quoted = edgeCases
      .filter((text) => text.length > 5)
      .map((text) => JSON.stringify(text).slice(1, -1))
    const shown = textOf([])
    const forTests = textOf(edgeCases)
    expect(quoted.filter((text) => shown.includes(text))).toEqual([])
    expect(quoted.filter((text) => !forTests.includes(text))).toEqual([])
    const suspect = /<\w|onerror|alert\(|%3C|javascript:|DROP TABLE|[\u202A-\u202E]|\btest\b/giu
    expect(shown.match(suspect)).toBeNull()
  })

  test('variety', () => {
    const languages = new Set(of('Review').map((row) => row.review_language))
    expect(languages.size).toBeGreaterThanOrEqual(8)
    expect(of('Review').filter((row) => row.star_rating === null).length).toBeGreaterThan(50)
    expect(of('Review').filter((row) => row.removed_at_source_at).length).toBeGreaterThan(20)
    expect(of('AiTrafficDaily').filter((row) => Number(row.spoofed_hits) > 50).length).toBeGreaterThan(10)
    expect(of('SyncStatus').filter((row) => row.status === 'failed').length).toBeGreaterThan(0)
    expect(of('Report').filter((row) => row.business_location_id === undefined)).toHaveLength(1)
  })
})

describe('its rows are rows that could have come about', () => {
  test.each([...rows.keys()])('%s fits its schema, every text storable', (name) => {
    const entity = entities.find((one) => one.name === name)
    if (!entity) throw new Error(name)
    const schema = rowSchema(entity)
    for (const row of of(name)) {
      const whole = { updated_date: row.created_date, ...row }
      const result = v.safeParse(schema, whole)
      expect(
        result.success ? [] : result.issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`),
      ).toEqual([])
      expect(isStorable(JSON.stringify(row))).toBe(true)
    }
  })

  test('ids and unique indexes clash nowhere', () => {
    const clashes: string[] = []
    for (const entity of entities) {
      const keys = [
        ['id'],
        ...indexesOf(entity)
          .filter((one) => one.unique && Object.keys(one.where).length === 0)
          .map(({ keys }) => keys.map(({ field }) => field)),
      ]
      for (const on of keys) {
        // A unique index holds only rows that have all of its fields.
        const held = of(entity.name).filter((row) => on.every((name) => (row[name] ?? null) !== null))
        const seen = held.map((row) => JSON.stringify(on.map((name) => row[name])))
        if (new Set(seen).size !== seen.length) clashes.push(`${entity.name} ${on.join(', ')}`)
      }
    }
    expect(clashes).toEqual([])
  })

  test('every row belongs to a workspace of the demo, and every location named is in it', () => {
    const home = new Map(of('BusinessLocation').map((row) => [row.id, row.workspace_id]))
    const spaces = new Set([...of('Workspace').map(({ id }) => id), world.agency_id])
    const lost: string[] = []
    for (const [name, list] of rows) {
      for (const row of list) {
        if (!spaces.has(row.workspace_id as string)) lost.push(`${name} ${row.id}`)
        for (const field of ['location_id', 'business_location_id']) {
          if (row[field] !== undefined && home.get(row[field]) !== row.workspace_id)
            lost.push(`${name} ${row.id} ${field}`)
        }
      }
    }
    expect(lost).toEqual([])
  })

  test('what a row points to is there', () => {
    const ids = new Map([...rows].map(([name, list]) => [name, new Set(list.map(({ id }) => id))]))
    const points: readonly [string, string, string][] = [
      ['Lead', 'mention_id', 'Mention'],
      ['Lead', 'tracker_id', 'BrandTracker'],
      ['Mention', 'lead_id', 'Lead'],
      ['Mention', 'tracker_id', 'BrandTracker'],
      ['VisibilityRun', 'prompt_id', 'VisibilityPrompt'],
      ['VisibilityRun', 'tracker_id', 'VisibilityTracker'],
      ['VisibilityPrompt', 'tracker_id', 'VisibilityTracker'],
      ['Report', 'scheduled_report_id', 'ScheduledReport'],
      ['ScheduledReport', 'last_report_id', 'Report'],
      ['AiTrafficDaily', 'site_id', 'AiTrafficSite'],
      ['WebhookAttempt', 'webhook_id', 'Webhook'],
      ['Notification', 'entity_id', 'BusinessLocation'],
    ]
    const broken = points.flatMap(([from, field, to]) =>
      of(from)
        .filter((row) => row[field] !== undefined && !ids.get(to)?.has(row[field]))
        .map((row) => `${from} ${row.id} ${field}`),
    )
    expect(broken).toEqual([])
  })

  test('nothing has happened that is yet to come', () => {
    const planned =
      /^(scheduled_at|next_run_at|mail_at|trial_end|review_count_recheck_after|auto_response_scheduled_at|expire_at|expires_at|next_check_at)$/
    const late: string[] = []
    for (const [name, list] of rows) {
      const instants = fieldsOf(entities.find((one) => one.name === name) as (typeof entities)[number])
        .filter(({ kind }) => kind === 'instant')
        .map((field) => field.name)
      for (const row of list) {
        for (const field of instants) {
          const at = row[field]
          if (planned.test(field) || typeof at !== 'string') continue
          if (at >= '2026-11-20T01:00') late.push(`${name}.${field} ${at}`)
        }
      }
    }
    expect(late).toEqual([])
  })

  test('prospects are inactive, archived leads have a time, lost ones a reason, removed reviews were written before', () => {
    expect(of('BusinessLocation').filter((row) => row.is_prospect && row.is_active)).toEqual([])
    expect(of('Lead').filter((row) => row.is_archived && !row.archived_at)).toEqual([])
    expect(of('Lead').filter((row) => (row.stage === 'lost') !== (row.lost_reason !== undefined))).toEqual([])
    const gone = of('Review').filter((row) => row.removed_at_source_at)
    expect(gone.filter((row) => String(row.removed_at_source_at) <= String(row.review_created_at))).toEqual(
      [],
    )
    const replied = of('Review').filter((row) => row.reply_text)
    expect(replied.filter((row) => row.needs_response || !row.reply_created_at)).toEqual([])
  })

  test('no telephone number or address leads to anybody', () => {
    const text = JSON.stringify([...rows.values()])
    const mails = text.match(/[\w.+-]+@[\w.-]+\.\w+/g) ?? []
    expect(mails.filter((mail) => !mail.endsWith('.example'))).toEqual([])
    const hosts = [...text.matchAll(/https?:\/\/([^/"\\) ]+)/g)].map((match) => match[1] ?? '')
    expect(hosts.filter((host) => !/(\.example|^example\.com)$/.test(host))).toEqual([])
  })

  test('daily rows keep the rules of a daily row', () => {
    type Counts = Readonly<Record<string, number>>
    type Path = { readonly hits: number; readonly visits: number }
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
    const descends = (values: readonly number[]) =>
      values.every((value, n) => n === 0 || value <= (values[n - 1] ?? 0))
    for (const row of of('AiTrafficDaily')) {
      const agents = Object.values(
        row.by_agent as Record<string, { hits: number; verified: number; spoofed: number }>,
      )
      const crawler = row.crawler_hits as number
      expect(sum(agents.map(({ hits }) => hits))).toBe(crawler)
      expect(sum(agents.map(({ verified }) => verified))).toBe(row.verified_hits as number)
      expect(sum(agents.map(({ spoofed }) => spoofed))).toBe(row.spoofed_hits as number)
      expect(crawler - (row.verified_hits as number) - (row.spoofed_hits as number)).toBeGreaterThanOrEqual(0)
      expect(sum(Object.values(row.by_category as Counts))).toBe(crawler)
      expect(sum(Object.values(row.by_referrer as Counts))).toBe(row.referral_visits as number)
      const top = (row.top_paths as Path[]).map(({ hits }) => hits)
      expect([top.length <= 25, descends(top), sum(top) <= crawler]).toEqual([true, true, true])
      for (const list of Object.values(row.paths_by_category as Record<string, Path[]>)) {
        expect([list.length <= 12, descends(list.map(({ hits }) => hits))]).toEqual([true, true])
      }
      const visits = (row.referral_paths as Path[]).map((path) => path.visits)
      expect([visits.length <= 25, descends(visits)]).toEqual([true, true])
    }
    expect(of('AiTrafficDaily').some((row) => (row.top_paths as Path[]).length === 25)).toBe(true)
  })
})
