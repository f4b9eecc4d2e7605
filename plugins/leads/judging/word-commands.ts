import { defineCommand, field, type OwnerContext, Refusal, type Row, requireRow, where } from 'renown'
import * as v from 'valibot'
import { checkKeywords } from '../keywords/check'
import { foldedString } from '../keywords/fold'
import { BrandTracker } from '../records/BrandTracker'
import { suggestedWords } from './learned-words'
import { readLearned } from './read-decisions'

type TrackerRow = Row<typeof BrandTracker>
const tracker_id = field.text('Id of the tracker')
const word = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60), v.description('The word'))

/** Shows what Renown learned from dismissed mentions of a tracker. */
export const showWords = defineCommand({
  name: 'tracker words',
  summary: 'Show the words that occur mostly in dismissed mentions of a tracker',
  input: v.strictObject({ tracker_id }),
  positional: ['tracker_id'],
  async run(ctx, { tracker_id: id }) {
    const tracker = await requireRow(ctx.rows(BrandTracker), 'tracker', id)
    const learned = await readLearned(ctx, id)
    return {
      tracker_id: id,
      ...{ dismissed: learned.dismissed, kept: learned.kept },
      words: suggestedWords(tracker, learned),
      ...{ ignored_words: tracker.ignored_words ?? [], excluded_keywords: tracker.excluded_keywords },
    }
  },
})

/** Makes a word an excluded keyword of a tracker. */
export const excludeWord = defineCommand({
  name: 'tracker exclude-word',
  summary: 'Exclude a word: new posts with it are not found any more',
  input: v.strictObject({ tracker_id, word }),
  positional: ['tracker_id', 'word'],
  run: (ctx, { tracker_id: id, word: typed }) =>
    changeWords(ctx, id, (tracker) => {
      const quoted = /^[\p{L}\p{N}]+$/u.test(typed) ? typed : `"${typed.replaceAll('"', ' ').trim()}"`
      const isThere = tracker.excluded_keywords.some((one) => foldedString(one) === foldedString(quoted))
      const excluded_keywords = isThere ? tracker.excluded_keywords : [...tracker.excluded_keywords, quoted]
      const [mistake] = checkKeywords({ ...tracker, excluded_keywords })
      if (mistake) throw new Refusal('invalid_field', `${mistake.field}: ${mistake.message}.`)
      return { excluded_keywords }
    }),
})

/** Makes Renown ignore what it learned about a word. */
export const ignoreWord = defineCommand({
  name: 'tracker ignore-word',
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
  ctx: Pick<OwnerContext, 'rows'>,
  id: string,
  changesOf: (tracker: TrackerRow) => Partial<Pick<TrackerRow, 'excluded_keywords' | 'ignored_words'>>,
) {
  const rows = ctx.rows(BrandTracker)
  const tracker = await requireRow(rows, 'tracker', id)
  const unchanged = where.and(where.eq('id', id), where.eq('updated_date', tracker.updated_date))
  const changed = await rows.updateWhere(unchanged, changesOf(tracker))
  if (!changed) {
    throw new Refusal('conflict', 'Somebody else changed the tracker at the same time. Try again.')
  }
  const { excluded_keywords, ignored_words = [] } = changed
  return { tracker_id: id, excluded_keywords, ignored_words }
}
