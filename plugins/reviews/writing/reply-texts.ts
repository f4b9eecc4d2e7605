import de from './reply-texts/de.json'
import en from './reply-texts/en.json'
import es from './reply-texts/es.json'
import fr from './reply-texts/fr.json'
import it from './reply-texts/it.json'
import nl from './reply-texts/nl.json'
import pl from './reply-texts/pl.json'
import pt from './reply-texts/pt.json'
import sv from './reply-texts/sv.json'
import tr from './reply-texts/tr.json'
import type { ReplyLanguage } from './safe-phrases'

/** The parts of a reply: a greeting, the content, and a close. `{name}` and `{business}` are replaced. */
interface ReplyTexts {
  readonly greeting: string
  readonly greetingNameless: string
  readonly positive: readonly string[]
  /** Texts for a rating without words. */
  readonly positiveSilent: readonly string[]
  readonly mixed: readonly string[]
  readonly negative: readonly string[]
  readonly close: string
}

/**
 * Templates by language. They must be true for any business: they promise nothing, and never claim that
 * somebody did something. A test checks each with `judgeReply`.
 */
export const replyTexts: Readonly<Record<ReplyLanguage, ReplyTexts>> = {
  en,
  de,
  fr,
  es,
  it,
  nl,
  pt,
  pl,
  sv,
  tr,
}
