import type { LexiconRule } from './lexicon'
import { keywordsOf } from './rule-words'

/** The version of the rules below. Increase it with each change, so that old scores stay explainable. */
export const intentRules = 'intent.rules@1'

/** What shows that a person wants to buy, and what shows the opposite. */
export const intentLexicon: readonly LexiconRule[] = [
  {
    kind: 'asks_recommendation',
    points: 55,
    says: 'Asks for a recommendation',
    keywords: keywordsOf('asks_recommendation'),
  },
  {
    kind: 'wants_to_buy',
    points: 50,
    says: 'Looks for somebody or something',
    keywords: keywordsOf('wants_to_buy'),
  },
  {
    kind: 'switching',
    points: 45,
    says: 'Wants to switch',
    keywords: keywordsOf('switching'),
  },
  {
    kind: 'competitor_complaint',
    points: 35,
    says: 'Complains about another provider',
    keywords: keywordsOf('competitor_complaint'),
  },
  {
    kind: 'price_question',
    points: 40,
    says: 'Asks for a price',
    keywords: keywordsOf('price_question'),
  },
  {
    kind: 'sells',
    points: -45,
    says: 'Sells or advertises',
    keywords: keywordsOf('sells'),
  },
  {
    kind: 'job_offer',
    points: -45,
    says: 'Is about a job',
    keywords: keywordsOf('job_offer'),
  },
  {
    kind: 'recommends',
    points: -30,
    says: 'Recommends instead of asking',
    keywords: keywordsOf('recommends'),
  },
  {
    kind: 'solved',
    points: -35,
    says: 'Has already found somebody',
    keywords: keywordsOf('solved'),
  },
]

/** Counts only beside one of the rules with positive points. */
export const urgencyRule: LexiconRule = {
  kind: 'urgency',
  points: 15,
  says: 'Needs it soon',
  keywords: keywordsOf('urgency'),
}
