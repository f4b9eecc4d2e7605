import type { Row } from 'renown'
import type { AutoResponseRules } from '../records/AutoResponseRules'

/** The rules of automatic replies, in the form for people. */
export interface Rules extends Rest {
  readonly ratings: readonly number[]
}
type Rest = Pick<
  Row<typeof AutoResponseRules>,
  | 'is_enabled'
  | 'include_unrated'
  | 'delay_min_minutes'
  | 'delay_max_minutes'
  | 'newest_days'
  | 'tone'
  | 'allow_templates'
>

/** Returns the rules as one or two sentences. */
export function sentenceOf(rules: Rules): string {
  const { delay_min_minutes: min, delay_max_minutes: max, newest_days: days } = rules
  const delay = min === max ? lengthOf(min) : `${lengthOf(min)} to ${lengthOf(max)}`
  const templates = rules.allow_templates ? 'a template is sent' : 'none is sent'
  if (rules.ratings.length === 0 && !rules.include_unrated)
    return 'No review is answered, whatever its stars.'
  return `${answered(rules)}, ${delay} after it is seen, in a ${rules.tone} tone. A review written more than ${
    days === 1 ? 'a day' : `${days} days`
  } before gets no reply. Without a language model, ${templates}.`
}

function answered({ ratings, include_unrated }: Rules): string {
  const stars = ratings.toSorted((a, b) => a - b).map(String)
  const which = listed(stars, 'or')
  if (stars.length === 0) return 'A review without stars is answered'
  const unit = stars.length === 1 && stars[0] === '1' ? 'star' : 'stars'
  return `A review of ${which} ${unit}${include_unrated ? ', or without stars,' : ''} is answered`
}

const listed = (words: readonly string[], and: string) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${and} ${words.at(-1)}`

function lengthOf(minutes: number): string {
  const [count, unit] =
    minutes % 1440 === 0 && minutes > 1440
      ? [minutes / 1440, 'day']
      : minutes % 60 === 0 && minutes > 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute']
  return `${count} ${count === 1 ? unit : `${unit}s`}`
}
