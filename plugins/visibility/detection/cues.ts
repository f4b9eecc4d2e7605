import de from './cues/de.json'
import en from './cues/en.json'
import es from './cues/es.json'
import fr from './cues/fr.json'
import it from './cues/it.json'
import ja from './cues/ja.json'
import ko from './cues/ko.json'
import nl from './cues/nl.json'
import pt from './cues/pt.json'
import zh from './cues/zh.json'

/** How an answer speaks of a brand. The last two do not count as mentions. */
export const stances = [
  'recommended',
  'listed',
  'compared',
  'discouraged',
  'unknown_to_engine',
  'other_entity',
] as const
export type Stance = (typeof stances)[number]

/** Whether a stance counts as a mention. An engine that does not know a brand does not recommend it. */
export const isMention = (stance: Stance): boolean =>
  stance !== 'unknown_to_engine' && stance !== 'other_entity'

/** A pattern that shows what a clause says about the brand. Matched against folded text. */
export interface Cue {
  readonly stance: Stance
  readonly pattern: RegExp
}

/** The stances that a clause can show by its words. The first match decides, because "would not recommend" contains "recommend". */
const shown = ['other_entity', 'unknown_to_engine', 'discouraged', 'compared', 'recommended'] as const

/** Patterns of one language by stance, as a speaker of it can read and change them in `cues/`. The text is folded. */
type Patterns = Readonly<Record<(typeof shown)[number], readonly string[]>>

const spaced: readonly Patterns[] = [en, de, fr, es, it, pt, nl]
/** Languages that put no spaces between words. */
const unspaced: readonly Patterns[] = [ja, zh, ko]

/** Matches whole words only. */
const words = (parts: readonly string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'u')
const any = (parts: readonly string[]) => new RegExp(parts.map((part) => `(?:${part})`).join('|'))

/** All cues, in the order in which they are tried. */
export const cues: readonly Cue[] = shown.flatMap((stance) => [
  { stance, pattern: words(spaced.flatMap((language) => language[stance])) },
  { stance, pattern: any(unspaced.flatMap((language) => language[stance])) },
])
