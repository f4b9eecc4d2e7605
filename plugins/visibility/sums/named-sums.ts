import { type GroupRow, type ReadContext, type Row, type Where, where } from 'renown'
import { brandedBy } from '../detection/branded'
import { VisibilityRun } from '../records/VisibilityRun'
import type { SumKind, SumName } from '../records/VisibilitySum'
import { roundSeriesOf } from './cells'
import { readColumns } from './read-columns'
import { roundFields } from './rounds'
import { documentsOf, openDays, type RunSpan } from './run-span'
import { answered, type Tracker } from './scope'
import { createSources, type Source } from './sources'
import { promptsOf } from './tracked'
import { answerDay, createVoices, type Voice, type VoiceDay } from './voices'

/** What answers name and cite. */
type Named = Row<typeof VisibilityRun>

const pageSize = 500

/** Yields the answers of a span that are read from documents: all, or those of days that are not sealed. */
async function* namedAnswers<F extends keyof Named & string>(
  ctx: ReadContext,
  span: RunSpan,
  fields: readonly F[],
  more: Where = where.and(),
): AsyncGenerator<Pick<Named, F | 'id'>> {
  if (span.sealed && openDays(span).length === 0) return
  const matching = where.and(documentsOf(ctx, span, span.sealed !== null), answered, more)
  yield* ctx.rows(VisibilityRun).each<F>({ where: matching, size: pageSize, fields })
}

/** Reads the sums of sealed days by some fields. */
async function sealedSums(
  ctx: ReadContext,
  span: RunSpan,
  kind: SumKind,
  by: readonly string[],
  names: readonly SumName[],
  among: readonly Where[] = [],
  isDaily = false,
) {
  const { timezone } = ctx.workspace
  const start = { field: 'start', unit: 'day' as const, timezone }
  const rows = await readColumns(ctx, span, { kind, by: isDaily ? [...by, start] : by, among, isDaily })
  // Rows without counts replaced others.
  return rows.filter((row) => names.some((name) => Number(row[name]) > 0))
}

/** Whom the answers of a span name. */
export type Voices = ReturnType<typeof createVoices>

/** Returns how often all answers of a span name the brand of a tracker and its competitors. */
async function allVoices(
  ctx: ReadContext,
  tracker: Pick<Tracker, 'brand_name' | 'competitors'>,
  span: RunSpan,
): Promise<Voices> {
  const heard = createVoices(tracker)
  const sums = ['mentions', 'placed', 'places'] as const
  const [all, named] = await Promise.all([
    sealedDays(ctx, span, 'engine', [], ['answers', ...sums]),
    sealedDays(ctx, span, 'voice', ['name'], sums),
  ])
  for (const row of all) {
    heard.addSums(Number(row.answers), [{ ...voiceOf(row), name: tracker.brand_name }])
    heard.addRound(dayOf(row), Number(row.answers), [[tracker.brand_name, Number(row.mentions)]])
  }
  const rivals = named.filter(({ name }) => name !== tracker.brand_name)
  heard.addSums(
    0,
    rivals.map((row) => ({ ...voiceOf(row), name: String(row.name) })),
  )
  for (const row of rivals) heard.addRound(dayOf(row), 0, [[String(row.name), Number(row.mentions)]])
  for await (const answer of namedAnswers(ctx, span, namingFields))
    heard.add(answer, answerDay(ctx.workspace.timezone, answer))
  return heard
}

/** Reads the sums of sealed days by tracker, engine, country and day, and by some fields. */
const sealedDays = (
  ctx: ReadContext,
  span: RunSpan,
  kind: SumKind,
  by: readonly string[],
  names: readonly SumName[],
  among: readonly Where[] = [],
) => sealedSums(ctx, span, kind, [...roundFields, ...by], names, among, true)

const dayOf = ({ tracker_id, engine, country, start }: GroupRow): VoiceDay => ({
  series: roundSeriesOf({
    tracker_id: String(tracker_id),
    engine: String(engine),
    country: String(country),
  }),
  day: String(start),
})

const namingFields = [
  'brand_mentioned',
  'brand_position',
  'competitor_mentions',
  'tracker_id',
  'engine',
  'country',
  'started_at',
] as const

/** How many answers name each, without positions. */
export type Namings = Pick<Voices, 'answers' | 'namings' | 'rounds'> & {
  readonly voices: ReadonlyMap<string, Pick<Voice, 'answers'>>
}

/**
 * Returns how often the answers of a span name the brand of a tracker and its competitors: all answers, and those to
 * prompts that name the brand themselves.
 */
