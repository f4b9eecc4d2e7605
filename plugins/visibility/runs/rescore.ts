import { nullIfConflict, type OwnerContext, type Row, where } from 'renown'
import { detectionVersion } from '../detection/judge-answer'
import { answerStatuses } from '../records/runStatus'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { type Score, storedScore, VisibilityScore } from '../records/VisibilityScore'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { isOwn, judgeOf, replacing, scoreOf, statusOf } from './score-answer'

type Tracker = Row<typeof VisibilityTracker>
type Run = Row<typeof VisibilityRun>

/** Answers that are scored before other work gets its turn. */
const pageSize = 200

/** What scoring a tracker's answers again did. */
export interface Rescored {
  /** Answers that were scored. */
  answers: number
  /** Answers whose score or version changed. The earlier score of each is stored. */
  changed: number
  /** Answers without a stored text. They keep their score. */
  without_text: number
}

/** Identifies what decides the scores of a tracker: the version of the detection, and the names and domain that it looks for. */
export const scoringOf = ({ brand_name, brand_aliases, brand_domain, competitors }: Tracker): string =>
  sha256(
    JSON.stringify([
      detectionVersion,
      brand_name,
      brand_aliases,
      brand_domain ?? null,
      competitors.map(({ name }) => name),
    ]),
  )

/**
 * Scores all stored answers of a tracker again, from their texts. Idempotent: an answer with the same score and version
 * is not written. `after` is the id of the last run of an earlier attempt, and `onPage` gets the id of the last run so far.
 */
export async function rescoreTracker(
  ctx: OwnerContext,
  tracker: Tracker,
  {
    signal,
    after,
    onPage,
  }: {
    readonly signal?: AbortSignal
    readonly after?: string | undefined
    readonly onPage?: (id: string, done: number) => Promise<void>
  } = {},
): Promise<Rescored> {
  const judge = judgeOf(tracker)
  const questions = await questionsOf(ctx, tracker)
  const own = where.and(
    where.eq('workspace_id', tracker.workspace_id),
    where.eq('tracker_id', tracker.id),
    where.in('status', answerStatuses),
    ...(after === undefined ? [] : [where.gt('id', after)]),
  )
  const done: Rescored = { answers: 0, changed: 0, without_text: 0 }
  for await (const page of ctx
    .rows(VisibilityRun)
    .pages({ where: own, size: pageSize, ...(signal && { signal }) })) {
    for (const run of page) {
      if (run.answer_text === undefined) {
        done.without_text++
        continue
      }
      done.answers++
      const citations = run.citations.map((one) => ({
        ...one,
        is_own: isOwn(one.domain, tracker.brand_domain),
      }))
      const judged = judge(run.answer_text, questions.get(run.prompt_id))
      const score = { ...scoreOf(judged, citations), status: statusOf(judged) }
      if (await replace(ctx, run, score, citations)) done.changed++
    }
    const last = page.at(-1)
    if (last) await onPage?.(last.id, done.answers)
  }
  return done
}

/** Texts of the questions of a tracker, by id. Removed questions have none, and their answers are judged without. */
async function questionsOf(ctx: OwnerContext, { workspace_id, id }: Tracker): Promise<Map<string, string>> {
  const own = where.and(where.eq('workspace_id', workspace_id), where.eq('tracker_id', id))
  const prompts = await Array.fromAsync(ctx.rows(VisibilityPrompt).each({ where: own }))
  return new Map(prompts.map((prompt) => [prompt.id, prompt.text]))
}

/** Stores the earlier score, then the new one. A kill in between loses neither: the next attempt finds both. */
async function replace(
  ctx: OwnerContext,
  run: Run,
  { status, ...score }: Score & Pick<Run, 'status'>,
  citations: Run['citations'],
): Promise<boolean> {
  const before = storedScore(run)
  const after = storedScore(score)
  const isSame =
    JSON.stringify(before) === JSON.stringify(after) &&
    run.status === status &&
    run.definition_version === detectionVersion
  if (isSame && JSON.stringify(citations) === JSON.stringify(run.citations)) return false
  if (!isSame) await keep(ctx, run, before)
  await ctx.rows(VisibilityRun).update(run.id, {
    ...replacing(score),
    ...(status === run.status ? {} : { status }),
    citations,
    definition_version: detectionVersion,
    is_sealed: undefined,
  })
  return true
}

async function keep(ctx: OwnerContext, run: Run, before: Score): Promise<void> {
  const { id: run_id, workspace_id, tracker_id, location_id, definition_version } = run
  const digest = sha256(JSON.stringify([definition_version, before]))
  // A conflict: the same score was stored before, by an attempt that was killed or by names that came back.
  const kept = ctx.rows(VisibilityScore).insert({
    workspace_id,
    run_id,
    tracker_id,
    location_id,
    definition_version,
    digest,
    replaced_at: ctx.now().toISOString(),
    ...before,
  })
  await kept.catch(nullIfConflict)
}

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
