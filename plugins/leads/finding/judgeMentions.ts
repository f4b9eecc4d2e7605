import {
  isLastAttempt,
  isPassing,
  type JobDeclaration,
  type QueueDeclaration,
  ServiceFault,
  where,
} from 'renown'
import * as v from 'valibot'
import { dispatchLead } from '../dispatch/dispatchLead'
import { judgeMention } from '../judging/judgeMention'
import type { MentionJudgement } from '../judging/judgement'
import { readLearned } from '../judging/read-decisions'
import { BrandTracker } from '../records/BrandTracker'
import { publishMention } from '../records/events'
import { BusinessLocation } from '../records/foreign'
import { Mention } from '../records/Mention'
import { isRemoved } from '../records/shown-mention'
import { policyOfMention } from '../sources/mention-policy'
import { unmatchedReason } from './edits'
import { dropReasons } from './removal'
import { settlePost, withPost } from './same-post'

/** Mentions that one run of the task queues. */
const queuedMax = 500
/** How often a mention waits for a model that fails in passing before the rules alone count. */
const modelAttempts = 3

/** Queues the mentions that were found or changed. */
export const judgeMentions: JobDeclaration = {
  summary: 'Queues the mentions whose relevance and intent are not judged yet',
  everyMs: 5_000,
  async run(ctx, signal) {
    let queued = 0
    const open = where.eq('is_judged', false)
    for await (const { id, workspace_id } of ctx
      .rows(Mention)
      .each({ where: open, fields: ['workspace_id'], signal })) {
      await ctx.enqueue('judge-mention', { workspace_id, key: id, payload: { mention_id: id } })
      queued += 1
      if (queued >= queuedMax) return
    }
  },
}

const payload = v.strictObject({ mention_id: v.string() })

/** Judges one mention, and makes a lead of it if its author may want to buy. */
export const judgeOne: QueueDeclaration<typeof payload> = {
  summary: 'Judges relevance, sentiment and intent of a mention, and finds leads',
  payload,
  atOnce: 2,
  async run(ctx, { mention_id }, task) {
    const mention = await ctx.rows(Mention).get(mention_id)
    if (!mention || mention.is_judged === true || isRemoved(mention)) return
    const tracker = await ctx.rows(BrandTracker).get(mention.tracker_id)
    const location = await ctx.rows(BusinessLocation).get(mention.location_id)
    if (!tracker || !location) {
      await ctx.rows(Mention).update(mention.id, { is_judged: true })
      return
    }
    const learned = await readLearned(ctx, tracker)
    const judged = await judgeMention(ctx, { mention, tracker, location, learned })
    const judgement = mention.unmatched_at === undefined ? judged : withoutName(judged)
    const { model } = judgement
    if (model.state === 'failed' && isPassing({ kind: model.kind })) {
      const fault = new ServiceFault('transient', model.message)
      if (!isLastAttempt(fault, task, modelAttempts)) throw fault
    }
    await dispatchLead(ctx, { mention, location, judgement, policy: await policyOfMention(ctx, mention) })
    await publishMention(ctx, mention, judgement.relevance)
    // Last: after a kill before this, the mention is judged again, and its lead is found by its key.
    const asJudged = where.and(
      where.eq('id', mention.id),
      where.ne('is_judged', true),
      where.eq('body_version', mention.body_version ?? null),
    )
    await withPost(ctx, mention, async () => {
      await settlePost(ctx, mention, { id: mention.id, relevance: judgement.relevance ?? undefined })
      await ctx.rows(Mention).updateWhere(asJudged, { ...judgedFields(judgement), is_judged: true })
    })
    // The post was deleted while it was judged, and the new lead quotes it.
    const now = await ctx.rows(Mention).get(mention.id)
    if (now && isRemoved(now)) await dropReasons(ctx, now)
  },
  // Otherwise it would be queued again with each run of the task, before newer mentions.
  async onDeadLetter(ctx, { mention_id }) {
    await ctx.rows(Mention).update(mention_id, { is_judged: undefined })
  },
}

/** What counts after its author took the name out of a post. The person may still be a lead, whom people know. */
const withoutName = (judged: MentionJudgement): MentionJudgement => ({
  ...judged,
  relevance: 'irrelevant',
  relevance_score: 0,
  relevance_reason: unmatchedReason,
  intent: { ...judged.intent, score: 0, reason: '' },
})

const judgedFields = ({
  relevance,
  relevance_score,
  relevance_reason,
  relevance_reasons,
  sentiment,
  sentiment_score,
  intent,
}: MentionJudgement) => ({
  relevance: relevance ?? undefined,
  relevance_score: relevance_score ?? undefined,
  relevance_reason,
  judged_by: judgerOf(relevance, relevance_reasons),
  intent_score: intent.score,
  intent_reason: intent.reason || undefined,
  intent_method: intent.method,
  sentiment: sentiment ?? undefined,
  sentiment_score: sentiment_score ?? undefined,
})

const judgerOf = (
  relevance: MentionJudgement['relevance'],
  reasons: MentionJudgement['relevance_reasons'],
): 'rules' | 'model' | 'none' =>
  relevance === null ? 'none' : reasons.some(({ kind }) => kind === 'model') ? 'model' : 'rules'
