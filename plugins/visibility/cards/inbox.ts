import { dayStart, type Row, shiftDay, todayOf, where } from 'renown'
import type { InboxEntry, InboxSource, PageContext } from 'renown/pages'
import { noticeWords } from '../alerts/notice-words'
import { engineLabels } from '../pages/engine-labels'
import { stoppedUntil } from '../records/stopped-until'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { VisibilityWatch } from '../records/VisibilityWatch'
import { findIncidents } from '../sums/incidents'
import { spanOf, trackedBy } from '../sums/tracked'
import { visibilityWords } from '../words'

type Tracker = Row<typeof VisibilityTracker>

const trackersMax = 500
const stateMax = 200

const pageOf = (tracker: Tracker) => ({
  href: `/app/visibility/tracker?tracker=${tracker.id}`,
  label: visibilityWords('openTracker'),
})

/**
 * What people should know of their trackers: failed rounds, assistants without access, used-up limits, trackers that
 * know enough, days on which an assistant seldom answered, and rates that changed.
 */
export const visibilityEntries: InboxSource = {
  name: 'visibility',
  title: visibilityWords('kind'),
  order: 40,
  icon: 'eye',
  async list(ctx, limit) {
    const [trackers, watches, incidents] = await Promise.all([
      activeTrackers(ctx),
      ctx.rows(VisibilityWatch).list({ limit: trackersMax }),
      incidentEntries(ctx),
    ])
    const today = todayOf(ctx)
    const entries = [
      ...trackers.flatMap((tracker) => failedEntry(tracker) ?? limitedEntry(tracker) ?? []),
      ...heldEntries(ctx, trackers),
      ...trackers.flatMap((tracker) => sureEntry(tracker, today) ?? []),
      ...(trackers.length > 0 ? incidents : []),
      ...changedEntries(ctx, trackers, watches),
    ]
    return entries.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, limit)
  },
}

const activeTrackers = (ctx: PageContext): Promise<Tracker[]> =>
  ctx.rows(VisibilityTracker).list({
    where: where.eq('is_active', true),
    limit: trackersMax,
    sort: [{ field: 'created_date', direction: 'asc' }],
  })

/** A round in which nothing could be asked. The same reason on the next day is no new entry. */
function failedEntry(tracker: Tracker): InboxEntry | null {
  const { id, name, last_run_summary: summary } = tracker
  if (summary?.message === undefined) return null
  return {
    id: `${id}.failed`,
    state: summary.message.slice(0, stateMax),
    at: summary.at,
    word: visibilityWords('failed'),
    tone: 'bad',
    title: visibilityWords('notAskable'),
    about: name,
    text: { text: summary.message, lang: 'en' },
    link: pageOf(tracker),
  }
}

/** A round that a limit ended early. It comes back in the next month. */
function limitedEntry(tracker: Tracker): InboxEntry | null {
  const { id, name, last_run_summary: summary } = tracker
  if (summary?.truncated !== true) return null
  return {
    id: `${id}.limit`,
    state: summary.at.slice(0, 7),
    at: summary.at,
    word: visibilityWords('limited'),
    tone: 'warn',
    title: visibilityWords('limitEnded'),
    about: name,
    text: visibilityWords('someAsked', { ran: summary.ran, planned: summary.planned ?? summary.ran }),
    link: pageOf(tracker),
  }
}

/** Assistants that are not asked for a while: one entry for each reason, whichever trackers it concerns. */
function heldEntries(ctx: PageContext, trackers: readonly Tracker[]): InboxEntry[] {
  const now = ctx.now().toISOString()
  const labelOf = engineLabels(ctx)
  const held = trackers.flatMap((tracker) =>
    (tracker.holds ?? []).filter(({ until }) => until > now).map((hold) => ({ ...hold, tracker })),
  )
  return [...Map.groupBy(held, ({ engine }) => engine)].flatMap(([engine, own]) => {
    const [first] = own
    if (!first) return []
    const reason = first.reason.replace(`${engine}: `, '')
    return [
      {
        id: `engine.${engine}`,
        state: reason.slice(0, stateMax),
        word: visibilityWords('notAsked'),
        tone: 'warn',
        at: first.tracker.last_run_summary?.at ?? first.tracker.updated_date,
        title: visibilityWords('engineNotAsked', { engine: labelOf(engine) }),
        about: own.length === 1 ? first.tracker.name : visibilityWords('trackers', { count: own.length }),
        text: [{ text: reason, lang: 'en' }, visibilityWords('triesAgain')],
        link: pageOf(first.tracker),
      } satisfies InboxEntry,
    ]
  })
}

