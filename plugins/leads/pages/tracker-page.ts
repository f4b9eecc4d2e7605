import { Refusal, type Row, refusedField, where } from 'renown'
import {
  type ActionContext,
  defineAction,
  definePage,
  defineReading,
  type PageContext,
  writerIn,
} from 'renown/pages'
import * as v from 'valibot'
import { suggestedWords } from '../judging/learned-words'
import { readLearned } from '../judging/read-decisions'
import { excludeWord, ignoreWord } from '../judging/word-commands'
import { BrandTracker } from '../records/BrandTracker'
import { BusinessLocation } from '../records/foreign'
import { beginTracking } from '../tracking/begin-tracking'
import { changeTracking, switchTracker } from '../tracking/change-tracking'
import { noteTracking } from '../tracking/note-tracking'
import { looksOf, type SourceLook } from './look-state'
import { mentionsPath } from './mention-forms'
import { mentionsStyle } from './mentions-style'
import { type ShownPreview, shownPreview } from './shown-preview'
import { type SourceChoice, sourceChoices } from './source-choices'
import { formFields, formOf, searchFields, seenOf, type TrackerForm, typedTracker } from './tracker-fields'

/** The address of the page of one tracker. */
export const trackerPath = '/app/mentions/tracker'

/** A word that mostly occurs in dismissed mentions. */
export interface ShownWord {
  readonly word: string
  readonly sentence: string
}

/** A stored tracker, beside its form. */
export interface StoredTracker {
  readonly id: string
  readonly name: string
  readonly state: 'active' | 'paused' | 'archived'
  readonly mentions: number
  readonly last_run_at: string | null
  readonly next_run_at: string | null
  readonly seen: string
  readonly looks: readonly SourceLook[]
  readonly suggested: readonly ShownWord[]
  readonly ignored: readonly string[]
}

/** The data of the page. */
export interface TrackerData {
  /** Null for a new tracker. */
  readonly tracker: StoredTracker | null
  readonly form: TrackerForm
  readonly preview: ShownPreview | null
  readonly locations: readonly (readonly [id: string, name: string])[]
  readonly sources: readonly SourceChoice[]
  readonly may_change: boolean
  /** The address names a tracker that this workspace does not have. */
  readonly is_unknown: boolean
  /** The word that the last action was about, so that it can be undone. */
  readonly word: string | null
}

const locationsMax = 500
const empty: TrackerForm = {
  name: '',
  location_id: '',
  keywords: '',
  required: '',
  excluded: '',
  languages: '',
  feeds: '',
  sources: [],
}

async function load(ctx: PageContext, query: URLSearchParams): Promise<TrackerData> {
  const id = (query.get('tracker') ?? '').slice(0, 100)
  const tracker = id === '' ? null : await ctx.rows(BrandTracker).get(id)
  const locations = await ownLocations(ctx)
  const form = tracker ? formOf(tracker) : newForm(locations, query.get('location'))
  return {
    tracker: tracker ? await storedTracker(ctx, tracker) : null,
    form,
    locations: locations.map(({ id, business_name }) => [id, business_name] as const),
    preview: form.keywords === '' ? null : await shownPreview(ctx, form as never),
    sources: sourceChoices(ctx),
    may_change: ctx.person.role === 'owner' && !ctx.isDemo,
    is_unknown: id !== '' && tracker === null,
    word: query.get('word')?.slice(0, 60) ?? null,
  }
}

const ownLocations = (ctx: PageContext) =>
  ctx.rows(BusinessLocation).list({
    where: where.and(where.eq('is_prospect', false), where.eq('is_active', true)),
    sort: [{ field: 'created_date', direction: 'asc' }],
    limit: locationsMax,
    fields: ['business_name'],
  })

/** A newcomer begins with the name of the business as an exact phrase. */
function newForm(
  locations: readonly { readonly id: string; readonly business_name: string }[],
  asked: string | null,
): TrackerForm {
  const location = locations.find(({ id }) => id === asked) ?? locations[0]
  if (!location) return empty
  const { id, business_name: name } = location
  return { ...empty, location_id: id, name, keywords: `"${name.replaceAll('"', ' ').trim()}"` }
}

async function storedTracker(ctx: PageContext, tracker: Row<typeof BrandTracker>): Promise<StoredTracker> {
  const [looks, learned] = await Promise.all([
    looksOf(ctx, tracker),
    readLearned(ctx, { id: tracker.id, workspace_id: ctx.workspace.id }),
  ])
  return {
    id: tracker.id,
    name: tracker.name,
    mentions: tracker.mentions_total,
    looks,
    state: tracker.is_active ? 'active' : tracker.archived_at === undefined ? 'paused' : 'archived',
    last_run_at: tracker.last_run_at ?? null,
    next_run_at: tracker.next_run_at ?? null,
    seen: seenOf(tracker),
    ignored: tracker.ignored_words ?? [],
    suggested: suggestedWords(tracker, learned).map(({ word, sentence }) => ({ word, sentence })),
  }
}

