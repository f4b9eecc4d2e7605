import { minuteMs, unreadable } from 'renown'
import {
  isSiteAddress,
  type OpenTarget,
  type PostTarget,
  type PublishedPost,
  postText,
  wordsOf,
  wordsOfHtml,
} from 'renown/posts'
import * as v from 'valibot'
import { openAccount } from './account'
import { openMastodonThread } from './replies'

const pageSize = 40
/** Servers and Renown may have different clocks. */
const clockMs = 5 * minuteMs

const statusForm = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  url: v.nullish(v.string()),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
  content: v.string(),
})

/**
 * Posts on any server with Mastodon's API. Servers keep an `Idempotency-Key` for an hour. Renown trusts it for 50
 * minutes.
 */
export const mastodonPosts: PostTarget = {
  name: 'mastodon',
  platform: 'mastodon',
  label: 'Mastodon',
  order: 60,
  keyMs: 50 * minuteMs,
  perHour: 30,
  rules: {
    ...{ postTypes: ['update', 'offer', 'event'], textMax: 500, countedIn: 'characters' },
    ...{ photosMax: 0, videosMax: 0 },
  },
  channel: {
    address: { label: 'Address of the server, such as https://mastodon.social' },
    secret: {
      label:
        'Access token with the scopes read:accounts, read:search, read:statuses and write:statuses. Replies need read:search',
    },
    refusal: ({ address }) =>
      isSiteAddress(address) ? null : 'The address of the server must begin with https://.',
  },
  openThread: async (ctx, { channel }, post) => openMastodonThread(await openAccount(ctx, channel), post),
  async open(ctx, { channel }): Promise<OpenTarget> {
    const { ask, id } = await openAccount(ctx, channel)
    return {
      async create(post, { key }) {
        const language = post.content.language.slice(0, 2).toLowerCase()
        const status = await ask('/api/v1/statuses', statusForm, {
          ...{ what: "Mastodon's answer to the post", headers: { 'idempotency-key': key } },
          json: { status: postText(post), visibility: 'public', language },
        })
        return published(status, '200')
      },
      async look(post, { started_at, others }) {
        const query = `limit=${pageSize}&exclude_reblogs=true`
        const path = `/api/v1/accounts/${encodeURIComponent(id)}/statuses?${query}`
        const statuses = await ask(path, v.array(statusForm), { what: "Mastodon's list of posts" })
        const since = Date.parse(started_at) - clockMs
        const recent = statuses.filter(({ created_at }) => Date.parse(created_at) >= since)
        const words = wordsOf(postText(post))
        const found = recent.find((one) => !others.has(one.id) && wordsOfHtml(one.content) === words)
        if (found) return published(found, 'the list of the account')
        if (recent.length < pageSize) return null
        throw unreadable("Mastodon's list of posts", 'it does not reach back to the attempt')
      },
    }
  },
}

const published = ({ id, url }: v.InferOutput<typeof statusForm>, evidence: string): PublishedPost => ({
  ...{ external_id: id, evidence },
  ...(url ? { url } : {}),
})
