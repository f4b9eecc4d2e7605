import { type FoundPost, instantForm, postOf, textForm } from 'renown/leads'
import * as v from 'valibot'

/** The address of a post within its repository. */
export const atUri = v.pipe(
  v.string(),
  v.regex(/^at:\/\/did:[\w:.%-]{1,200}\/app\.bsky\.feed\.post\/[\w.~:-]{1,64}$/),
)

/** The record of a post. */
export const postRecord = v.object({
  text: v.string(),
  createdAt: instantForm,
  langs: v.nullish(v.array(v.string())),
  reply: v.nullish(v.object({ parent: v.object({ uri: v.string() }) })),
})

/** A post as the search returns it. */
export const postView = v.object({
  uri: atUri,
  indexedAt: instantForm,
  record: postRecord,
  author: v.object({
    did: v.string(),
    handle: v.pipe(v.string(), v.minLength(1)),
    displayName: textForm,
    avatar: textForm,
    labels: v.nullish(v.array(v.object({ val: v.string() }))),
  }),
})
type PostView = v.InferOutput<typeof postView>

/** Whether the author asked that people without an account do not see the posts. */
export const isWithheld = ({ author }: PostView): boolean =>
  author.labels?.some(({ val }) => val === '!no-unauthenticated') ?? false

/** Returns the public address of a post. */
export function addressOf(uri: string, handle?: string): string | undefined {
  const [, , did = '', , key = ''] = uri.split('/')
  return v.is(atUri, uri) ? `https://bsky.app/profile/${handle ?? did}/post/${key}` : undefined
}

/** Returns a post of the search in Renown's form. */
export function postOfView({ uri, indexedAt, record, author }: PostView): FoundPost {
  const { text, createdAt, langs, reply } = record
  return postOf({
    source_id: uri,
    channel: 'bluesky',
    url: addressOf(uri, author.handle) ?? '',
    body: text,
    language: langs?.[0],
    parent_url: addressOf(reply?.parent.uri ?? ''),
    // Authors can write any time. The post was there when it was indexed.
    posted_at: createdAt < indexedAt ? createdAt : indexedAt,
    author: {
      handle: author.handle,
      name: author.displayName,
      avatar_url: author.avatar,
      url: `https://bsky.app/profile/${author.handle}`,
    },
  })
}
