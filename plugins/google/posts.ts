import { isServiceFault, type OwnerContext } from 'renown'
import type {
  LookedPosts,
  OpenTarget,
  OutgoingPost,
  PostDestination,
  PostTarget,
  ShownPost,
} from 'renown/posts'
import { shownSince } from 'renown/sending'
import { rpcNotFound } from 'renown/sources'
import type { InferOutput } from 'valibot'
import { askGoogle, connectionOf } from './ask-reviews'
import { googlePage } from './google-page'
import { localPostForm, localPostOf, topicOf } from './post-forms'
import { profileOf } from './profile-path'

/** The maximum page size at Google, and how many pages are read for a look. */
const pageSize = 100
const pagesMax = 3

/**
 * Local posts of a Google business profile. Google recognizes no keys. A post is found again in the list of the
 * profile by its text, kind and time.
 */
export const googlePosts: PostTarget = {
  name: 'google',
  platform: 'gbp',
  label: 'Google',
  order: 10,
  perHour: 20,
  proof: {
    states: { LIVE: 'visible', PROCESSING: 'processing', REJECTED: 'rejected' },
    source: 'Google Business Profile APIs, LocalPost.state',
  },
  rules: {
    postTypes: ['update', 'offer', 'event'],
    textMax: 1_500,
    countedIn: 'characters',
    photosMax: 10,
    videosMax: 0,
    textOf: ({ content }) => content.summary,
  },
  channel: null,
  refusal: ({ google_account_id, google_location_id }) =>
    google_account_id === undefined || google_location_id === undefined
      ? 'This location has no Google business profile that Renown may manage. Add it from a connected account.'
      : null,
  async open(ctx, { location }): Promise<OpenTarget> {
    await connectionOf(ctx, location)
    const path = `${profileOf(location).path}/localPosts`
    return {
      async create(post): Promise<ShownPost> {
        const asked = { path, method: 'POST', json: localPostOf(post), answer: localPostForm } as const
        const made = await askGoogle(ctx, location, { ...asked, what: "Google's answer to the post" })
        return shownPost(made, `200, ${made.state ?? 'no state'}`, post)
      },
      async read(external_id) {
        // The id of a local post is its path.
        const asked = { path: external_id, isUrgent: true, what: "Google's post", answer: localPostForm }
        try {
          return shownPost(await askGoogle(ctx, location, asked), 'the post')
        } catch (error) {
          if (isServiceFault(error) && error.code === rpcNotFound) return null
          throw error
        }
      },
      async look(post, { started_at }): Promise<LookedPosts> {
        const since = shownSince(started_at)
        const { recent, isWhole } = await recentPosts(ctx, { location, path, since })
        return { shown: recent.map((one) => shownPost(one, 'the list of the profile', post)), isWhole }
      },
    }
  },
}

type LocalPost = InferOutput<typeof localPostForm>

function shownPost(
  { name, searchUrl, summary, topicType, state, createTime }: LocalPost,
  evidence: string,
  post?: OutgoingPost,
): ShownPost {
  const isOther = post !== undefined && topicType !== topicOf(post)
  return {
    external_id: name,
    url: searchUrl,
    text: summary,
    created_at: createTime,
    state,
    evidence,
    ...(isOther ? { isOther: `${name} is a post of another kind.` } : {}),
  }
}

interface Wanted extends Pick<PostDestination, 'location'> {
  readonly path: string
  readonly since: number
}

/** Returns the posts of the profile since an instant, and whether the pages that were read reach back so far. */
async function recentPosts(
  ctx: OwnerContext,
  { location, path, since }: Wanted,
): Promise<{ readonly recent: readonly LocalPost[]; readonly isWhole: boolean }> {
  const recent: LocalPost[] = []
  let token: string | null = null
  for (let page = 0; page < pagesMax; page++) {
    const query = new URLSearchParams({ pageSize: String(pageSize) })
    if (token !== null) query.set('pageToken', token)
    const answer = googlePage('localPosts', localPostForm, { token, mayBeEmpty: true })
    const asked = { path: `${path}?${query}`, isUrgent: true, what: "Google's page of posts", answer }
    const read: { readonly items: LocalPost[]; readonly next: string | null } = await askGoogle(
      ctx,
      location,
      asked,
    )
    recent.push(...read.items.filter(({ createTime }) => Date.parse(createTime) >= since))
    if (read.next === null || read.items.some(({ createTime }) => Date.parse(createTime) < since))
      return { recent, isWhole: true }
    token = read.next
  }
  return { recent, isWhole: false }
}
