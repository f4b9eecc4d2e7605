import type { MatchSpan } from '../keywords/matcher'
import type { JudgedMention, MentionJudgement } from './judgement'
import { createLexicon, type LexiconRule } from './lexicon'
import { keywordsOf } from './rule-words'

/** Words for and against a business. */
export const sentimentLexicon: readonly LexiconRule[] = [
  {
    kind: 'positive',
    points: 1,
    says: 'Praises',
    keywords: keywordsOf('positive'),
  },
  {
    kind: 'negative',
    points: -1,
    says: 'Criticises',
    keywords: keywordsOf('negative'),
  },
]
const find = createLexicon(sentimentLexicon)
const negation =
  /(?<!\p{L})(?:not|no|never|without|hardly|isn['’]t|wasn['’]t|aren['’]t|don['’]t|didn['’]t|can['’]t|won['’]t|nicht|kein|keine|nie|pas|jamais|sans|sin|nunca|non|mai|senza|niet|geen|nooit|não|sem)(?:\s+\p{L}{1,20}){0,2}\s{1,3}$/iu
const reach = 300

/**
 * Returns the sentiment towards the business, from the sentences that name it. Null if the mention does not name it
 * or these sentences have no word of the lexicon: then nothing supports a sentiment.
 */
export function sentimentOf(
  mention: Pick<JudgedMention, 'title' | 'body'>,
  namesBusiness: readonly MatchSpan[],
): Pick<MentionJudgement, 'sentiment' | 'sentiment_score'> {
  let good = 0
  let bad = 0
  const read = new Set<string>()
  for (const span of namesBusiness.slice(0, 20)) {
    const sentence = sentenceAround((span.field === 'title' ? mention.title : mention.body) ?? '', span)
    if (read.has(sentence)) continue
    read.add(sentence)
    for (const { rule, spans } of find({ body: sentence })) {
      for (const { start } of spans) {
        const isNegated = negation.test(sentence.slice(Math.max(0, start - 50), start))
        if (rule.points > 0 !== isNegated) good++
        else bad++
      }
    }
  }
  if (good + bad === 0) return { sentiment: null, sentiment_score: null }
  const score = Math.round(((good - bad) / (good + bad)) * 100) / 100
  const sentiment = score > 0.34 ? 'positive' : score < -0.34 ? 'negative' : 'mixed'
  return { sentiment, sentiment_score: score }
}

function sentenceAround(text: string, { start, end }: MatchSpan): string {
  const before = text.slice(Math.max(0, start - reach), start)
  const after = text.slice(end, end + reach)
  const from = Math.max(...['.', '!', '?', '\n', '。', '！', '？'].map((mark) => before.lastIndexOf(mark)))
  const to = /[.!?\n。！？](?=\s|$)|[。！？\n]/.exec(after)?.index ?? after.length
  return before.slice(from + 1) + text.slice(start, end) + after.slice(0, to)
}
