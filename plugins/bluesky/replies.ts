import { isServiceFault, ServiceFault, unreadable } from 'renown'
import type { AnsweredPost, OpenThread, OwnReply, ReplyChannel } from 'renown/leads'
import { replyByPostAccount } from 'renown/posts'
import * as v from 'valibot'
import { type BlueskyAccount, collection, noPost, recordKeys, recordStates } from './account'
import { addressOf, atUri } from './post'
import { recordKey } from './record-key'

const what = "Bluesky's thread"
const strongRef = v.object({ uri: atUri, cid: v.pipe(v.string(), v.minLength(1)) })
const shownPost = v.object({
  uri: atUri,
  cid: v.pipe(v.string(), v.minLength(1)),
  author: v.object({ did: v.string() }),
  record: v.object({ text: v.string(), reply: v.nullish(v.object({ root: strongRef })) }),
  viewer: v.nullish(v.object({ replyDisabled: v.nullish(v.boolean()) })),
})
const threadForm = v.object({
  thread: v.union([
    v.object({ post: shownPost, replies: v.nullish(v.array(v.unknown())) }),
    v.object({ notFound: v.literal(true) }),
    v.object({ blocked: v.literal(true) }),
  ]),
})
const replyForm = v.object({ post: shownPost })
const didForm = v.object({ did: v.pipe(v.string(), v.startsWith('did:')) })

/** Answers posts of Bluesky with the account that publishes the posts of the location. */
export const blueskyReplies: ReplyChannel = {
  name: 'bluesky',
  channel: 'bluesky',
  label: 'Bluesky',
  textMax: 300,
  countedIn: 'graphemes',
  keyOf: recordKey,
  proof: recordStates,
  ...replyByPostAccount('bluesky', 'Bluesky'),
  refusal: (post) => (partsOf(post) === null ? 'The address is not that of a post on Bluesky.' : null),
}

/** Returns the author and the key of a post, by its id or its public address. */
function partsOf({ source_id, url }: Pick<AnsweredPost, 'source_id' | 'url'>) {
  if (v.is(atUri, source_id)) {
    const [, , actor = '', , key = ''] = source_id.split('/')
    return { actor, key }
  }
  const { host, pathname } = URL.parse(url) ?? {}
  const [, actor, key] =
    /^\/profile\/([\w:.%-]{1,253})\/post\/([\w.~:-]{1,64})\/?$/.exec(pathname ?? '') ?? []
  return host === 'bsky.app' && actor && key ? { actor, key } : null
}

async function uriOf(account: BlueskyAccount, post: AnsweredPost): Promise<string> {
  const parts = partsOf(post)
  if (parts === null) throw new ServiceFault('permanent', 'The address is not that of a post on Bluesky.')
  const { actor, key } = parts
  if (actor.startsWith('did:')) return `at://${actor}/${collection}/${key}`
  const query = { handle: actor }
  const { did } = await account.read(
    'com.atproto.identity.resolveHandle',
    query,
    didForm,
    "Bluesky's account",
  )
  return `at://${did}/${collection}/${key}`
}

/** Opens a post to answer it. The key of a reply is chosen before the call, so its record proves it. */
export async function openBlueskyThread(account: BlueskyAccount, post: AnsweredPost): Promise<OpenThread> {
  const uri = await uriOf(account, post)
  const read = async () => {
    const query = { uri, depth: '1', parentHeight: '0' }
    const found = await account
      .read('app.bsky.feed.getPostThread', query, threadForm, what)
      .catch(goneOrThrow)
    if (found === null || !('post' in found.thread)) return null
    if (found.thread.post.uri !== uri) throw unreadable(what, 'it is another post')
    return found.thread.post.viewer?.replyDisabled === true ? null : found.thread
  }
  return {
    keys: recordKeys,
    async look() {
      const thread = await read()
      if (thread === null) return { isGone: true }
      const own = (thread.replies ?? []).flatMap((given): OwnReply[] => {
        // A deleted or blocked reply has another form and is not the account's own.
        if (!v.is(replyForm, given) || given.post.author.did !== account.did) return []
        const url = addressOf(given.post.uri)
        return [
          {
            external_id: given.post.uri,
            text: given.post.record.text,
            ...(url === undefined ? {} : { url }),
          },
        ]
      })
      return { isGone: false, own }
    },
    async send({ text, language }, { key, started_at }) {
      const thread = await read()
      if (thread === null) {
        throw new ServiceFault('permanent', 'Bluesky no longer shows the post.', { delivery: 'unsent' })
      }
      const { cid, record } = thread.post
      const parent = { uri, cid }
      return account.write(key, {
        $type: collection,
        text,
        createdAt: started_at,
        reply: { root: record.reply?.root ?? parent, parent },
        ...(language === 'und' ? {} : { langs: [language] }),
      })
    },
    find: ({ key }) => account.find(key),
  }
}

function goneOrThrow(error: unknown): null {
  if (isServiceFault(error) && error.code === noPost) return null
  throw error
}
