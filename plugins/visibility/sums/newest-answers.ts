import type { ReadContext, Row, Where } from 'renown'
import { VisibilityRun } from '../records/VisibilityRun'

const fields = [
  'tracker_id',
  'prompt_id',
  'engine',
  'country',
  'brand_mentioned',
  'brand_position',
  'competitor_mentions',
  'citations',
  'started_at',
] as const

/** What an answer names and cites, without its text. */
export type NamedAnswer = Pick<Row<typeof VisibilityRun>, (typeof fields)[number] | 'id'>

/** Reads what the newest matching answers name and cite, newest first. One read. */
export const newestAnswers = (ctx: ReadContext, matching: Where, limit: number): Promise<NamedAnswer[]> =>
  ctx
    .rows(VisibilityRun)
    .list({ where: matching, sort: [{ field: 'started_at', direction: 'desc' }], limit, fields })