/** A tracker that knows enough for this month. */
function sureEntry(tracker: Tracker, today: string): InboxEntry | null {
  const { id, name, stop_when, last_run_summary } = tracker
  const sure_until = stoppedUntil(tracker, today)
  if (sure_until === null) return null
  return {
    id: `${id}.sure`,
    state: sure_until,
    at: last_run_summary?.at ?? tracker.updated_date,
    word: visibilityWords('done'),
    tone: 'good',
    title: visibilityWords('knowsEnough'),
    about: name,
    text: stop_when
      ? visibilityWords('knownToPoints', {
          points: Math.round(stop_when.half_width * 100),
          day: { day: sure_until },
        })
      : visibilityWords('knownToRule', { day: { day: sure_until } }),
    link: { href: `/app/visibility?tracker=${id}`, label: visibilityWords('showRate') },
  }
}

/** Days for which an incident stays in the inbox, and days that it is compared with. */
const incidentDays = 7
const usualDays = 30

/** Days on which an assistant answered much less often than on its other days. Rates leave them out. */
async function incidentEntries(ctx: PageContext): Promise<InboxEntry[]> {
  const today = todayOf(ctx)
  const tracked = await trackedBy(ctx, {})
  if (tracked.trackers.length === 0) return []
  const period = { date_from: shiftDay(today, -usualDays), date_to: today }
  const first = shiftDay(today, -incidentDays)
  const labelOf = engineLabels(ctx)
  const found = await findIncidents(ctx, spanOf(tracked, period))
  return found
    .filter(({ day }) => day >= first)
    .map(({ engine, day, answered, unanswered }) => ({
      id: `incident.${engine}.${day}`,
      state: day,
      word: visibilityWords('leftOut'),
      tone: 'warn',
      at: dayStart(ctx.workspace.timezone, shiftDay(day, 1)),
      title: visibilityWords('seldomAnswered', { engine: labelOf(engine), day: { day } }),
      text: visibilityWords('unanswered', { unanswered, count: answered + unanswered }),
      link: {
        href: `/app/visibility?engine=${encodeURIComponent(engine)}`,
        label: visibilityWords('showRate'),
      },
    }))
}

/** Days for which a change stays in the inbox. */
const changeDays = 30

/** Rates that changed by more than chance explains, as people were notified. */
function changedEntries(
  ctx: PageContext,
  trackers: readonly Tracker[],
  watches: readonly Row<typeof VisibilityWatch>[],
): InboxEntry[] {
  const first = shiftDay(todayOf(ctx), -changeDays)
  const changes = new Map(watches.map(({ tracker_id, last_change }) => [tracker_id, last_change]))
  return trackers.flatMap((tracker) => {
    const change = changes.get(tracker.id)
    return change && change.until >= first ? [changedEntry(ctx, tracker, change)] : []
  })
}

type Change = NonNullable<Row<typeof VisibilityWatch>['last_change']>

function changedEntry({ workspace }: PageContext, tracker: Tracker, change: Change): InboxEntry {
  const { title, body } = noticeWords(tracker, change)
  const isUp = change.verdict === 'up'
  return {
    id: `${tracker.id}.changed`,
    state: change.until,
    title,
    text: body,
    about: tracker.name,
    word: visibilityWords(isUp ? 'up' : 'down'),
    tone: isUp ? 'good' : 'warn',
    at: dayStart(workspace.timezone, shiftDay(change.until, 1)),
    link: { href: `/app/visibility?tracker=${tracker.id}`, label: visibilityWords('showRate') },
  }
}
