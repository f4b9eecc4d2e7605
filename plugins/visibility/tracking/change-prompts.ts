import { type OwnerContext, type ReadContext, type Row, refusedField, type SystemReads, where } from 'renown'
import { brandedBy } from '../detection/branded'
import { regionOf } from '../records/countries'
import { BusinessLocation, Workspace } from '../records/foreign'
import { countryOfLocation } from '../records/location-country'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { promptKey } from './brand-fields'
import { offered } from './offered'
import { languageOf, suggestPrompts } from './suggest-prompts'

type Tracker = Row<typeof VisibilityTracker>
type Prompt = Row<typeof VisibilityPrompt>

/** Most prompts of a tracker, paused ones included. */
export const promptsMax = 1_000

/** Returns the prompts of a tracker, in the order in which they were added. */
export const promptsOf = (
  ctx: Pick<ReadContext, 'rows'> | Pick<SystemReads, 'rows'>,
  tracker_id: string,
): Promise<Prompt[]> =>
  ctx.rows(VisibilityPrompt).list({
    where: where.eq('tracker_id', tracker_id),
    sort: [{ field: 'created_date', direction: 'asc' }],
    limit: promptsMax,
  })

/**
 * Adds prompts to a tracker, and returns the new ones. Those that it has already, also paused ones, are left as they are. Calls for one tracker
 * run one after the other, so that a form that is sent twice adds its prompts once.
 */
export const addPrompts = (
  ctx: OwnerContext,
  tracker: Tracker,
  texts: readonly string[],
): Promise<string[]> => ctx.withLock(`visibility prompts ${tracker.id}`, () => addNow(ctx, tracker, texts))

async function addNow(ctx: OwnerContext, tracker: Tracker, texts: readonly string[]): Promise<string[]> {
  const [present, workspace, location] = await Promise.all([
    promptsOf(ctx, tracker.id),
    ctx.rows(Workspace).get(tracker.workspace_id),
    ctx.rows(BusinessLocation).get(tracker.location_id),
  ])
  const same = new Set(present.map(({ text }) => promptKey(text)))
  const unique = [...new Map(texts.map((text) => [promptKey(text), text])).values()]
  const added = unique.filter((text) => !same.has(promptKey(text)))
  if (present.length + added.length > promptsMax)
    throw refusedField('text', `A tracker has at most ${promptsMax} prompts. This one has ${present.length}.`)
  const isBranded = brandedBy(tracker)
  if (added.length === 0) return added
  const country =
    tracker.countries?.[0] ??
    present[0]?.country ??
    countryOfLocation(location ?? {}) ??
    regionOf(workspace?.locale)
  if (country === null)
    throw refusedField('prompts', 'Name the country from which the tracker asks first, in its settings.')
  for (const text of added) {
    await ctx.rows(VisibilityPrompt).insert({
      workspace_id: tracker.workspace_id,
      tracker_id: tracker.id,
      location_id: tracker.location_id,
      text,
      language: present[0]?.language ?? languageOf(workspace?.locale),
      country,
      source: 'user',
      intent: 'commercial',
      status: 'active',
      tags: isBranded(text) ? ['branded'] : [],
    })
  }
  await planAgain(ctx, tracker)
  return added
}

/** Returns suggested prompts that a tracker does not have yet. Empty if the location has no category and no city. */
export async function freshSuggestions(ctx: Pick<SystemReads, 'rows'>, tracker: Tracker): Promise<string[]> {
  const [present, workspace, location] = await Promise.all([
    promptsOf(ctx, tracker.id),
    ctx.rows(Workspace).get(tracker.workspace_id),
    ctx.rows(BusinessLocation).get(tracker.location_id),
  ])
  const same = new Set(present.map(({ text }) => promptKey(text)))
  return suggestPrompts({
    name: tracker.brand_name,
    ...(location ? offered(location) : {}),
    language: languageOf(workspace?.locale),
  })
    .map(({ text }) => text)
    .filter((text) => !same.has(promptKey(text)))
}

/** Pauses a prompt or lets it be asked again. Returns null if the tracker has no such prompt. */
export async function setPromptStatus(
  ctx: OwnerContext,
  tracker: Tracker,
  prompt_id: string,
  status: Prompt['status'],
): Promise<Prompt | null> {
  const changed = await ctx.rows(VisibilityPrompt).updateWhere(promptIn(tracker, prompt_id), { status })
  if (changed) await planAgain(ctx, tracker)
  return changed
}

/** Deletes a prompt. Its answers stay, and no longer count in the headline rate. Returns false if there was none. */
export async function removePrompt(ctx: OwnerContext, tracker: Tracker, prompt_id: string): Promise<boolean> {
  return (await ctx.rows(VisibilityPrompt).removeWhere(promptIn(tracker, prompt_id))) > 0
}

const promptIn = ({ id }: Tracker, prompt_id: string) =>
  where.and(where.eq('id', prompt_id), where.eq('tracker_id', id))

/** New questions are due at once, and make the rate less sure. */
async function planAgain(ctx: OwnerContext, tracker: Tracker): Promise<void> {
  await ctx.rows(VisibilityTracker).update(tracker.id, {
    due_at: ctx.now().toISOString(),
    sure_until: undefined,
  })
}