const ownerAction = { auth: 'session', only: 'owner', refusesDemo: true } as const
const id = v.pipe(v.string(), v.maxLength(100))
const doing = v.optional(v.picklist(['save', 'preview']), 'save')

/** Shows the typed values with a preview, for browsers without a script. */
const previewOf = async (ctx: ActionContext, form: Omit<TrackerForm, 'location_id'>) => ({
  shown: { form, preview: await shownPreview(ctx, form as never) },
})

const begin = defineAction({
  ...ownerAction,
  input: v.strictObject({ ...formFields, location_id: id, do: doing }),
  async run(ctx, { do: wanted, location_id, ...typed }) {
    if (wanted === 'preview') return previewOf(ctx, { ...typed, location_id } as TrackerForm)
    await ctx.owner.requireActive(ctx.workspace.id)
    if (!(await ctx.rows(BusinessLocation).get(location_id)))
      throw refusedField('location_id', 'Choose a location of this workspace.')
    const writer = writerIn(ctx.owner, ctx.workspace.id)
    const tracker = await beginTracking(writer, { location_id, ...typedTracker(typed) }, { isFirst: false })
    await noteTracking(ctx.owner, tracker, 'begin')
    return { to: `${mentionsPath}?done=begun` }
  },
})

const save = defineAction({
  ...ownerAction,
  input: v.strictObject({ ...formFields, id, seen: v.pipe(v.string(), v.maxLength(64)), do: doing }),
  async run(ctx, { do: wanted, id, seen, ...typed }) {
    const tracker = await ownTracker(ctx, id)
    if (wanted === 'preview') return previewOf(ctx, typed)
    await ctx.owner.requireActive(ctx.workspace.id)
    await changeTracking(ctx.owner, tracker, typedTracker(typed), (now) => {
      if (seenOf(now) !== seen)
        throw new Refusal(
          'conflict',
          'Somebody else changed the tracker since you opened it. Copy what you typed, and open it again.',
        )
    })
    return { to: addressOf(id, { done: 'changed' }) }
  },
})

const preview = defineReading({
  auth: 'session',
  input: v.strictObject(searchFields),
  run: async (ctx, typed) => ({ shown: { preview: await shownPreview(ctx, typed) } }),
})

const switching = defineAction({
  ...ownerAction,
  input: v.strictObject({ id, act: v.picklist(['pause', 'resume', 'archive']) }),
  async run(ctx, { id, act }) {
    await switchTracker(ctx.owner, await ownTracker(ctx, id), act)
    return { to: addressOf(id, { done: `${act}d` }) }
  },
})

const words = defineAction({
  ...ownerAction,
  input: v.strictObject({
    id,
    word: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60)),
    act: v.picklist(['exclude', 'include', 'ignore', 'count']),
  }),
  async run(ctx, { id: tracker_id, word, act }) {
    await ownTracker(ctx, tracker_id)
    const command = act === 'exclude' || act === 'include' ? excludeWord : ignoreWord
    await command.run(ctx.owner, { tracker_id, word, undo: act === 'include' || act === 'count' })
    return { to: addressOf(tracker_id, { done: `${act}_word`, word }) }
  },
})

const addressOf = (tracker: string, more: Readonly<Record<string, string>>) =>
  `${trackerPath}?${new URLSearchParams({ tracker, ...more })}`

async function ownTracker(ctx: ActionContext, id: string): Promise<Row<typeof BrandTracker>> {
  const found = await ctx.rows(BrandTracker).get(id)
  if (found) return found
  throw new Refusal('not_found', 'This tracker is not in the workspace.')
}

/** One tracker: its keywords with a preview, how its sources are read, and what dismissals taught it. */
export const trackerPage = definePage<TrackerData>({
  path: trackerPath,
  title: 'Tracker',
  titleOf: ({ tracker }) => tracker?.name ?? 'New tracker',
  module: new URL('./TrackerPage.tsx', import.meta.url),
  load,
  actions: { begin, save, preview, switch: switching, words },
  notices: {
    changed: 'Tracker saved. Posts of the last days are searched again.',
    paused: 'Tracker paused. Its mentions stay.',
    resumed: 'Tracker active again.',
    archived: 'Tracker archived. Its mentions stay.',
    exclude_word: 'Word excluded. New posts with it are not found any more.',
    include_word: 'Posts with the word are found again.',
    ignore_word: 'The word no longer counts against mentions.',
    count_word: 'The word counts again.',
  },
  style: mentionsStyle,
})
