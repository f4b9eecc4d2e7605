import { minuteMs, unreadable } from 'renown'
import { type OpenTarget, type PostTarget, postLink, postText } from 'renown/posts'
import * as v from 'valibot'
import { askFacebook, pageConnection } from './graph'

const pageSize = 100
const clockMs = 5 * minuteMs

const madeForm = v.object({ id: v.pipe(v.string(), v.minLength(1)) })
const storyForm = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  message: v.optional(v.string()),
  permalink_url: v.optional(v.string()),
})
const listForm = v.object({ data: v.array(storyForm) })

/** Posts of a Facebook Page. Facebook recognizes no keys. A post is found again in the Page's feed. */
export const facebookPosts: PostTarget = {
  name: 'facebook',
  platform: 'facebook',
  label: 'Facebook',
  order: 70,
  perHour: 20,
  rules: {
    ...{ postTypes: ['update', 'offer', 'event'], textMax: 5_000, countedIn: 'characters' },
    ...{ photosMax: 0, videosMax: 0 },
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
      async create(post) {
        const link = postLink(post)
        const form = { message: postText(post, { withLink: false }), ...(link === undefined ? {} : { link }) }
        const asked = { path, method: 'POST', form, what: "Facebook's answer to the post" } as const
        const { id } = await askFacebook(ctx, location, { ...asked, answer: madeForm })
        return { external_id: id, url: `https://www.facebook.com/${id}`, evidence: '200' }
      },
      async look(post, { started_at, others }) {
        const since = Math.floor((Date.parse(started_at) - clockMs) / 1_000)
        const query = { fields: 'id,message,permalink_url', since: String(since), limit: String(pageSize) }
        const asked = { path, query, isUrgent: true, what: "The Page's feed", answer: listForm }
        const { data } = await askFacebook(ctx, location, asked)
        const message = postText(post, { withLink: false })
        const found = data.find((one) => one.message === message && !others.has(one.id))
        if (found) {
          const { id, permalink_url } = found
          const url = permalink_url ?? `https://www.facebook.com/${id}`
          return { external_id: id, url, evidence: "the Page's feed" }
        }
        if (data.length < pageSize) return null
        throw unreadable("The Page's feed", 'it has more posts than one answer')
      },
    }
  },
}
