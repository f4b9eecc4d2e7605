import {
  isSiteAddress,
  type LookedPosts,
  type OpenTarget,
  type PostTarget,
  postText,
  type ShownPost,
} from 'renown/posts'
import { shownSince } from 'renown/sending'
import * as v from 'valibot'
import { openAccount } from './account'
import { openMastodonThread } from './replies'
import { orGone, shownStatus, statusForm, visibilities } from './status'

const pageSize = 40
/** Some servers never list more than this. */
const leastPage = 20

/** Posts on any server with Mastodon's API. Only some of them keep an `Idempotency-Key`. */
export const mastodonPosts: PostTarget = {
  name: 'mastodon',
  platform: 'mastodon',
  label: 'Mastodon',
  order: 60,
  proof: visibilities,
  perHour: 30,
  rules: {
    postTypes: ['update', 'offer', 'event'],
    textMax: 500,
    countedIn: 'characters',
    photosMax: 0,
    videosMax: 0,
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
    const { ask, id, keys } = await openAccount(ctx, channel)
    const shown = (status: v.InferOutput<typeof statusForm>, evidence: string) =>
      shownStatus(status, id, evidence)
    return {
      keys,
      async create(post, { key }): Promise<ShownPost> {
        const language = post.content.language.slice(0, 2).toLowerCase()
        const status = await ask('/api/v1/statuses', statusForm, {
          what: "Mastodon's answer to the post",
          headers: { 'idempotency-key': key },
          json: { status: postText(post), visibility: 'public', language },
        })
        return shown(status, '200')
      },
      async look(_, { started_at }): Promise<LookedPosts> {
        const query = `limit=${pageSize}&exclude_reblogs=true`
        const path = `/api/v1/accounts/${encodeURIComponent(id)}/statuses?${query}`
        const statuses = await ask(path, v.array(statusForm), { what: "Mastodon's list of posts" })
        const isOld = ({ created_at }: v.InferOutput<typeof statusForm>) =>
          Date.parse(created_at) < shownSince(started_at)
        return {
          shown: statuses.map((one) => shown(one, 'the list of the account')),
          isWhole: statuses.length < leastPage || statuses.some(isOld),
        }
      },
      async read(external_id) {
        const path = `/api/v1/statuses/${encodeURIComponent(external_id)}`
        const status = await orGone(() => ask(path, statusForm, { what: "Mastodon's post" }))
        return status && shown(status, 'the post')
      },
    }
  },
}
