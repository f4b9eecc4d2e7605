import { judgeMention } from '../../../plugins/leads/judging/judgeMention'
import type { JudgedLocation } from '../../../plugins/leads/judging/judgement'
import { type Learned, learnFrom } from '../../../plugins/leads/judging/learned-words'
import { type LabelledText, relevanceTexts } from './examples'
import { type Measured, measure } from './measure'

const noModel = {
  isConfigured: false,
  generator: 'llm:' as const,
  ask: () => Promise.reject(new Error('not configured')),
}

/** Judges the relevance of a text after decisions of the owner. */
async function verdictOf({ id, text }: LabelledText, location: JudgedLocation, learned: Learned) {
  const workspace_id = 'wsp_1'
  const tracker = {
    id: 'trk_1',
    workspace_id,
    keywords: [`"${location.business_name}"`],
    required_keywords: [],
    excluded_keywords: [],
  }
  const mention = { id, workspace_id, body: text, url: `https://forum.example/${id}`, source: 'forum' }
  const { relevance } = await judgeMention(
    { outbound: { model: noModel } },
    { mention, tracker, location, learned },
  )
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
