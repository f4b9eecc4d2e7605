import { isServiceFault, type OwnerContext } from 'renown'
import type { GoneStatement, ReviewedLocation } from 'renown/reviews'
import { pageFigures } from './figures'
import { askFacebook } from './graph'
import { facebookNotThere, facebookNotVisible } from './graph-api'
import { idForm, isUnnamed, ratingsForm, storiesOf } from './review-forms'

/** Maximum stories that are loaded for comparison before the result stays unknown. */
const comparedMax = 3

/**
 * Whether a recommendation no longer exists. Facebook's error 803 says so. Its error 100 with the subcode 33
 * says "does not exist, or cannot be loaded due to missing permissions". It counts only if the same token can
 * load another story of the Page at that time, or if the Page says that it has no ratings at all.
 */
export async function removedAtFacebook(
  ctx: OwnerContext,
  location: ReviewedLocation,
  storyId: string,
  shown?: Iterable<string>,
): Promise<GoneStatement | null> {
  if (isUnnamed(storyId)) return null
  const code = await look(ctx, location, storyId)
  if (code === null) return null
  if (code === facebookNotThere) return 'facebook: error 803'
  const listed = new Set(shown ?? (await stories(ctx, location)))
  if (listed.has(storyId)) return null
  const others = [...listed].filter((id) => !isUnnamed(id)).slice(0, comparedMax)
  for (const other of others) {
    const isSeen = (await look(ctx, location, other)) === null
    if (isSeen) return `facebook: error 100/33, while ${other} could be loaded`
  }
  if (others.length > 0) return null
  const { rating_count } = await pageFigures(ctx, location)
  return rating_count === 0 ? 'facebook: error 100/33, and a rating_count of 0' : null
}

/**
 * Returns null if the story exists, otherwise which of the two errors Facebook returned. Throws any other
 * error.
 */
async function look(ctx: OwnerContext, location: ReviewedLocation, id: string): Promise<string | null> {
  try {
    const asked = { path: encodeURIComponent(id), query: { fields: 'id' } }
    await askFacebook(ctx, location, { ...asked, what: "Facebook's recommendation", answer: idForm(id) })
    return null
  } catch (error) {
    const code = isServiceFault(error) ? error.code : undefined
    if (code === facebookNotThere || code === facebookNotVisible) return code
    throw error
  }
}

/** Returns the stories of the newest ratings of the Page. */
async function stories(ctx: OwnerContext, location: ReviewedLocation): Promise<string[]> {
  const path = `${encodeURIComponent(location.facebook_page_id ?? '')}/ratings`
  const query = { fields: 'open_graph_story{id}', limit: '25' }
  const asked = { path, query, what: "Facebook's page of recommendations", answer: ratingsForm }
  return storiesOf(await askFacebook(ctx, location, asked))
}
