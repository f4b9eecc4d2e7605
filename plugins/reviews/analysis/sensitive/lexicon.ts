import type { Rows } from '../word-rows'
import ar from './ar.json'
import cs from './cs.json'
import da from './da.json'
import de from './de.json'
import el from './el.json'
import en from './en.json'
import es from './es.json'
import fi from './fi.json'
import fr from './fr.json'
import he from './he.json'
import hu from './hu.json'
import it from './it.json'
import ja from './ja.json'
import ko from './ko.json'
import nb from './nb.json'
import nl from './nl.json'
import pl from './pl.json'
import pt from './pt.json'
import ro from './ro.json'
import ru from './ru.json'
import sv from './sv.json'
import tr from './tr.json'
import uk from './uk.json'
import zh from './zh.json'

/** Subjects that a machine must not answer. */
export const sensitiveTopics = ['injury', 'illness', 'police', 'legal', 'discrimination', 'child'] as const
export type SensitiveTopic = (typeof sensitiveTopics)[number]

/**
 * Words of one language, by subject, as a speaker of it can read and change them in its file. An entry is one word, or several
 * in a row. `*` means any letters at that end, `|` separates alternatives, `#` means a number. Words are compared in lower
 * case and without accents. An entry with `~` counts only in a text of this language, because another language uses the
 * same word.
 */
export interface SensitiveWords extends Readonly<Record<SensitiveTopic, Rows>> {
  /** Frequent words that identify the language. Needed only if an entry has `~`. */
  readonly common?: Rows
  /** Phrases that contain a listed word but mean something else. */
  readonly harmless?: Rows
}

/** The languages in which sensitive subjects are recognized. */
export const sensitiveWords: Readonly<Record<string, SensitiveWords>> = {
  en,
  de,
  nl,
  sv,
  da,
  nb,
  fr,
  es,
  it,
  pt,
  ro,
  pl,
  cs,
  ru,
  uk,
  tr,
  fi,
  hu,
  el,
  ja,
  zh,
  ko,
  ar,
  he,
}
