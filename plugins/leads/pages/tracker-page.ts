import { type Row, where } from 'renown'
import { actForm, actsOnPage, definePage, defineReading, type PageContext, type PageForm } from 'renown/pages'
import * as v from 'valibot'
import { suggestedWords } from '../judging/learned-words'
import { readLearned } from '../judging/read-decisions'
import { BrandTracker } from '../records/BrandTracker'
import { BusinessLocation } from '../records/foreign'
import { trackerActs } from '../tracking/tracker-acts'
import { formOf, searchFields, seenOf, type TrackerForm } from '../tracking/tracker-fields'
import { wordActs } from '../tracking/word-acts'
import { looksOf, type SourceLook } from './look-state'
import { mentionsPath } from './mention-forms'
import { mentionsStyle } from './mentions-style'
import { type ShownPreview, shownPreview } from './shown-preview'
import { type SourceChoice, sourceChoices } from './source-choices'

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
  exclude: '',
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

const ignored = v.optional(v.string())

/** The form of a tracker also sends what the preview does not read. */
const preview = defineReading({
  auth: 'session',
  input: v.strictObject({
    ...searchFields,
    id: ignored,
    location_id: ignored,
    seen: ignored,
    name: ignored,
    feeds: ignored,
  }),
  run: async (ctx, form) => ({ shown: { form, preview: await shownPreview(ctx, form) } }),
})

const addressOf = (tracker: string, more: Readonly<Record<string, string>>) =>
  `${trackerPath}?${new URLSearchParams({ tracker, ...more })}`

const { begin, ...switches } = trackerActs
const staying: PageForm = { to: ({ id }, done) => addressOf(String(id), { done }) }
/** The page then offers to take back what was done with the word. */
const withWord: PageForm = { to: ({ id, word }, done) => addressOf(String(id), { done, word: String(word) }) }

/** One tracker: its keywords with a preview, how its sources are read, and what dismissals taught it. */
export const trackerPage = definePage<TrackerData>({
  path: trackerPath,
  title: 'Tracker',
  titleOf: ({ tracker }) => tracker?.name ?? 'New tracker',
  module: new URL('./TrackerPage.tsx', import.meta.url),
  load,
  actions: {
    begin: actForm(begin, 'begun', { to: (_, word) => `${mentionsPath}?done=${word}` }),
    save: actForm(switches.save, 'changed', staying),
    pause: actForm(switches.pause, 'paused', staying),
    resume: actForm(switches.resume, 'resumed', staying),
    archive: actForm(switches.archive, 'archived', staying),
    exclude: actForm(wordActs.exclude, 'exclude_word', withWord),
    ignore: actForm(wordActs.ignore, 'ignore_word', withWord),
    preview,
  },
  notices: actsOnPage({ ...switches, ...wordActs }).notices,
  style: mentionsStyle,
})
