import { dayMs, isServiceFault, type OwnerContext, ServiceFault, statusFault } from 'renown'
import {
  type AddressAnswer,
  askAddress,
  baseAddress,
  isSiteAddress,
  type OpenTarget,
  type OutgoingPost,
  type PostTarget,
  postLink,
  postText,
} from 'renown/posts'
import * as v from 'valibot'
import { recordKey } from './record-key'

const collection = 'app.bsky.feed.post'
/** The code of a fault: the repository has no record with this key. */
const noRecord = 'no_record'

const sessionForm = v.object({
  did: v.pipe(v.string(), v.regex(/^did:[a-z]+:[\w.:%-]{1,200}$/)),
  accessJwt: v.pipe(v.string(), v.minLength(1)),
})
const recordForm = v.object({ uri: v.pipe(v.string(), v.startsWith('at://')), cid: v.optional(v.string()) })
const errorForm = v.object({ error: v.string(), message: v.optional(v.string(), '') })

/**
 * Posts on Bluesky. Renown chooses the key of the record, so the repository has at most one record of a post, and after a
 * lost answer it says whether the record exists.
 */
export const blueskyPosts: PostTarget = {
  name: 'bluesky',
  platform: 'bluesky',
  label: 'Bluesky',
  order: 50,
  keyMs: dayMs,
  perHour: 30,
  keyOf: recordKey,
  rules: {
    ...{ postTypes: ['update', 'offer', 'event'], textMax: 300, countedIn: 'graphemes' },
    ...{ photosMax: 0, videosMax: 0 },
  },
  channel: {
    address: { label: 'Address of the server of the account', default: 'https://bsky.social' },
    account: { label: 'Handle of the account, such as acme.bsky.social' },
    secret: { label: 'App password (Settings, Privacy and security)' },
    refusal: ({ address }) =>
      isSiteAddress(address) ? null : 'The address of the server must begin with https://.',
  },
  async open(ctx, { channel: { address, account, secret } }): Promise<OpenTarget> {
    const base = `${baseAddress(address)}/xrpc/com.atproto`
    const { did, accessJwt } = await ask(ctx, `${base}.server.createSession`, sessionForm, {
      ...{ what: "Bluesky's session", secrets: [secret] },
      json: { identifier: account, password: secret },
    })
    const signed = { secrets: [secret, accessJwt], headers: { authorization: `Bearer ${accessJwt}` } }
    const published = ({ uri }: v.InferOutput<typeof recordForm>, key: string, evidence: string) => ({
      ...{ external_id: uri, evidence, url: `https://bsky.app/profile/${did}/post/${key}` },
    })
    return {
      async create(post, { key, started_at }) {
        const record = recordOf(post, started_at)
        const made = await ask(ctx, `${base}.repo.createRecord`, recordForm, {
          ...{ ...signed, what: "Bluesky's answer to the post" },
          json: { repo: did, collection, rkey: key, record },
        })
        return published(made, key, '200')
      },
      async look(_, { key }) {
        const query = new URLSearchParams({ repo: did, collection, rkey: key })
        try {
          const url = `${base}.repo.getRecord?${query}`
          const found = await ask(ctx, url, recordForm, { ...signed, what: "Bluesky's record" })
          return published(found, key, 'the record')
        } catch (error) {
          if (isServiceFault(error) && error.code === noRecord) return null
          throw error
        }
      },
    }
  },
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
    ...{ $type: collection, text, createdAt, langs: [post.content.language] },
    ...(at < 0 ? {} : { facets: [{ index, features }] }),
  }
}

interface Asked {
  readonly what: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

const ask = <S extends v.GenericSchema>(ctx: OwnerContext, url: string, answer: S, asked: Asked) =>
  askAddress(ctx, { ...asked, url, answer, faultOf: blueskyFault })

function blueskyFault(answer: AddressAnswer): ServiceFault | null {
  const said = v.safeParse(errorForm, answer.json)
  if (!said.success) return null
  const { error, message } = said.output
  const words = `Bluesky refused: ${message || error}`.slice(0, 300)
  // Older servers say in words that there is no record.
  const isAbsent = error === 'RecordNotFound' || message.startsWith('Could not locate record')
  if (answer.status === 400 && isAbsent) return new ServiceFault('permanent', words, { code: noRecord })
  const isToken = ['ExpiredToken', 'InvalidToken', 'AuthenticationRequired'].includes(error)
  if (isToken && answer.status < 500) return new ServiceFault('auth', words, { code: error })
  return statusFault(answer, words)
}
