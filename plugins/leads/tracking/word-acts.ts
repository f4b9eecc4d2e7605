import {
  actCommands,
  defineAct,
  defineCommand,
  field,
  type OwnerContext,
  Refusal,
  type Row,
  requireRow,
} from 'renown'
import * as v from 'valibot'
import { suggestedWords } from '../judging/learned-words'
import { readLearned } from '../judging/read-decisions'
import { checkKeywords } from '../keywords/check'
import { foldedString } from '../keywords/fold'
import { BrandTracker } from '../records/BrandTracker'
import { editTracker } from '../records/edit-tracker'
import { onTracker } from './tracker-acts'

type TrackerRow = Row<typeof BrandTracker>
const word = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60), v.description('The word'))

const list = defineCommand({
  name: 'mention tracker word list',
  summary: 'Show the words that occur mostly in dismissed mentions of a tracker',
  input: v.strictObject({ tracker_id: field.text('Id of the tracker') }),
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

const words = { on: onTracker, only: 'owner', refusesDemo: true, positional: ['word'] } as const

/** Makes a word an excluded keyword of a tracker, or takes that back. */
const exclude = defineAct({
  ...words,
  name: 'mention tracker word exclude',
  summary: 'Exclude a word: new posts with it are not found any more. --undo takes it back',
  fields: { word, undo: v.optional(field.flag('Search posts with the word again'), false) },
  label: 'Exclude the word',
  done: {
    exclude_word: 'Word excluded. New posts with it are not found any more.',
    include_word: 'Posts with the word are found again.',
  },
  undo: 'mention tracker word exclude',
  run: async (ctx, { row: { id }, input: { word: typed, undo } }) => ({
    said: undo ? 'include_word' : 'exclude_word',
    answer: await changeWords(ctx, id, (tracker) => {
      const quoted = keywordOf(typed)
      const others = tracker.excluded_keywords.filter((one) => foldedString(one) !== foldedString(quoted))
      if (undo) return { excluded_keywords: others }
      const isThere = others.length < tracker.excluded_keywords.length
      const excluded_keywords = isThere ? tracker.excluded_keywords : [...others, quoted]
      const [mistake] = checkKeywords({ ...tracker, excluded_keywords })
      if (mistake) throw new Refusal('invalid_field', `${mistake.field}: ${mistake.message}.`)
      return { excluded_keywords }
    }),
  }),
})

/** Returns a word as a keyword that matches exactly it. */
const keywordOf = (word: string) =>
  /^[\p{L}\p{N}]+$/u.test(word) ? word : `"${word.replaceAll('"', ' ').trim()}"`

/** Makes Renown ignore what it learned about a word. */
const ignore = defineAct({
  ...words,
  name: 'mention tracker word ignore',
  summary: 'Ignore what dismissed mentions say about a word, or count it again with --undo',
  fields: { word, undo: v.optional(field.flag('Count the word again'), false) },
  label: 'Ignore it',
  done: {
    ignore_word: 'The word no longer counts against mentions.',
    count_word: 'The word counts again.',
  },
  undo: 'mention tracker word ignore',
  run: async (ctx, { row: { id }, input: { word: typed, undo } }) => ({
    said: undo ? 'count_word' : 'ignore_word',
    answer: await changeWords(ctx, id, ({ ignored_words = [] }) => {
      const folded = foldedString(typed)
      const others = ignored_words.filter((one) => one !== folded)
      return { ignored_words: undo ? others : [...others, folded].slice(-ignoredMax) }
    }),
  }),
})

/** What people do with a learned word, by the name of its form. */
export const wordActs = { exclude, ignore }

/** The commands of learned words. */
export const wordCommands = [list, ...actCommands(Object.values(wordActs))]

const ignoredMax = 200

async function changeWords(
  ctx: Pick<OwnerContext, 'rows' | 'withLock'>,
  id: string,
  changesOf: (tracker: TrackerRow) => Partial<Pick<TrackerRow, 'excluded_keywords' | 'ignored_words'>>,
) {
  const { excluded_keywords, ignored_words = [] } = await editTracker(ctx, id, changesOf)
  return { tracker_id: id, excluded_keywords, ignored_words }
}
