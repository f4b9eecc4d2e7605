import { isServiceFault, type OwnerContext } from 'renown'
import { compareExistence, type GoneStatement, type ReviewedLocation } from 'renown/reviews'
import { pageFigures } from './figures'
import { askFacebook } from './graph'
import { facebookNotThere, facebookNotVisible } from './graph-api'
import { idForm, isUnnamed, ratingsForm, storiesOf } from './review-forms'

const statements: Readonly<Record<string, GoneStatement>> = {
  [facebookNotThere]: 'facebook: error 803',
  [facebookNotVisible]: 'facebook: error 100/33',
}

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
  const questions = {
    certain: ['facebook: error 803'],
    async statementOf(id: string) {
      const code = await look(ctx, location, id)
      return code === null ? null : (statements[code] ?? null)
    },
    async listed() {
      const ids = (await stories(ctx, location)).filter((id) => !isUnnamed(id))
      return { ids, total: ids.length > 0 ? null : await countOf(ctx, location) }
    },
  }
  const listed = shown === undefined ? undefined : [...shown].filter((id) => !isUnnamed(id))
  const found = await compareExistence(storyId, questions, listed)
  return found.is === 'gone' ? found.statement : null
}

const countOf = async (ctx: OwnerContext, location: ReviewedLocation): Promise<number | null> =>
  (await pageFigures(ctx, location)).rating_count ?? null

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
