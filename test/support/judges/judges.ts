import { readDeclared } from '../../../core/contracts/setting'
import { leadSettings } from '../../../plugins/leads/settings'
import { analyse } from '../../../plugins/reviews/analysis/analyse'
import { judgeSensitive as judgeSensitiveReview } from '../../../plugins/reviews/analysis/judgeSensitive'
import { judgeReply, type ReplyJudges } from '../../../plugins/reviews/writing/judgeReply'
import { replyLanguage } from '../../../plugins/reviews/writing/reply-language'
import { createAnswerJudge, type JudgedAnswer } from '../../../plugins/visibility/detection/judge-answer'
import type { Stance } from '../../../plugins/visibility/detection/stances'
import { type CorpusName, readBrands, readCorpus } from './corpora'
import { judgePost } from './judge-post'
import type { JudgedText, Measure } from './measure'

/** A judge of the product without a model, with the verdicts on all of its texts. */
export interface MeasuredJudge extends Measure {
  /** What it looks for, in words. */
  readonly finds: string
  readonly corpus: CorpusName
  readonly judge: () => Promise<readonly JudgedText[]>
}

const { LEAD_INTENT_MIN: leadIntentMin } = readDeclared(leadSettings.declared, {})

async function judgeRelevance(): Promise<readonly JudgedText[]> {
  const brands = readBrands()
  const lines = readCorpus('relevance').filter(({ label }) => label !== 'unclear')
  return Promise.all(
    lines.map(async ({ id, language, brand, text, label }) => {
      const known = brands.get(brand)
      if (!known) throw new Error(`${id}: no brand is called ${brand}`)
      const { name, category, town } = known
      const location = { business_name: name, business_category: category, city: town }
      const { relevance } = await judgePost({ id, text }, location)
      return { id, language, label, verdict: relevance === 'maybe' ? null : relevance }
    }),
  )
}

async function judgeIntent(): Promise<readonly JudgedText[]> {
  return Promise.all(
    readCorpus('intent').map(async ({ id, language, business, category, town, text, label }) => {
      const location = { business_name: business, business_category: category, city: town }
      const { intent } = await judgePost({ id, text }, location)
      return { id, language, label, verdict: intent.score >= leadIntentMin ? 'lead' : 'not' }
    }),
  )
}

const judgeAnswers = (
  labelOf: (label: {
    readonly mentioned: boolean
    readonly recommended: boolean
    readonly stance: string
  }) => string,
  verdictOf: (judged: JudgedAnswer) => string,
) =>
  Promise.resolve(
    readCorpus('answers').map(({ id, language, brand, question, text, label }): JudgedText => {
      const judge = createAnswerJudge({ brand: { names: [brand] }, competitors: [] })
      const judged = judge(text, question)
      return { id, language, label: labelOf(label), verdict: judged.is_judged ? verdictOf(judged) : null }
    }),
  )

const stanceWords: Readonly<Record<Stance, string>> = {
  recommended: 'positive',
  listed: 'neutral',
  compared: 'neutral',
  discouraged: 'negative',
  unknown_to_engine: 'none',
  other_entity: 'none',
  not_judged: 'none',
}

/** A review as a source gives it that does not tell the language. */
const reviewOf = (text: string, stars: number) => ({
  source_id: 'rev_1',
  star_rating: stars,
  review_text: text,
})

const judgeSensitive = () =>
  Promise.resolve(
    readCorpus('sensitive')
      .filter(({ label }) => label !== 'unclear')
      .map(({ id, language, text, stars, label }): JudgedText => {
        const { verdict } = judgeSensitiveReview(reviewOf(text, stars))
        return { id, language, label, verdict: verdict === 'not_judged' ? null : verdict }
      }),
  )

const judgeReplies = (judgedBy: ReplyJudges) =>
  Promise.all(
    readCorpus('replies').map(
      async ({ id, language, business, category, review, reply, label }): Promise<JudgedText> => {
        const source = reviewOf(review.text, review.stars)
        const row = { id, workspace_id: 'wsp_1', ...source, ...analyse(source) }
        const location = { business_name: business, business_category: category }
        if ((await replyLanguage(row, location, reply)) === null)
          return { id, language, label, verdict: null }
        return {
          id,
          language,
          label,
          verdict: (await judgeReply(reply, row, location, judgedBy)).isSendable ? 'good' : 'bad',
        }
      },
    ),
  )

const is = (wanted: string) => (said: string) => said === wanted

/** Every judge that is measured, in the order of the printed page. */
export const measuredJudges: readonly MeasuredJudge[] = [
  {
    name: 'Relevance of names that are common words',
    finds: 'posts about the business',
    corpus: 'relevance',
    judge: judgeRelevance,
    isWanted: is('about'),
    isFound: is('relevant'),
  },
  {
    name: 'Intent to buy',
    finds: 'posts of people who may become customers',
    corpus: 'intent',
    judge: judgeIntent,
    isWanted: is('lead'),
    isFound: is('lead'),
  },
  {
    name: 'Mention in an answer',
    finds: 'answers that name the brand and know it',
    corpus: 'answers',
    judge: () =>
      judgeAnswers(
        ({ mentioned }) => (mentioned ? 'mentioned' : 'not'),
        ({ brand }) => (brand ? 'mentioned' : 'not'),
      ),
    isWanted: is('mentioned'),
    isFound: is('mentioned'),
  },
  {
    name: 'Recommendation in an answer',
    finds: 'answers that recommend the brand',
    corpus: 'answers',
    judge: () =>
      judgeAnswers(
        ({ recommended }) => (recommended ? 'recommended' : 'not'),
        ({ brand }) => (brand?.stance === 'recommended' ? 'recommended' : 'not'),
      ),
    isWanted: is('recommended'),
    isFound: is('recommended'),
  },
  {
    name: 'Stance of an answer',
    finds: 'the exact stance of an answer that names the brand: positive, neutral or negative',
    corpus: 'answers',
    judge: () =>
      judgeAnswers(
        ({ stance }) => stance,
        ({ brand }) => stanceWords[brand?.stance ?? 'other_entity'],
      ),
    isWanted: (label) => label !== 'none',
    isFound: (verdict) => verdict !== 'none',
    isRight: (label, verdict) => label === verdict,
  },
  {
    name: 'Sensitive reviews',
    finds: 'reviews that a person must answer',
    corpus: 'sensitive',
    judge: judgeSensitive,
    isWanted: is('sensitive'),
    isFound: is('sensitive'),
  },
  {
    name: 'Guard of automatic replies',
    finds: 'replies that may be sent without a person',
    corpus: 'replies',
    judge: () => judgeReplies('rules'),
    isWanted: is('good'),
    isFound: is('good'),
  },
  {
    name: 'Guard before a second look',
    finds: 'replies that a language model may look at before they are sent without a person',
    corpus: 'replies',
    judge: () => judgeReplies('rules and second look'),
    isWanted: is('good'),
    isFound: is('good'),
  },
]
