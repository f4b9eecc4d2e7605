import type { OwnerContext, Task } from 'renown'
import * as v from 'valibot'
import { originalOf } from '../analysis/translation'
import type { SourceReview } from '../contract'
import { afterFault, type FailedTries, savedTries } from '../due/replyRetries'
import { type ReplyJudges, replyJudges } from '../writing/judgeReply'
import { isSameReply } from './personText'

/** A draft for one version of a review. It may already have been sent. */
const draftForm = v.object({
  text: v.string(),
  basis: v.string(),
  /** Drafts of earlier versions had no second look. */
  judged_by: v.optional(v.picklist(replyJudges)),
})
type Draft = v.InferOutput<typeof draftForm>

/** A text, and who judged that it may be sent. */
interface JudgedText {
  readonly text: string
  readonly judgedBy: ReplyJudges
}

/** Maximum number of stored drafts. Each may be published if the answer to sending it was lost. */
const draftsMax = 5

/** The data that one job stores about its reply through all attempts. */
export interface ReplyJob {
  readonly drafts: readonly Draft[]
  /** Returns the draft that was written for this version of the review. */
  draftFor(review: SourceReview): Draft | undefined
  /** Stores a draft before it can be sent. */
  keepDraft(review: SourceReview, written: JudgedText): Promise<void>
  /** Whether a reply at the platform may come from this job. */
  isOwn(text: string): boolean
  /** Stores a failed attempt. Returns the fault to throw. */
  failed(error: unknown): Promise<Error>
}

export function openJob(ctx: OwnerContext, task: Task): ReplyJob {
  let drafts = savedDrafts(task.saved)
  let failed: FailedTries | null = savedTries(task.saved.failed)
  const save = () => task.save({ drafts, ...(failed === null ? {} : { failed }) })
  return {
    get drafts() {
      return drafts
    },
    draftFor(review) {
      const basis = basisOf(review)
      return drafts.findLast((draft) => draft.basis === basis)
    },
    async keepDraft(review, { text, judgedBy: judged_by }) {
      drafts = [...drafts, { text, basis: basisOf(review), judged_by }].slice(-draftsMax)
      await save()
    },
    isOwn: (text) => drafts.some((draft) => isSameReply(draft.text, text)),
    async failed(error) {
      const next = afterFault(error, failed, { now: ctx.now(), random: ctx.random })
      failed = next.failed
      await save()
      return next.fault
    },
  }
}

function savedDrafts(saved: Task['saved']): readonly Draft[] {
  const read = v.safeParse(v.array(draftForm), saved.drafts)
  if (read.success) return read.output
  // Jobs of the first version stored one text, without the version of the review.
  return typeof saved.text === 'string' ? [{ text: saved.text, basis: '' }] : []
}

/** Returns the version of a review: the author's words, stars and recommendation. */
const basisOf = ({ star_rating, recommends, review_text, reviewer_name = '' }: SourceReview): string =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([star_rating, recommends ?? null, originalOf(review_text), reviewer_name]))
    .digest('hex')
