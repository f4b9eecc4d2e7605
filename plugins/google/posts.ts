import { minuteMs, type OwnerContext, ServiceFault, unreadable } from 'renown'
import type { OpenTarget, PostDestination, PostTarget, PublishedPost } from 'renown/posts'
import type { InferOutput } from 'valibot'
import { askGoogle, connectionOf } from './ask-reviews'
import { googlePage } from './google-page'
import { localPostForm, localPostOf, topicOf } from './post-forms'
import { profileOf } from './profile-path'

/** The maximum page size at Google, and how many pages are read for a look. */
const pageSize = 100
const pagesMax = 3
const clockMs = 5 * minuteMs

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
  rules: {
    ...{ postTypes: ['update', 'offer', 'event'], textMax: 1_500, countedIn: 'characters' },
    ...{ photosMax: 10, videosMax: 0 },
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
      async create(post) {
        const asked = { path, method: 'POST', json: localPostOf(post), answer: localPostForm } as const
        const made = await askGoogle(ctx, location, { ...asked, what: "Google's answer to the post" })
        if (made.state === 'REJECTED') {
          throw new ServiceFault('permanent', 'Google rejected the post', { delivery: 'refused' })
        }
        return published(made, `200, ${made.state ?? 'no state'}`)
      },
      async look(post, { started_at, others }) {
        const since = Date.parse(started_at) - clockMs
        const isIt = (one: LocalPost) =>
          one.summary === post.content.summary && one.topicType === topicOf(post) && !others.has(one.name)
        const found = (await recentPosts(ctx, { location, path, since })).find(isIt)
        return found ? published(found, 'the list of the profile') : null
      },
    }
  },
}

type LocalPost = InferOutput<typeof localPostForm>

const published = ({ name, searchUrl }: LocalPost, evidence: string): PublishedPost => ({
  ...{ external_id: name, evidence },
  ...(searchUrl === undefined ? {} : { url: searchUrl }),
})

interface Wanted extends Pick<PostDestination, 'location'> {
  readonly path: string
  readonly since: number
}

/** Returns the posts of the profile since an instant. Throws if the list does not reach back so far. */
async function recentPosts(ctx: OwnerContext, { location, path, since }: Wanted): Promise<LocalPost[]> {
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
      return recent
    token = read.next
  }
  throw unreadable("Google's list of posts", 'it does not reach back to the attempt')
}
