import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { OwnerContext, Task } from 'renown'
import { everything } from '../../../../core/contracts/where'
import { EventEntry } from '../../../../core/events/EventEntry'
import { Job } from '../../../../core/jobs/Job'
import { corePlugins } from '../../../../core/product/core-plugins'
import { UnavailableError } from '../../../../core/stores/documents/port'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { hashOf } from '../../../../plugins/reports/data/canonical'
import { readPdf } from '../../../../plugins/reports/files/report-files'
import { makeReport, queuedReports } from '../../../../plugins/reports/making/makeReport'
import { Report } from '../../../../plugins/reports/records/Report'
import { ReportFile } from '../../../../plugins/reports/records/ReportFile'
import { Review } from '../../../../plugins/reviews/records/Review'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { type Gate, startGate } from '../../../support/harness'
import { publishedEvents } from '../../../support/published-events'

let gate: Gate
let location: string
beforeAll(async () => {
  gate = await startGate({ plugins: [...corePlugins, ...builtin] })
  location = (
    await gate.put(BusinessLocation, {
      business_name: 'Bäckerei Müller',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
    })
  ).id
})
afterAll(() => gate.stop())
beforeEach(async () => {
  for (const entity of [Report, ReportFile, Review]) await gate.owner.rows(entity).removeWhere(everything)
})

const held = { hold: async () => {}, progress: async () => {}, save: async () => {} }
const task = (more: Partial<Task> = {}): Task => ({
  id: 'job_1',
  workspace_id: gate.tenant.workspaceId,
  attempt: 1,
  saved: {},
  signal: new AbortController().signal,
  ...held,
  ...more,
})

