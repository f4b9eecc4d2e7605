import type { JudgedLocation } from '../../../plugins/leads/judging/judgement'
import { type Learned, learnFrom } from '../../../plugins/leads/judging/learned-words'
import { type LabelledText, relevanceTexts } from './examples'
import { judgePost } from './judge-post'
import { type Measured, measure } from './measure'

/** Judges the relevance of a text after decisions of the owner. */
async function verdictOf(text: LabelledText, location: JudgedLocation, learned: Learned) {
  const { relevance } = await judgePost(text, location, learned)
  return relevance === 'maybe' ? null : relevance
}

/** How many decisions the owner of each business has made. */
export const decisionCounts = [0, 10, 20, 30] as const

/** A point of the learning curve. */
export interface LearningPoint {
  readonly decisions: number
  readonly measured: Measured
}

/**
 * Measures relevance on the report half after the owner of each business decided about posts of the build half, in the order
 * of their ids. A business with fewer such posts has decided about all of them.
 */
export async function learningCurve(): Promise<readonly LearningPoint[]> {
  const build = relevanceTexts('build')
  const report = relevanceTexts('report')
  const points: LearningPoint[] = []
  for (const decisions of decisionCounts) {
    const judged = await Promise.all(
      report.map(async (text) => {
        const decided = build.filter(({ group }) => group === text.group).slice(0, decisions)
        const learned = learnFrom(decided.map((one) => ({ body: one.text, isDismissed: !one.isYes })))
        const verdict = await verdictOf(text, text.location, learned)
        return { id: text.id, language: 'all', label: text.isYes ? 'about' : 'other', verdict }
      }),
    )
    const measured = measure(judged, {
      name: 'relevance',
      isWanted: (label) => label === 'about',
      isFound: (verdict) => verdict === 'relevant',
    })
    points.push({ decisions, measured })
  }
  return points
}
