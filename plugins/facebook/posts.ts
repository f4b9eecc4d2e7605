import { isServiceFault } from 'renown'
import {
  type LookedPosts,
  type OpenTarget,
  type PostTarget,
  postLink,
  postText,
  type ShownPost,
} from 'renown/posts'
import { shownSince } from 'renown/sending'
import * as v from 'valibot'
import { askFacebook, pageConnection } from './graph'
import { facebookNotThere } from './graph-api'

const pageSize = 100

const madeForm = v.object({ id: v.pipe(v.string(), v.minLength(1)) })
const storyForm = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  message: v.optional(v.string()),
  permalink_url: v.optional(v.string()),
  created_time: v.optional(v.string()),
  is_published: v.optional(v.boolean()),
  is_hidden: v.optional(v.boolean()),
  from: v.optional(v.object({ id: v.string() })),
})
type Story = v.InferOutput<typeof storyForm>
const fields = 'id,message,created_time,is_published,is_hidden,permalink_url,from{id}'
const listForm = v.object({ data: v.array(storyForm) })

/** Posts of a Facebook Page. Facebook recognizes no keys. A post is found again in the Page's feed. */
export const facebookPosts: PostTarget = {
  name: 'facebook',
  platform: 'facebook',
  label: 'Facebook',
  order: 70,
  perHour: 20,
  proof: {
    states: { published: 'visible', 'in the feed': 'visible', unpublished: 'held', hidden: 'held' },
    source: 'Graph API: `is_published` and `is_hidden` of a post. The feed of a Page has its published posts',
  },
  rules: {
    postTypes: ['update', 'offer', 'event'],
    textMax: 5_000,
    countedIn: 'characters',
    photosMax: 0,
    videosMax: 0,
    textOf: (post) => postText(post, { withLink: false }),
  },
  channel: null,
  refusal: ({ facebook_page_id }) =>
    facebook_page_id === undefined
      ? 'This location has no Facebook Page. Add it from a connected Page.'
      : null,
  async open(ctx, { location }): Promise<OpenTarget> {
    const { account_id: page } = await pageConnection(ctx, location)
    const path = `${encodeURIComponent(page)}/feed`
    return {
      async create(post): Promise<ShownPost> {
        const link = postLink(post)
        const form = { message: postText(post, { withLink: false }), ...(link === undefined ? {} : { link }) }
        const asked = { path, method: 'POST', form, what: "Facebook's answer to the post" } as const
        const { id } = await askFacebook(ctx, location, { ...asked, answer: madeForm })
        return { external_id: id, url: `https://www.facebook.com/${id}`, evidence: '200' }
      },
      async read(external_id) {
        const asked = { path: encodeURIComponent(external_id), query: { fields }, isUrgent: true }
        try {
          const what = "Facebook's post"
          const story = await askFacebook(ctx, location, { ...asked, what, answer: storyForm })
          return shownStory(story, page, 'the post')
        } catch (error) {
          if (isServiceFault(error) && error.code === facebookNotThere) return null
          throw error
        }
      },
      async look(_, { started_at }): Promise<LookedPosts> {
        const since = Math.floor(shownSince(started_at) / 1_000)
        const query = { fields, since: String(since), limit: String(pageSize) }
        const asked = { path, query, isUrgent: true, what: "The Page's feed", answer: listForm }
        const { data } = await askFacebook(ctx, location, asked)
        const shown = data.map((story) => {
          const one = shownStory(story, page, "the Page's feed")
          return { ...one, state: one.state ?? 'in the feed' }
        })
        return { shown, isWhole: data.length < pageSize }
      },
    }
  },
}

function shownStory(
  { id, message, permalink_url, created_time, is_published, is_hidden, from }: Story,
  page: string,
  evidence: string,
): ShownPost {
  const published = is_published === undefined ? undefined : is_published ? 'published' : 'unpublished'
  return {
    external_id: id,
    url: permalink_url ?? `https://www.facebook.com/${id}`,
    text: message,
    created_at: created_time,
    state: is_hidden === true ? 'hidden' : published,
    evidence,
    ...(from && from.id !== page ? { isOther: `${id} is by another author.` } : {}),
  }
}
