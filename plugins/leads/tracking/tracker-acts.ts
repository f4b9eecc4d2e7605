import { type ActAudit, type ActRecord, defineAct, Refusal, type Row } from 'renown'
import { typedName } from 'renown/records'
import * as v from 'valibot'
import { BrandTracker } from '../records/BrandTracker'
import { channels } from '../records/channels'
import { BusinessLocation } from '../records/foreign'
import { adviceOn, beginTracking } from './begin-tracking'
import { changeTracking, switchTracker, type TrackerSwitch } from './change-tracking'
import { seenOf, trackerForms } from './tracker-fields'

const owners = { only: 'owner', refusesDemo: true } as const

const onLocation: ActRecord<typeof BusinessLocation> = {
  entity: BusinessLocation,
  field: 'location_id',
  called: 'location',
  inForms: 'location_id',
  choose: 'Choose a location of this workspace.',
}

/** The tracker of an act. Its page has a parameter `tracker`, so forms send the id as `id`. */
export const onTracker: ActRecord<typeof BrandTracker> = {
  entity: BrandTracker,
  field: 'tracker_id',
  called: 'tracker',
  inForms: 'id',
  hint: '`bun renown mention tracker list` lists them.',
}

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

const stateOf = ({ is_active, archived_at }: Pick<Row<typeof BrandTracker>, 'is_active' | 'archived_at'>) =>
  is_active ? 'active' : archived_at === undefined ? 'paused' : 'archived'

/** Returns a tracker as the shell shows it. */
export const shownTracker = ({
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

// A changed tracker is called by its name afterwards.
const audited = (
  verb: 'change' | TrackerSwitch,
  what: string,
): ActAudit<typeof BrandTracker, Record<never, never>> => ({
  action: `location.mentions_${verb}`,
  what,
  subject: (_, __, ___, { answer }) => String(answer.name),
})

/** Begins to search for mentions of a location. An agent only sets up its first tracker. */
export const beginTracker = defineAct({
  ...owners,
  name: 'mention tracker create',
  summary: 'Begin to search public posts for mentions of a location',
  on: onLocation,
  fields: {
    keywords: v.pipe(
      parts(/\r?\n|;/),
      v.description('Keywords in the keyword language, separated by semicolons'),
    ),
    ...choice,
  },
  forms: trackerForms,
  positional: ['keywords'],
  label: 'Save tracker',
  done: { begun: 'Tracker created. Renown looks for the first posts now.' },
  undo: 'mention tracker archive',
  startsWork: true,
  audit: { action: 'location.mentions_begin', what: 'Tracker of mentions begun' },
  async runInWorkspace(
    ctx,
    { row: { id: location_id }, input: { required, exclude, ...chosen }, isByAgent },
  ) {
    const made = await beginTracking(
      ctx,
      { location_id, ...chosen, required_keywords: required, excluded_keywords: exclude },
      { isFirst: isByAgent === true },
    )
    const advice = adviceOn(made.keywords)
    const answer = { tracker_id: made.id, ...shownTracker(made), advice }
    return { answer, created: made.id, subject: made.name, made }
  },
})

const change = defineAct({
  ...owners,
  name: 'mention tracker update',
  summary: 'Change the keywords, channels, languages or feeds of a tracker',
  on: onTracker,
  fields: { keywords: lines('Keywords, separated by semicolons'), ...choice },
  seen: { seen: v.pipe(v.string(), v.maxLength(64)) },
  forms: trackerForms,
  label: 'Save tracker',
  done: { changed: 'Tracker saved. Posts of the last days are searched again.' },
  undo: 'mention tracker update',
  audit: audited('change', 'Tracker of mentions changed'),
  async run(ctx, { row, input: { required, exclude, ...chosen }, seen }) {
    await ctx.requireActive(row.workspace_id)
    const wanted = { ...chosen, required_keywords: required, excluded_keywords: exclude }
    const changed = await changeTracking(ctx, row, wanted, (now) => {
      if (seen && seenOf(now) !== seen.seen)
        throw new Refusal(
          'conflict',
          'Somebody else changed the tracker since you opened it. Copy what you typed, and open it again.',
        )
    })
    return { answer: { ...shownTracker(changed), advice: adviceOn(changed.keywords) } }
  },
})

const pause = defineAct({
  ...owners,
  name: 'mention tracker pause',
  summary: 'Pause a tracker. Its mentions stay',
  on: onTracker,
  label: 'Pause tracker',
  done: { paused: 'Tracker paused. Its mentions stay.' },
  undo: 'mention tracker resume',
  audit: audited('pause', 'Tracker of mentions paused'),
  run: async (ctx, { row }) => ({ answer: shownTracker(await switchTracker(ctx, row, 'pause')) }),
})

const resume = defineAct({
  ...owners,
  name: 'mention tracker resume',
  summary: 'Resume a paused or archived tracker',
  on: onTracker,
  label: 'Resume tracker',
  done: { resumed: 'Tracker active again.' },
  undo: 'mention tracker pause',
  audit: audited('resume', 'Tracker of mentions resumed'),
  run: async (ctx, { row }) => ({ answer: shownTracker(await switchTracker(ctx, row, 'resume')) }),
})

const archive = defineAct({
  ...owners,
  name: 'mention tracker archive',
  summary: 'Archive a tracker that is not needed any more. Its mentions stay',
  on: onTracker,
  label: 'Archive tracker',
  done: { archived: 'Tracker archived. Its mentions stay.' },
  undo: 'mention tracker resume',
  audit: audited('archive', 'Tracker of mentions archived'),
  run: async (ctx, { row }) => ({ answer: shownTracker(await switchTracker(ctx, row, 'archive')) }),
})

/** What people do with a tracker, by the name of its form. */
export const trackerActs = { begin: beginTracker, save: change, pause, resume, archive }
