import { clauseAround } from './clauses'
import { type Cue, cues, type Stance } from './cues'
import type { Occurrence } from './find-names'
import { fold } from './fold'

/** How an answer speaks of one entity. */
export interface Judgement {
  readonly stance: Stance
  /** The clause or sentence that proves it, unchanged. */
  readonly evidence: string
  /** Whether the answer contradicts itself, so that a model or a person should check it. */
  readonly is_mixed: boolean
}

/** Maximum occurrences of one entity whose clauses are examined. */
export const judgedMax = 20

/**
 * Returns how an answer speaks of an entity. `occurrences` are those of all entities, in order. Null if the
 * answer does not name it.
 */
export function stanceOf(
  answer: string,
  entity: string,
  occurrences: readonly Occurrence[],
): Judgement | null {
  const judged = occurrences
    .filter((one) => one.entity === entity)
    .slice(0, judgedMax)
    .map((one) => judgeOccurrence(answer, one, occurrences))
  const said = new Set(judged.map(({ stance }) => stance))
  const stance = precedence.find((one) => said.has(one))
  const shown = judged.find((one) => one.stance === stance)
  if (stance === undefined || !shown) return null
  return {
    stance,
    evidence: shown.evidence,
    is_mixed: [...said].filter((one) => one !== 'listed').length > 1,
  }
}

/**
 * The stance that counts if an answer has several. A statement comes before the bare name. "I do not know it"
 * comes before a repetition of the name.
 */
const precedence: readonly Stance[] = [
  'discouraged',
  'recommended',
  'unknown_to_engine',
  'compared',
  'listed',
  'other_entity',
]

interface Said {
  readonly stance: Stance
  readonly evidence: string
}

function judgeOccurrence(answer: string, own: Occurrence, all: readonly Occurrence[]): Said {
  const { sentence, clause, from } = clauseAround(answer, own, all)
  const folded = fold(clause).text
  if (isNamesake(answer, own, folded)) return { stance: 'other_entity', evidence: clause }
  const cue = cueIn(folded)
  if (cue) return { stance: cue.stance, evidence: clause }
  const others = all.filter(({ entity }) => entity !== own.entity)
  return isUnknown(sentence, from, others)
    ? { stance: 'unknown_to_engine', evidence: sentence.trim() }
    : { stance: 'listed', evidence: clause }
}

const cueIn = (folded: string): Cue | undefined => cues.find(({ pattern }) => pattern.test(folded))

const notFound = cues.filter(({ stance }) => stance === 'unknown_to_engine')

/**
 * Whether the sentence says that the engine does not know the entity. In "About Acme, I could not find
 * anything", another clause says so, and the sentence names nobody else.
 */
function isUnknown(sentence: string, from: number, others: readonly Occurrence[]): boolean {
  if (others.some(({ start, end }) => start >= from && end <= from + sentence.length)) return false
  const folded = fold(sentence).text
  return notFound.some(({ pattern }) => pattern.test(folded))
}

const legalForm =
  /^[\s,]*(?:corporation|corp|incorporated|inc|llc|ltd|limited|gmbh|ag|plc|co)\.?,? (?:in|of|from|based in) \p{Lu}/iu
const setApart =
  /(?<![\p{L}])(?:unlike|different from|not the|anders als|contrairement a|a diferencia de)(?![\p{L}])/u

/** Whether a text distinguishes a business with the same name, such as "Unlike Acme Corp in Ohio". */
const isNamesake = (answer: string, { end }: Occurrence, folded: string): boolean =>
  setApart.test(folded) && legalForm.test(answer.slice(end, end + 60))