export async function voicesOf(
  ctx: ReadContext,
  tracker: Tracker,
  span: RunSpan,
): Promise<{ readonly all: Voices; readonly branded: Namings }> {
  const isBranded = brandedBy(tracker)
  const prompts = (await promptsOf(ctx, [tracker])).filter(({ text }) => isBranded(text)).map(({ id }) => id)
  const [all, branded] = await Promise.all([
    allVoices(ctx, tracker, span),
    namingsIn(ctx, tracker, span, prompts),
  ])
  return { all, branded }
}

/** Returns how many answers to some prompts name the brand of a tracker and its competitors. */
async function namingsIn(
  ctx: ReadContext,
  tracker: Pick<Tracker, 'brand_name' | 'competitors'>,
  span: RunSpan,
  prompts: readonly string[],
): Promise<Namings> {
  const heard = createVoices(tracker)
  if (prompts.length === 0) return heard
  const ofPrompts = where.in('prompt_id', prompts)
  const [all, ...named] = await Promise.all([
    sealedDays(ctx, span, 'cell', [], ['answers'], [ofPrompts]),
    ...(['lost', 'beside'] as const).map((kind) =>
      sealedDays(ctx, span, kind, ['name'], ['mentions'], [ofPrompts]),
    ),
  ])
  const naming = ({ mentions }: GroupRow): Voice => ({ answers: Number(mentions), placed: 0, places: 0 })
  for (const row of all) {
    heard.addSums(Number(row.answers), [{ ...naming(row), name: tracker.brand_name }])
    heard.addRound(dayOf(row), Number(row.answers), [[tracker.brand_name, Number(row.mentions)]])
  }
  for (const row of named.flat()) {
    const name = String(row.name)
    if (name === tracker.brand_name) continue
    heard.addSums(0, [{ ...naming(row), name }])
    heard.addRound(dayOf(row), 0, [[name, Number(row.mentions)]])
  }
  for await (const answer of namedAnswers(ctx, span, namingFields, ofPrompts))
    heard.add(answer, answerDay(ctx.workspace.timezone, answer))
  return heard
}

const voiceOf = ({ mentions, placed, places }: GroupRow): Voice => ({
  answers: Number(mentions),
  placed: Number(placed),
  places: Number(places),
})

/** What the answers of a span cite, most cited first. Pages are those of the sources that `withPages` is called for. */
export interface CitedSources {
  readonly answers: number
  readonly ranked: readonly Source[]
  withPages(sources: readonly Source[]): Promise<readonly Source[]>
}

/** Returns the sources that the answers of a span cite or consult. */
export async function sourcesOf(ctx: ReadContext, span: RunSpan): Promise<CitedSources> {
  const gathered = createSources()
  const [all, sums] = await Promise.all([
    sealedSums(ctx, span, 'engine', [], ['answers']),
    sealedSums(
      ctx,
      span,
      'source',
      ['name', 'engine'],
      ['cited', 'consulted', 'citations', 'placed', 'places', 'own'],
    ),
  ])
  gathered.addSums(
    all.reduce((sum, { answers }) => sum + Number(answers), 0),
    sums,
  )
  for await (const answer of namedAnswers(ctx, span, ['engine', 'citations'])) gathered.add(answer)
  return {
    answers: gathered.answers,
    ranked: gathered.ranked(),
    async withPages(sources) {
      const domains = sources.map(({ domain }) => domain)
      const among = [where.in('name', domains)]
      const isAny = span.scope.engine === undefined && span.scope.country === undefined
      const pages = await sealedSums(
        ctx,
        span,
        isAny ? 'page_any' : 'page',
        ['name', 'url'],
        ['citations'],
        among,
      )
      const byDomain = new Map(sources.map((source) => [source.domain, source.pages]))
      for (const { name, url, citations } of pages) {
        const own = byDomain.get(String(name))
        own?.set(String(url), (own.get(String(url)) ?? 0) + Number(citations))
      }
      return sources
    },
  }
}

/** Returns how often each competitor is named in answers without the brand, by prompt. */
export async function lostNames(
  ctx: ReadContext,
  span: RunSpan,
  prompts: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const found = new Map(prompts.map((id) => [id, new Map<string, number>()]))
  const add = (prompt_id: string, name: string, n: number) => {
    const names = found.get(prompt_id)
    names?.set(name, (names.get(name) ?? 0) + n)
  }
  const among = [where.in('prompt_id', prompts)]
  for (const { prompt_id, name, mentions } of await sealedSums(
    ctx,
    span,
    'lost',
    ['prompt_id', 'name'],
    ['mentions'],
    among,
  ))
    add(String(prompt_id), String(name), Number(mentions))
  const lost = where.and(where.eq('brand_mentioned', false), ...among)
  for await (const answer of namedAnswers(ctx, span, ['prompt_id', 'competitor_mentions'], lost))
    for (const name of new Set(answer.competitor_mentions.map((one) => one.name)))
      add(answer.prompt_id, name, 1)
  return found
}
