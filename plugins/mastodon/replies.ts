import { ServiceFault, unreadable } from 'renown'
import { type AnsweredPost, type OpenThread, type OwnReply, plainText, type ReplyChannel } from 'renown/leads'
import { replyByPostAccount } from 'renown/posts'
import * as v from 'valibot'
import type { MastodonAccount } from './account'
import { orGone, shownStatus, statusForm, visibilities } from './status'

const what = "Mastodon's thread"
const id = v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{1,64}$/))
const status = v.object({
  ...statusForm.entries,
  created_at: v.nullish(statusForm.entries.created_at),
  in_reply_to_id: v.nullish(id),
  account: v.object({ id, acct: v.pipe(v.string(), v.minLength(1)) }),
})
type Status = v.InferOutput<typeof status>
const context = v.object({ descendants: v.array(status) })
const results = v.object({ statuses: v.array(v.object({ ...status.entries, uri: v.string() })) })

/** Answers posts of Mastodon, on any server, with the account that publishes the posts of the location. */
export const mastodonReplies: ReplyChannel = {
  name: 'mastodon',
  channel: 'mastodon',
  label: 'Mastodon',
  textMax: 450,
  countedIn: 'characters',
  proof: visibilities,
  ...replyByPostAccount('mastodon', 'Mastodon'),
}

/**
 * Opens a post on the server of the account. The server fetches posts of other servers by their address. A reply names the
 * author first, because otherwise nobody is notified.
 */
export async function openMastodonThread(
  { id: own, ask, keys }: MastodonAccount,
  post: AnsweredPost,
): Promise<OpenThread> {
  const query = new URLSearchParams({ q: post.url, resolve: 'true', type: 'statuses', limit: '1' })
  const { statuses } = await ask(`/api/v2/search?${query}`, results, { what: "Mastodon's search" })
  const found = statuses.find(({ url, uri }) => url === post.url || uri === post.url)
  if (statuses.length > 0 && !found) throw unreadable("Mastodon's search", 'it is another post')
  const path = `/api/v1/statuses/${found?.id}`
  const shown = (one: Status, evidence: string) => ({
    ...shownReply(one, own, found?.account.acct ?? ''),
    evidence,
  })
  return {
    keys,
    async look() {
      // The server of the account may not have fetched the post, so an empty search proves no deletion at its source.
      if (!found) throw new ServiceFault('permanent', 'The server of the account does not find the post.')
      if (!(await orGone(() => ask(path, status, { what })))) return { isGone: true }
      const { descendants } = await ask(`${path}/context`, context, { what })
      const direct = descendants.filter((one) => one.in_reply_to_id === found.id && one.account.id === own)
      return { isGone: false, own: direct.map((one) => shownReply(one, own, found.account.acct)) }
    },
    async send({ text, language }, { key }) {
      if (!found) {
        throw new ServiceFault('permanent', 'The server of the account does not find the post.', {
          delivery: 'unsent',
        })
      }
      const made = await ask('/api/v1/statuses', status, {
        what: "Mastodon's answer to the reply",
        headers: { 'idempotency-key': key },
        json: {
          status: `@${found.account.acct} ${text}`,
          in_reply_to_id: found.id,
          visibility: 'public',
          ...(language === 'und' ? {} : { language: language.slice(0, 2).toLowerCase() }),
        },
      })
      return shown(made, '200')
    },
    async read(external_id) {
      const one = await orGone(() =>
        ask(`/api/v1/statuses/${encodeURIComponent(external_id)}`, status, { what: "Mastodon's reply" }),
      )
      return one && shown(one, 'the reply')
    },
  }
}

/** Returns a reply without the name of the author, which the server shows without its own host. */
function shownReply({ created_at, ...status }: Status, own: string, acct: string): OwnReply {
  const { evidence: _, ...one } = shownStatus({ ...status, created_at: created_at ?? '' }, own, '')
  const [name = ''] = acct.split('@')
  const words = plainText(status.content)
  const starts = [`@${acct} `, `@${name} `].find((start) => words.startsWith(start)) ?? ''
  return { ...one, text: words.slice(starts.length), created_at: created_at ?? undefined }
}
