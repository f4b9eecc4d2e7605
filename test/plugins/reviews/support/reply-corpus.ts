import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgeReply } from '../../../../plugins/reviews/writing/judgeReply'

/** A text that somebody or something wrote as a reply, and whether it may be sent without a person. */
export interface CorpusText {
  readonly language: string
  readonly kind: string
  readonly isGood: boolean
  readonly text: string
  readonly review: Parameters<typeof judgeReply>[1]
  readonly business: Parameters<typeof judgeReply>[2]
}

interface CorpusFile {
  readonly language: string
  readonly business: CorpusText['business']
  readonly reviews: Readonly<Record<string, { stars: number; name: string; text: string }>>
  readonly good: readonly (readonly [string, string])[]
  readonly bad: readonly (readonly [string, string, string])[]
}

const folder = join(import.meta.dir, '../corpus')

/** The texts of one part: `develop` is what the lists of words were made with, `held-out` what they never saw. */
export function replyCorpus(part: 'develop' | 'held-out'): readonly CorpusText[] {
  return readdirSync(join(folder, part)).flatMap((name) => {
    const file = JSON.parse(readFileSync(join(folder, part, name), 'utf8')) as CorpusFile
    const { language, business, reviews, good, bad } = file
    const one = (id: string, kind: string, text: string, isGood: boolean): CorpusText => {
      const {
        stars,
        name: reviewer_name,
        text: review_text,
      } = reviews[id] as NonNullable<(typeof reviews)[string]>
      const review = {
        id: `${language}-${id}`,
        workspace_id: 'wsp_1',
        star_rating: stars,
        reviewer_name,
        review_text,
        ...(review_text === '' ? {} : { review_language: language }),
      }
      return { language, kind, isGood, text, business, review }
    }
    return [
      ...good.map(([id, text]) => one(id, 'good', text, true)),
      ...bad.map(([id, kind, text]) => one(id, kind, text, false)),
    ]
  })
}

/** The texts that are judged wrongly: bad ones that would be sent, and good ones that would not. */
export async function judgedWrongly(texts: readonly CorpusText[]) {
  const judged = await Promise.all(
    texts.map(async (one) => ({ ...one, verdict: await judgeReply(one.text, one.review, one.business) })),
  )
  return {
    missed: judged.filter(({ isGood, verdict }) => !isGood && verdict.isSendable),
    refused: judged.filter(({ isGood, verdict }) => isGood && !verdict.isSendable),
  }
}
