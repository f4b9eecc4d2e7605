import { defineCommand, field, type OwnerContext, Refusal, type Row, requireRow } from 'renown'
import * as v from 'valibot'
import { checkKeywords } from '../keywords/check'
import { foldedString } from '../keywords/fold'
import { BrandTracker } from '../records/BrandTracker'
import { editTracker } from '../records/edit-tracker'
import { suggestedWords } from './learned-words'
import { readLearned } from './read-decisions'

type TrackerRow = Row<typeof BrandTracker>
const tracker_id = field.text('Id of the tracker')
const word = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60), v.description('The word'))

/** Shows what Renown learned from dismissed mentions of a tracker. */
export const showWords = defineCommand({
  name: 'mention tracker word list',
  summary: 'Show the words that occur mostly in dismissed mentions of a tracker',
  input: v.strictObject({ tracker_id }),
  positional: ['tracker_id'],
  async run(ctx, { tracker_id: id }) {
    const tracker = await requireRow(ctx.rows(BrandTracker), 'tracker', id)
    const learned = await readLearned(ctx, tracker)
    return {
      tracker_id: id,
      dismissed: learned.dismissed,
      kept: learned.kept,
      words: suggestedWords(tracker, learned),
      ignored_words: tracker.ignored_words ?? [],
      excluded_keywords: tracker.excluded_keywords,
    }
  },
})

/** Makes a word an excluded keyword of a tracker, or takes that back. */
export const excludeWord = defineCommand({
  name: 'mention tracker word exclude',
  summary: 'Exclude a word: new posts with it are not found any more. --undo takes it back',
  input: v.strictObject({
    tracker_id,
    word,
    undo: v.optional(field.flag('Search posts with the word again'), false),
  }),
  positional: ['tracker_id', 'word'],
  run: (ctx, { tracker_id: id, word: typed, undo }) =>
    changeWords(ctx, id, (tracker) => {
      const quoted = keywordOf(typed)
      const others = tracker.excluded_keywords.filter((one) => foldedString(one) !== foldedString(quoted))
      if (undo) return { excluded_keywords: others }
      const isThere = others.length < tracker.excluded_keywords.length
      const excluded_keywords = isThere ? tracker.excluded_keywords : [...others, quoted]
      const [mistake] = checkKeywords({ ...tracker, excluded_keywords })
      if (mistake) throw new Refusal('invalid_field', `${mistake.field}: ${mistake.message}.`)
      return { excluded_keywords }
    }),
})

/** Returns a word as a keyword that matches exactly it. */
const keywordOf = (word: string) =>
  /^[\p{L}\p{N}]+$/u.test(word) ? word : `"${word.replaceAll('"', ' ').trim()}"`

/** Makes Renown ignore what it learned about a word. */
export const ignoreWord = defineCommand({
  name: 'mention tracker word ignore',
  summary: 'Ignore what dismissed mentions say about a word, or count it again with --undo',
  input: v.strictObject({
    tracker_id,
    word,
    undo: v.optional(field.flag('Count the word again'), false),
  }),
  positional: ['tracker_id', 'word'],
  run: (ctx, { tracker_id: id, word: typed, undo }) =>
    changeWords(ctx, id, ({ ignored_words = [] }) => {
      const folded = foldedString(typed)
      const others = ignored_words.filter((one) => one !== folded)
      return { ignored_words: undo ? others : [...others, folded].slice(-ignoredMax) }
    }),
})

const ignoredMax = 200

async function changeWords(
  ctx: Pick<OwnerContext, 'rows' | 'withLock'>,
  id: string,
  changesOf: (tracker: TrackerRow) => Partial<Pick<TrackerRow, 'excluded_keywords' | 'ignored_words'>>,
) {
  await requireRow(ctx.rows(BrandTracker), 'tracker', id)
  const { excluded_keywords, ignored_words = [] } = await editTracker(ctx, id, changesOf)
  return { tracker_id: id, excluded_keywords, ignored_words }
}
