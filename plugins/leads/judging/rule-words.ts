import de from './words/de.json'
import en from './words/en.json'
import es from './words/es.json'
import fr from './words/fr.json'
import it from './words/it.json'
import nl from './words/nl.json'
import pt from './words/pt.json'

/** The words of one rule in one language, as a speaker of it can read and change them in `words/`. */
interface RuleWords {
  /** Words and phrases, in rows between commas. */
  readonly phrases: readonly string[]
  /** What the keyword language says and a phrase cannot, such as two words near each other. */
  readonly expressions?: readonly string[]
}

/** The rules of the lexicons that have words. */
type RuleKind =
  | 'asks_recommendation'
  | 'wants_to_buy'
  | 'switching'
  | 'competitor_complaint'
  | 'price_question'
  | 'sells'
  | 'job_offer'
  | 'recommends'
  | 'solved'
  | 'urgency'
  | 'positive'
  | 'negative'
  | 'bulk_post'
  | 'other_meaning'

const languages: readonly Readonly<Partial<Record<RuleKind, RuleWords>>>[] = [en, de, fr, es, it, nl, pt]

/** Returns the keywords of a rule in all languages, of which one must match. */
export const keywordsOf = (kind: RuleKind): readonly string[] =>
  languages.flatMap((words) => {
    const { phrases = [], expressions = [] } = words[kind] ?? {}
    return [...expressions, ...phrases.map(anyOf)]
  })

const anyOf = (row: string) =>
  row
    .split(', ')
    .map((phrase) => `"${phrase}"`)
    .join(' OR ')
