import { type OwnerContext, ServiceFault, type SystemReads, unreadable } from 'renown'
import {
  type AnsweredPost,
  editLocation,
  type OpenThread,
  type OwnReply,
  openConnections,
  type ReplyChannel,
  type ReplyLocation,
  type SourceAsk,
  withToken,
} from 'renown/leads'
import * as v from 'valibot'
import { askAsAccount } from './account'
import { redditPostId } from './post-id'

const pageMax = 100
const what = 'The answer of Reddit'

const words = v.pipe(v.string(), v.minLength(1))
const thing = v.object({
  name: words,
  author: words,
  archived: v.nullish(v.boolean()),
  locked: v.nullish(v.boolean()),
  removed_by_category: v.nullish(v.string()),
})
const info = v.object({
  kind: v.literal('Listing'),
  data: v.object({ children: v.array(v.object({ kind: words, data: thing })) }),
})
const comment = v.object({
  name: v.pipe(v.string(), v.startsWith('t1_')),
  parent_id: words,
  body: v.string(),
  permalink: v.nullish(v.string()),
  created_utc: v.pipe(v.number(), v.minValue(0)),
})
const comments = v.object({
  kind: v.literal('Listing'),
  data: v.object({
    after: v.nullish(v.string()),
    children: v.array(v.object({ kind: v.literal('t1'), data: comment })),
  }),
})
const made = v.object({
  json: v.object({
    errors: v.array(v.array(v.nullish(v.union([v.string(), v.number()])))),
    data: v.nullish(
      v.object({
        things: v.tuple([v.object({ data: v.object({ name: words, permalink: v.nullish(v.string()) }) })]),
      }),
    ),
  }),
})
/** The state of a comment that the list of its account has. */
const inList = 'in the list of the account'

const me = v.object({ id: words, name: v.pipe(v.string(), v.regex(/^[\w-]{1,30}$/)) })

/** Answers posts and comments of Reddit as the account of the location. */
export const redditReplies: ReplyChannel = {
  name: 'reddit',
  channel: 'reddit',
  label: 'Reddit',
  textMax: 10_000,
  countedIn: 'characters',
  proof: {
    states: { [inList]: 'visible' },
    source: 'Reddit API: the comments of an account. Reddit tells only moderators that it filtered one',
  },
  async accountOf(ctx, location) {
    const id = location.reddit_account_id
    if (id === undefined) {
      return {
        why: 'The location has no Reddit account. Enter the fullname of its account at the location.',
        fix: editLocation(location.id),
      }
    }
    const connection = await connectionOf(ctx, location)
    if (connection) return { id, name: connection.account_name ?? id }
    const why = `The account ${id} is not connected. Connect it under Settings, Connections.`
    return { why: `${why} This needs an app that Reddit approved.`, fix: openConnections }
  },
  refusal: (post) =>
    nameOf(post) === null ? 'The address is not that of a post or comment on Reddit.' : null,
  async open(ctx, location, post) {
    const name = nameOf(post)
    const connection = await connectionOf(ctx, location)
    if (!name || !connection) throw new ServiceFault('auth', 'The account of the location is not connected.')
    const ask = asker(ctx, connection.id)
    const { id, name: author } = await ask('/api/v1/me', { answer: me })
    if (`t2_${id}` !== connection.account_id) {
      throw new ServiceFault('auth', 'Reddit says that the token is of another account. Connect it again.')
    }
    return openThread(ask, name, author)
  },
}

/** Returns the fullname of a post or a comment, by its address. */
function nameOf({ url, source_id }: Pick<AnsweredPost, 'url' | 'source_id'>): string | null {
  const address = URL.parse(url)
  if (!address || !/^(?:[a-z]{1,10}\.)?redd(?:it\.com|\.it)$/.test(address.hostname)) return null
  const byAddress = redditPostId(address)
  if (byAddress !== null) return byAddress
  return /^t[13]_[0-9a-z]{1,15}$/.test(source_id) ? source_id : null
}

async function connectionOf(
  ctx: Pick<SystemReads, 'outbound'>,
  { workspace_id, reddit_account_id }: ReplyLocation,
) {
  const known = await ctx.outbound.connections.list({ workspace_id, provider: 'reddit' })
  return known.find(({ account_id }) => account_id === reddit_account_id) ?? null
}

/** Returns the function that calls Reddit as the account. */
const asker =
  (ctx: OwnerContext, connection: string) =>
  <S extends v.GenericSchema>(path: string, asked: Omit<SourceAsk<S>, 'url'>): Promise<v.InferOutput<S>> =>
    withToken(ctx, connection, (token) => askAsAccount(ctx, token, path, { isUrgent: true, ...asked }))
type Ask = ReturnType<typeof asker>

function openThread(ask: Ask, name: string, author: string): OpenThread {
  return {
    async look(since) {
      const { data } = await ask('/api/info', { query: { id: name, raw_json: 1 }, answer: info })
      const found = data.children.find((one) => one.data.name === name)
      if (data.children.length > 0 && !found) throw unreadable(what, 'it is another post')
      if (!found || isClosed(found.data)) return { isGone: true }
      // The list of the account's own comments proves what was sent, also below a long thread.
      const query = { limit: pageMax, sort: 'new', raw_json: 1 }
      const own = await ask(`/user/${author}/comments`, { query, answer: comments })
      const all = own.data.children.map((one) => one.data)
      const oldest = Math.min(...all.map(({ created_utc }) => created_utc * 1_000))
      const isPart = own.data.after != null && oldest >= since.getTime()
      return { isGone: false, own: all.filter(({ parent_id }) => parent_id === name).map(ownReply), isPart }
    },
    async send({ text }) {
      const form = { api_type: 'json', thing_id: name, text, raw_json: '1' }
      const { json } = await ask('/api/comment', { form, answer: made })
      const [first] = json.errors
      if (first) throw refused(first.map(String))
      const [sent] = json.data?.things ?? []
      if (!sent) throw unreadable(what, 'json.data is missing')
      return { external_id: sent.data.name, evidence: '200', ...addressOf(sent.data.permalink) }
    },
  }
}

const isClosed = ({ author, archived, locked, removed_by_category }: v.InferOutput<typeof thing>) =>
  archived === true || locked === true || removed_by_category != null || author === '[deleted]'

const ownReply = ({ name, body, permalink, created_utc }: v.InferOutput<typeof comment>): OwnReply => ({
  external_id: name,
  text: body,
  created_at: new Date(created_utc * 1_000).toISOString(),
  state: inList,
  ...addressOf(permalink),
})

const addressOf = (permalink: string | null | undefined) =>
  permalink ? { url: `https://www.reddit.com${permalink}` } : {}

/** Reddit refuses a comment with status 200 and a list of errors. */
function refused([code = 'failed', message = '']: readonly string[]): ServiceFault {
  const kind = code === 'RATELIMIT' ? 'rate' : 'permanent'
  const said = `Reddit refused: ${message || code}`.slice(0, 300)
  const wait = /(\d{1,3}) (second|minute)/.exec(message)
  const waitMs = wait ? Number(wait[1]) * (wait[2] === 'minute' ? 60_000 : 1_000) : undefined
  return new ServiceFault(kind, said, {
    code,
    delivery: 'refused',
    ...(waitMs ? { retryAfterMs: waitMs } : {}),
  })
}