const ask = async (body: Record<string, unknown> = {}) => {
  const answer = await gate.call('generateReport', { business_location_id: location, ...body })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const report = async (id: unknown) => {
  const row = await gate.owner.rows(Report).get(String(id))
  if (!row) throw new Error(`There is no report ${id}`)
  return row
}
const make = (id: unknown, more: Partial<Task> = {}) =>
  makeReport.run(gate.owner, { report_id: String(id) }, task(more))

const lastMonth = () => {
  const first = new Date(gate.clock.now())
  first.setUTCDate(0)
  return first.toISOString().slice(0, 7)
}
const putReview = (day: string, star_rating: number, review_text: string) =>
  gate.put(Review, {
    location_id: location,
    source: 'google',
    source_id: `${day} ${star_rating} ${review_text}`,
    star_rating,
    review_text,
    review_created_at: `${lastMonth()}-${day}T12:00:00.000Z`,
    needs_response: false,
    is_flagged: false,
  })

describe('a report without ClickHouse', () => {
  beforeAll(() =>
    gate.put(AiTrafficSite, {
      location_id: location,
      domain: 'bakery.example',
      timezone: 'UTC',
      site_key: 'rnw_site_1',
      is_active: true,
      count_search_engines: false,
      respect_dnt: true,
      forwarder_token_last4: 'abcd',
      forwarder_token_hash: 'a'.repeat(64),
    }),
  )
  afterAll(() => gate.owner.rows(AiTrafficSite).removeWhere(everything))
  /** A part of the report whose store does not answer. */
  const away = async (work: () => Promise<unknown>) => {
    const before = { ...gate.owner.columns }
    Object.assign(gate.owner.columns, {
      declared: (table: string) => gate.registry.tables.get(table),
      query: () => Promise.reject(new UnavailableError('gone')),
    })
    try {
      await work()
    } finally {
      Object.assign(gate.owner.columns, before)
    }
  }

  test('waits for ten minutes, then is made without the part, and says so', async () => {
    const { body } = await ask({ template: 'monthly_reputation_report' })
    await away(async () => {
      await expect(make(body.report_id)).rejects.toThrow('gone')
      expect((await report(body.report_id)).status).toBe('queued')
      gate.clock.advance(11 * 60_000)
      await make(body.report_id)
    })
    const { status, report_data } = await report(body.report_id)
    expect([status, (report_data as { left_out?: unknown }).left_out]).toEqual(['completed', ['traffic']])
    const answer = await gate.call('getReportMarkdown', { report_id: body.report_id })
    expect(await answer.text()).toContain('This part is missing')
  })

  test('that is made while it answers has nothing left out', async () => {
    await gate.owner.rows(AiTrafficSite).removeWhere(everything)
    const { body } = await ask()
    await make(body.report_id)
    expect((await report(body.report_id)).report_data).not.toHaveProperty('left_out')
  })
})

describe('a report', () => {
  test('is asked for once, made, and its PDF can be read', async () => {
    await putReview('03', 5, 'The best bread of the town, and friendly people.')
    await putReview('04', 1, 'Waited for half an hour. <script>alert(1)</script>')
    const asked = await ask()
    expect(asked.body).toMatchObject({ status: 'queued', deduplicated: false })
    const again = await ask()
    expect(again.body).toMatchObject({ report_id: asked.body.report_id, deduplicated: true })

    await make(asked.body.report_id)
    const made = await report(asked.body.report_id)
    expect(made).toMatchObject({ status: 'completed', source: 'agent', pdf_standard: 'ua-1', is_open: false })
    expect(made.render_token).toBeUndefined()
    expect(made.data_hash).toBe(hashOf(made.report_data))
    expect(made.report_data).toMatchObject({
      business_location: { id: location, name: 'Bäckerei Müller' },
      reviews: { totals: { reviews: 2, average_rating: 3 } },
      insights: {
        topThemes: null,
        recommendations: null,
        unknown_because: 'no language model is configured',
        notableReviews: [{ rating: 1 }, { rating: 5 }],
      },
    })
    const pdf = await readPdf(gate.owner, made.pdf_url ?? '')
    expect(Buffer.from(pdf ?? []).toString('latin1', 0, 5)).toBe('%PDF-')

    const next = await ask()
    expect(next.body).toMatchObject({ deduplicated: false })
  })

  test('is one event when it is completed, also if its process was killed before the event', async () => {
    await gate.owner.rows(EventEntry).removeWhere(everything)
    const { body } = await ask()
    const completed = {
      type: 'report.completed',
      data: { report_id: body.report_id, template: expect.any(String) },
    }
    expect(await publishedEvents(gate.owner, 'report.')).toEqual([])
    await make(body.report_id)
    await make(body.report_id)
    expect(await publishedEvents(gate.owner, 'report.')).toEqual([completed])
    await gate.owner.rows(EventEntry).removeWhere(everything)
    await make(body.report_id)
    expect(await publishedEvents(gate.owner, 'report.')).toEqual([completed])
  })

  test('does not change when the reviews change afterwards', async () => {
    await putReview('03', 5, 'Good.')
    const { body } = await ask()
    await make(body.report_id)
    const before = await report(body.report_id)
    await putReview('05', 1, 'Bad.')
    await make(body.report_id)
    expect(await report(body.report_id)).toEqual(before)
  })

  /** Rendering that ends right after it began, and leaves the report as it was then. */
  const interrupt = async (id: unknown, error: Error, times: number) => {
    let holds = 0
    const hold = async () => {
      holds += 1
      if (holds > 2) throw error
    }
    for (let n = 0; n < times; n++) {
      holds = n === 0 ? 0 : 1
      await expect(make(id, { hold })).rejects.toThrow(error.message)
      expect((await report(id)).status).toBe('rendering')
    }
  }

  test('whose process was lost is rendered from the frozen data, until the queue gives it up', async () => {
    const { body } = await ask()
    await interrupt(body.report_id, new Error('the lease is lost'), 3)
    expect(makeReport.attemptsMax).toBe(3)
    const lost = { kind: 'transient', code: 'worker_lost', message: 'Its process died each time' } as const
    await makeReport.onDeadLetter?.(gate.owner, { report_id: String(body.report_id) }, lost, task())
    expect(await report(body.report_id)).toMatchObject({
      status: 'failed',
      error_message: 'Its process died each time',
      is_open: false,
    })
    expect(await gate.owner.rows(ReportFile).count()).toBe(0)
  })

  test('that a store interrupted ten times is made when the store is back', async () => {
    const { body } = await ask()
    await interrupt(body.report_id, new UnavailableError('MongoDB is away'), 10)
    await make(body.report_id)
    expect((await report(body.report_id)).status).toBe('completed')
  })

  test('is put into its queue until it has ended', async () => {
    const { body } = await ask()
    const signal = new AbortController().signal
    await queuedReports.run(gate.owner, signal)
    await queuedReports.run(gate.owner, signal)
    expect(await gate.documents.collection(Job).count(everything)).toBe(1)
    await make(body.report_id)
    expect((await report(body.report_id)).status).toBe('completed')
  })

  test('of one workspace does not wait for a thousand of another one', async () => {
    const open = { status: 'queued', is_open: true, template: 'monthly_reputation_report' }
    const put = (n: number, workspace?: string) => {
      const day = new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10)
      return gate.put(Report, { ...open, period_start: day, period_end: day } as never, workspace)
    }
    for (let n = 0; n < 1_000; n++) await put(n)
    const other = await put(0, gate.tenant.otherWorkspaceId)
    await gate.documents.collection(Job).remove(everything)
    await queuedReports.run(gate.owner, new AbortController().signal)
    const jobs = await gate.documents.collection(Job).find({ where: everything, limit: 2_000 })
    expect(jobs.map(({ key }) => key)).toContain(other.id)
    // The rest waits for the next look, so that the queue stays short.
    expect(jobs.length).toBe(21)
    await queuedReports.run(gate.owner, new AbortController().signal)
    expect(await gate.documents.collection(Job).count(everything)).toBe(21)
  })

  test('whose PDF cannot be stored is tried again, fails in the end, and leaves no file behind', async () => {
    await putReview('03', 5, 'Good.')
    const { body } = await ask()
    const id = String(body.report_id)
    const full = new Error('database or disk is full')
    const owner: OwnerContext = {
      ...gate.owner,
      rows: (entity: never) => {
        const rows = gate.owner.rows(entity)
        if (entity !== ReportFile) return rows
        const insert = async (row: never) => {
          await rows.insert(row)
          throw full
        }
        return { ...rows, insert }
      },
    }
    for (let n = 0; n < 3; n++) {
      await expect(makeReport.run(owner, { report_id: id }, task())).rejects.toThrow(full.message)
      expect(await report(id)).toMatchObject({ status: 'queued', is_open: true })
    }
    const last = { kind: 'transient', message: full.message } as const
    await makeReport.onDeadLetter?.(owner, { report_id: id }, last, task())
    const failed = await report(id)
    expect(failed).toMatchObject({ status: 'failed', error_message: full.message, is_open: false })
    expect(failed.render_token).toBeUndefined()
    expect(await gate.owner.rows(ReportFile).count()).toBe(0)
  })

  test('whose process ended right after its end is tidied up, and is not made again', async () => {
    const { body } = await ask()
    await make(body.report_id)
    const made = await report(body.report_id)
    const stale = { report_id: made.id, workspace_id: made.workspace_id, bytes: '', part: 0, parts: 1 }
    await gate.put(ReportFile, { ...stale, file: crypto.randomUUID() })
    await make(body.report_id)
    expect(await report(body.report_id)).toEqual(made)
    expect(await gate.owner.rows(ReportFile).count()).toBe(1)
  })

  test('of a removed location fails', async () => {
    const gone = await gate.put(BusinessLocation, {
      business_name: 'Gone',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
    })
    const { body } = await ask({ business_location_id: gone.id })
    await gate.owner.rows(BusinessLocation).removeWhere({ op: 'eq', field: 'id', value: gone.id })
    await make(body.report_id)
    expect(await report(body.report_id)).toMatchObject({
      status: 'failed',
      error_message: 'The location was removed.',
    })
  })

  test('is refused with the field that is wrong', async () => {
    const pointer = async (body: Record<string, unknown>) => {
      const { body: answer } = await ask(body)
      return (answer.errors as { pointer: string }[] | undefined)?.[0]?.pointer
    }
    expect(await pointer({ template: 'nothing' })).toBe('/template')
    expect(await pointer({ period_start: '2026-01-01' })).toBe('/period_end')
    expect(await pointer({ period_start: '2026-02-01', period_end: '2026-01-01' })).toBe('/period_end')
    expect(await pointer({ period_start: '2020-01-01', period_end: '2021-06-01' })).toBe('/period_start')
    expect(await pointer({ period_start: '2999-01-01', period_end: '2999-01-31' })).toBe('/period_end')
    expect((await ask({ business_location_id: 'loc_none' })).status).toBe(404)
  })
})
