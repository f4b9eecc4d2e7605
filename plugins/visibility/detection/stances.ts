/**
 * How an answer speaks of a brand. The last three do not count as mentions. "Not judged" is an answer in a language whose
 * verdicts are not measured.
 */
export const stances = [
  'recommended',
  'listed',
  'compared',
  'discouraged',
  'unknown_to_engine',
  'other_entity',
  'not_judged',
] as const
export type Stance = (typeof stances)[number]

const notMentions: ReadonlySet<Stance> = new Set(['unknown_to_engine', 'other_entity', 'not_judged'])

/** Whether a stance counts as a mention. An engine that does not know a brand does not recommend it. */
export const isMention = (stance: Stance): boolean => !notMentions.has(stance)
