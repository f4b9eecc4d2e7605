import { defineCommand, field, type Row, requireRow, where } from 'renown'
import { writerIn } from 'renown/pages'
import { typedName } from 'renown/records'
import * as v from 'valibot'
import { BrandTracker } from '../records/BrandTracker'
import { channels } from '../records/channels'
import { BusinessLocation } from '../records/foreign'
import { adviceOn, beginTracking } from './begin-tracking'
import { changeTracking, switchTracker, type TrackerSwitch } from './change-tracking'
import { noteTracking } from './note-tracking'

const trackersMax = 1_000
const hint = '`bun renown mention tracker list` lists them.'
const trackerId = { tracker_id: field.text('Id of the tracker') }

const parts = (separator: RegExp) =>
  v.pipe(
    v.string(),
    v.transform((text) =>
      text
        .split(separator)
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
  )
const lines = (description: string) => v.optional(v.pipe(parts(/\r?\n|;/), v.description(description)))

const choice = {
  name: v.optional(typedName('Name of the tracker', { max: 120 })),
  required: lines('Keywords that a post must match as well, all of them, separated by semicolons'),
  exclude: lines('Keywords that leave a post out, separated by semicolons'),
  sources: v.optional(
    v.pipe(parts(/[\s,]+/), v.array(v.picklist(channels)), v.description('Channels, separated by commas')),
  ),
  languages: v.optional(
    v.pipe(parts(/[\s,]+/), v.description('BCP 47 language tags, separated by commas; empty: all')),
  ),
  feeds: lines('Addresses of feeds, separated by semicolons'),
}

/** Lists the trackers of mentions. */
export const listMentionTrackers = defineCommand({
  name: 'mention tracker list',
  summary: 'List the trackers of mentions',
  input: v.strictObject({ workspace_id: v.optional(field.text('Only trackers of this workspace')) }),
  async run(ctx, { workspace_id }) {
    const trackers = await ctx.rows(BrandTracker).list({
      where: workspace_id === undefined ? where.and() : where.eq('workspace_id', workspace_id),
      sort: [{ field: 'created_date', direction: 'asc' }],
      limit: trackersMax,
    })
    return { trackers: trackers.map(shown) }
  },
})

const stateOf = ({ is_active, archived_at }: Pick<Row<typeof BrandTracker>, 'is_active' | 'archived_at'>) =>
  is_active ? 'active' : archived_at === undefined ? 'paused' : 'archived'

const shown = ({
  id,
  name,
  is_active,
  archived_at,
  mentions_total,
  last_run_at,
  ...tracker
}: Row<typeof BrandTracker>) => ({
  name,
  id,
  state: stateOf({ is_active, archived_at }),
  keywords: tracker.keywords.join('; '),
  ...(tracker.required_keywords.length === 0 ? {} : { required: tracker.required_keywords.join('; ') }),
  ...(tracker.excluded_keywords.length === 0 ? {} : { excluded: tracker.excluded_keywords.join('; ') }),
  sources: tracker.sources.join(' ') || 'all',
  mentions: mentions_total,
  last_run_at: last_run_at ?? null,
})

/** Creates a tracker. */
export const addMentionTracker = defineCommand({
  name: 'mention tracker create',
  summary: 'Begin to search public posts for mentions of a location',
  input: v.strictObject({
    location_id: field.text('Id of the location'),
    keywords: v.pipe(
      parts(/\r?\n|;/),
      v.description('Keywords in the keyword language, separated by semicolons'),
    ),
    ...choice,
  }),
  positional: ['location_id', 'keywords'],
  async run(ctx, { location_id, required, exclude, ...chosen }) {
    const { workspace_id } = await requireRow(ctx.rows(BusinessLocation), 'location', location_id)
    await ctx.requireActive(workspace_id)
    const tracker = await beginTracking(
      writerIn(ctx, workspace_id),
      { location_id, ...chosen, required_keywords: required, excluded_keywords: exclude },
      { isFirst: false },
    )
    await noteTracking(ctx, tracker, 'begin')
    return { tracker_id: tracker.id, ...shown(tracker), advice: adviceOn(tracker.keywords) }
  },
})

/** Changes a tracker. */
export const changeMentionTracker = defineCommand({
  name: 'mention tracker update',
  summary: 'Change the keywords, channels, languages or feeds of a tracker',
  input: v.strictObject({ ...trackerId, keywords: lines('Keywords, separated by semicolons'), ...choice }),
  positional: ['tracker_id'],
  async run(ctx, { tracker_id, required, exclude, ...chosen }) {
    const tracker = await requireRow(ctx.rows(BrandTracker), 'tracker', tracker_id, hint)
    await ctx.requireActive(tracker.workspace_id)
    const changed = await changeTracking(ctx, tracker, {
      ...chosen,
      required_keywords: required,
      excluded_keywords: exclude,
    })
    return { ...shown(changed), advice: adviceOn(changed.keywords) }
  },
})

const switchCommand = (verb: TrackerSwitch, summary: string) =>
  defineCommand({
    name: `mention tracker ${verb}`,
    summary,
    input: v.strictObject(trackerId),
    positional: ['tracker_id'],
    async run(ctx, { tracker_id }) {
      const tracker = await requireRow(ctx.rows(BrandTracker), 'tracker', tracker_id, hint)
      return shown(await switchTracker(ctx, tracker, verb))
    },
  })

/** Pauses a tracker. */
export const pauseMentionTracker = switchCommand('pause', 'Pause a tracker. Its mentions stay')
/** Resumes a tracker. */
export const resumeMentionTracker = switchCommand('resume', 'Resume a paused or archived tracker')
/** Archives a tracker. */
export const archiveMentionTracker = switchCommand(
  'archive',
  'Archive a tracker that is not needed any more. Its mentions stay',
)
