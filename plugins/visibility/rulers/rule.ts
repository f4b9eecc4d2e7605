import * as v from 'valibot'

/** One stored run, as rules read it. */
export interface StoredAnswer {
  readonly id: string
  /** Identifies the tracker and its prompt. */
  readonly prompt: string
  /** Identifies the tracker, prompt, engine and country. */
  readonly cell: string
  readonly at: string
  /** Day in the time zone of the workspace, and the tracker, engine and country. Answers of one day move together. */
  readonly day: string
  readonly series: string
  /** False for a run that failed, was refused or brought no answer. */
  readonly is_answered: boolean
  /** Whether the prompt was removed from its tracker since. */
  readonly is_removed: boolean
  /** Whether the prompt names the brand. */
  readonly is_branded: boolean
  /** Whether the engine answered much less often than usual on that day. */
  readonly is_incident: boolean
  /** Whether the answer names the brand and means it. */
  readonly is_meant: boolean
  /** Whether the answer has the name at all, also where the engine does not know the brand or means another business. */
  readonly is_named: boolean
  /** Whether the answer cites the brand's own site. */
  readonly is_cited: boolean
  /** Tracked competitors that the answer names, each once. */
  readonly rivals: readonly string[]
  /** How often the answer has the name of the brand. */
  readonly times: number
  /** How often the answer has names of tracked competitors, all together. */
  readonly rivalTimes: number
  /** Place of the brand among the names. 1 is first. */
  readonly place: number | null
}

/** The parts of a rule, in the order in which two rules are compared, with their values. */
export const ruleParts = {
  unanswered: ['left_out', 'counted_as_no'],
  removed_prompts: ['counted', 'left_out'],
  branded_prompts: ['counted', 'left_out'],
  incidents: ['counted', 'left_out'],
  mention: ['meant', 'named'],
  counts: ['mentions', 'citations', 'places'],
  repeats: ['once_per_answer', 'each_time'],
  share_of: ['answers', 'namings'],
  weight: ['answer', 'cell', 'prompt'],
} as const

/** The name of a part. */
export type RulePart = keyof typeof ruleParts

/** How stored answers become one value. */
export type Rule = { readonly [P in RulePart]: (typeof ruleParts)[P][number] }

const part = <P extends RulePart>(name: P, description: string) =>
  v.pipe(v.picklist(ruleParts[name]), v.description(description))

/** The schema of a rule. */
export const ruleSchema = v.object({
  unanswered: part('unanswered', 'Runs that failed, were refused or brought no answer'),
  removed_prompts: part('removed_prompts', 'Answers to prompts that were removed since'),
  branded_prompts: part('branded_prompts', 'Answers to prompts that name the brand'),
  incidents: part('incidents', 'Days on which an engine answered much less often than usual'),
  mention: part(
    'mention',
    'named: also where the engine says that it does not know the brand, or means another business of the name',
  ),
  counts: part('counts', 'What is counted. places: the place of the brand among the names'),
  repeats: part('repeats', 'Whether several mentions in one answer count once'),
  share_of: part('share_of', 'namings: mentions of the brand and of all tracked competitors'),
  weight: part(
    'weight',
    'What has the same weight. cell: one prompt, engine and country. prompt: a prompt counts if any of its answers does',
  ),
})

/** A rule that counts everything, with the same weight for each answer. */
export const plainRule: Rule = {
  unanswered: 'left_out',
  removed_prompts: 'counted',
  branded_prompts: 'counted',
  incidents: 'counted',
  mention: 'meant',
  counts: 'mentions',
  repeats: 'once_per_answer',
  share_of: 'answers',
  weight: 'answer',
}

/** Returns whether a rule counts a run at all. */
export const isCounted = (rule: Rule, answer: StoredAnswer): boolean =>
  (answer.is_answered || rule.unanswered === 'counted_as_no') &&
  !(answer.is_removed && rule.removed_prompts === 'left_out') &&
  !(answer.is_branded && rule.branded_prompts === 'left_out') &&
  !(answer.is_incident && rule.incidents === 'left_out')

/** What one run adds: k of n. */
export interface Score {
  readonly k: number
  readonly n: number
}

/** Returns what one counted run adds under a rule. */
export function scoreOf(rule: Rule, answer: StoredAnswer): Score {
  const isMention = rule.mention === 'meant' ? answer.is_meant : answer.is_named
  if (rule.counts === 'places')
    return isMention && answer.place !== null ? { k: answer.place, n: 1 } : { k: 0, n: 0 }
  const isHit = rule.counts === 'citations' ? answer.is_cited : isMention
  const isEach = rule.repeats === 'each_time' && rule.counts === 'mentions'
  const k = isHit ? (isEach ? Math.max(1, answer.times) : 1) : 0
  if (rule.share_of === 'answers') return { k: isHit ? 1 : 0, n: 1 }
  return { k, n: k + (isEach ? Math.max(answer.rivals.length, answer.rivalTimes) : answer.rivals.length) }
}
