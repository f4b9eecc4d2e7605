import { dayMs, isServiceFault, type OwnerContext, ServiceFault, statusFault } from 'renown'
import { type AddressAnswer, askAddress, baseAddress, type PostChannelInfo } from 'renown/posts'
import type { ShownResult, StateRule } from 'renown/sending'
import * as v from 'valibot'

/** The collection of posts in a repository. */
export const collection = 'app.bsky.feed.post'
/** The code of a fault: the repository has no record with this key. */
const noRecord = 'no_record'
/** The code of a fault: there is no such post. */
export const noPost = 'no_post'

/** The state of a record that its repository shows. */
const inRepository = 'in the repository'
/** A repository is public, and has no drafts. */
export const recordStates: StateRule = {
  states: { [inRepository]: 'visible' },
  source: 'AT Protocol, com.atproto.repo.getRecord: repositories are public',
}
/** A repository has at most one record of a key, so a repeated write of it creates no second one. */
export const recordKeys = { isExact: true, lifetimeMs: async () => dayMs } as const

const sessionForm = v.object({
  did: v.pipe(v.string(), v.regex(/^did:[a-z]+:[\w.:%-]{1,200}$/)),
  accessJwt: v.pipe(v.string(), v.minLength(1)),
})
const recordForm = v.object({
  uri: v.pipe(v.string(), v.startsWith('at://')),
  cid: v.optional(v.string()),
  value: v.nullish(v.object({ text: v.nullish(v.string()), createdAt: v.nullish(v.string()) })),
})
const errorForm = v.object({ error: v.string(), message: v.optional(v.string(), '') })

/** The signed-in account of a location. */
export interface BlueskyAccount {
  readonly did: string
  /** Writes a record under this key. The repository has at most one record of a key. The answer does not show the record. */
  write(key: string, record: object): Promise<ShownResult>
  /** Returns the record of a key, or null if the repository says that it has none. */
  find(key: string): Promise<ShownResult | null>
  /** Reads a method of Bluesky. */
  read<S extends v.GenericSchema>(
    method: string,
    query: Readonly<Record<string, string>>,
    answer: S,
    what: string,
  ): Promise<v.InferOutput<S>>
}

/** Signs in with an app password. */
export async function openSession(
  ctx: OwnerContext,
  { address, account, secret }: PostChannelInfo,
): Promise<BlueskyAccount> {
  const base = `${baseAddress(address)}/xrpc`
  const repository = `${base}/com.atproto.repo`
  const { did, accessJwt } = await ask(ctx, `${base}/com.atproto.server.createSession`, sessionForm, {
    what: "Bluesky's session",
    secrets: [secret],
    json: { identifier: account, password: secret },
  })
  const signed = { secrets: [secret, accessJwt], headers: { authorization: `Bearer ${accessJwt}` } }
  const shown = ({ uri, value }: v.InferOutput<typeof recordForm>, key: string, evidence: string) => ({
    external_id: uri,
    evidence,
    url: `https://bsky.app/profile/${did}/post/${key}`,
    text: value?.text ?? undefined,
    created_at: value?.createdAt ?? undefined,
    ...(value ? { state: inRepository } : {}),
    ...(uri === `at://${did}/${collection}/${key}` ? {} : { isOther: `${uri} is another record.` }),
  })
  return {
    did,
    async write(rkey, record) {
      const made = await ask(ctx, `${repository}.createRecord`, recordForm, {
        ...signed,
        what: "Bluesky's answer to the post",
        json: { repo: did, collection, rkey, record },
      })
      return shown({ uri: made.uri }, rkey, '200')
    },
    async find(rkey) {
      const query = new URLSearchParams({ repo: did, collection, rkey })
      try {
        const url = `${repository}.getRecord?${query}`
        const found = await ask(ctx, url, recordForm, { ...signed, what: "Bluesky's record" })
        return shown(found, rkey, 'the record')
      } catch (error) {
        if (isServiceFault(error) && error.code === noRecord) return null
        throw error
      }
    },
    read: (method, query, answer, what) =>
      ask(ctx, `${base}/${method}?${new URLSearchParams(query)}`, answer, { ...signed, what }),
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
  if (answer.status === 400 && error === 'NotFound') {
    return new ServiceFault('permanent', words, { code: noPost })
  }
  if (answer.status === 400 && isAbsent) return new ServiceFault('permanent', words, { code: noRecord })
  const isToken = ['ExpiredToken', 'InvalidToken', 'AuthenticationRequired'].includes(error)
  if (isToken && answer.status < 500) return new ServiceFault('auth', words, { code: error })
  return statusFault(answer, words)
}
