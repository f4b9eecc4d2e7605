import { type SetFeature, weightOf } from './feature'
import { withNeighbours } from './find-name'
import { smallWords } from './grammar'
import type { ReadPost } from './read-post'
import type { Word } from './read-text'

const price =
  /(?:[€£$₺]\s?\d|\d\s?(?:€|£|\$|₺|zł|zl|euros?\b|eur\b|quid|pounds?\b|pavos|pln|tl\b|lira|рубл|руб|тыс|р\b|k\b|دينار|جنيه|ريال|درهم))/iu
const time = /\b\d{1,2}\s?(?:[:.h]\s?\d{2}|h\b|am\b|pm\b|uhr\b|uur\b)/iu

/** Features of small words, endings, numbers and signs. They hold for every business. */
export function grammarFeatures(post: ReadPost, set: SetFeature): void {
  const { words, text, language } = post
  const small = smallWords(language)
  const first = (isOne: (word: Word) => boolean) => {
    const at = words.findIndex(isOne)
    return at < 0 ? undefined : { at, to: at + 1 }
  }
  const count = (name: string, list: ReadonlySet<string>) => {
    const isOne = ({ plain }: Word) => list.has(plain)
    set(name, weightOf(words.filter(isOne).length), first(isOne))
  }
  count('g_me', small.me)
  count('g_you', small.you)
  count('g_they', small.they)
  count('g_not', small.not)
  const isNumber = ({ plain }: Word) => /^\p{N}+$/u.test(plain)
  set('g_number', weightOf(words.filter(isNumber).length), first(isNumber))
  set('g_price', price.test(text) ? 1 : 0, first(isNumber))
  set('g_time', time.test(text) ? 1 : 0, first(isNumber))
  set('g_question', /[?？؟]/.test(text) ? 1 : 0)
  set('g_exclaim', text.includes('!') ? 1 : 0)
  set('g_quotes', /["“”„«»]/.test(text) ? 1 : 0)
  set('g_colon', /:\s/.test(text) ? 1 : 0)
  const past = pastVerbs(post)
  const [at] = past
  set('g_past', weightOf(past.length), at === undefined ? undefined : { at, to: at + 1 })
  set('g_sentences', weightOf(words.filter(({ isFirst }) => isFirst).length - 1))
  besideName(post, set)
}

function besideName({ words, places, language }: ReadPost, set: SetFeature) {
  const small = smallWords(language)
  const sums = new Map<string, number>()
  const add = (name: string) => sums.set(name, (sums.get(name) ?? 0) + 1)
  for (const place of places) {
    const { at, to } = place
    const previous = words[at - 1]?.plain ?? ''
    const next = words[to]
    const isCut = /[.,!?]/.test(words[at]?.gap ?? '')
    if (!isCut && small.at.has(previous)) add('g_at')
    if (!isCut && small.of.has(previous)) add('g_of')
    if (small.or.has(previous) || small.or.has(next?.plain ?? '')) add('g_or')
    if (small.me.has(previous)) add('g_my')
    if (small.they.has(next?.plain ?? '')) add('g_then_they')
    if (language === 'tr') {
      // A Turkish name has an apostrophe before its ending.
      const isMarked = /^['’]/.test(next?.gap ?? '')
      if (isMarked) add('tr_marked')
      if (isMarked && /^[dt][ae]n?$/.test(next?.plain ?? '')) add('g_at')
      if (place.as === 'form' && !isMarked) add('tr_bare_ending')
    }
    if (language === 'ar' && place.as === 'form') {
      add(/^[بلفكو]?ال/.test(words[at]?.plain ?? '') ? 'ar_article' : 'g_at')
    }
  }
  const [first] = places
  const evidence = first && withNeighbours(words, first)
  for (const [name, sum] of sums) set(name, sum / places.length, evidence)
}

const haveReach = 4

/** The verbs in the past that their endings tell. */
function pastVerbs({ words, text, language }: ReadPost): readonly number[] {
  const { past, have } = smallWords(language)
  if (!past) return []
  return [...words.keys()].filter((at) => {
    const word = words[at] as Word
    if (!past.test(text.slice(word.start, word.end).toLowerCase())) return false
    if (have.has('')) return true
    for (let back = 1; back <= haveReach; back++) {
      if (have.has(words[at - back]?.plain ?? ' ')) return true
    }
    return false
  })
}
