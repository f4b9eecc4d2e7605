import {
  isSiteAddress,
  type OpenTarget,
  type OutgoingPost,
  type PostTarget,
  postLink,
  postText,
} from 'renown/posts'
import { collection, openSession, recordKeys, recordStates } from './account'
import { recordKey } from './record-key'
import { openBlueskyThread } from './replies'

/**
 * Posts on Bluesky. Renown chooses the key of the record, so the repository has at most one record of a post, and after a
 * lost answer it says whether the record exists.
 */
export const blueskyPosts: PostTarget = {
  name: 'bluesky',
  platform: 'bluesky',
  label: 'Bluesky',
  order: 50,
  proof: recordStates,
  perHour: 30,
  keyOf: recordKey,
  rules: {
    postTypes: ['update', 'offer', 'event'],
    textMax: 300,
    countedIn: 'graphemes',
    photosMax: 0,
    videosMax: 0,
  },
  channel: {
    address: { label: 'Address of the server of the account', default: 'https://bsky.social' },
    account: { label: 'Handle of the account, such as acme.bsky.social' },
    secret: { label: 'App password (Settings, Privacy and security)' },
    refusal: ({ address }) =>
      isSiteAddress(address) ? null : 'The address of the server must begin with https://.',
  },
  async open(ctx, { channel }): Promise<OpenTarget> {
    const session = await openSession(ctx, channel)
    return {
      keys: recordKeys,
      create: (post, { key, started_at }) => session.write(key, recordOf(post, started_at)),
      async look(_, { key }) {
        const found = await session.find(key)
        return { shown: found ? [found] : [], isWhole: true }
      },
    }
  },
  openThread: async (ctx, { channel }, post) => openBlueskyThread(await openSession(ctx, channel), post),
}

/** Returns the record. Links are marked by their position in bytes of UTF-8. */
function recordOf(post: OutgoingPost, createdAt: string): Record<string, unknown> {
  const text = postText(post)
  const link = postLink(post)
  const at = link === undefined ? -1 : text.lastIndexOf(link)
  const byteStart = Buffer.byteLength(text.slice(0, at))
  const index = { byteStart, byteEnd: byteStart + Buffer.byteLength(link ?? '') }
  const features = [{ $type: 'app.bsky.richtext.facet#link', uri: link }]
  return {
    $type: collection,
    text,
    createdAt,
    langs: [post.content.language],
    ...(at < 0 ? {} : { facets: [{ index, features }] }),
  }
}
