import type { Model } from 'renown/sources'
import { judgeMention } from '../../../plugins/leads/judging/judgeMention'
import type { JudgedLocation, MentionJudgement } from '../../../plugins/leads/judging/judgement'
import { type Learned, learnFrom } from '../../../plugins/leads/judging/learned-words'

const noModel: Model = {
  isConfigured: false,
  generator: 'llm:',
  ask: () => Promise.reject(new Error('not configured')),
}
const nothingLearned = learnFrom([])

/** Judges a post as the product does after it found it with a tracker that has the name as its keyword. */
export function judgePost(
  { id, text: body }: { readonly id: string; readonly text: string },
  location: JudgedLocation,
  learned: Learned = nothingLearned,
): Promise<MentionJudgement> {
  const workspace_id = 'wsp_1'
  const tracker = {
    id: 'trk_1',
    workspace_id,
    keywords: [`"${location.business_name}"`],
    required_keywords: [],
    excluded_keywords: [],
  }
  const mention = { id, workspace_id, body, url: `https://forum.example/${id}`, source: 'forum' }
  return judgeMention({ outbound: { model: noModel } }, { mention, tracker, location, learned })
}
