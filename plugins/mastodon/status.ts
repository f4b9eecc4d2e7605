import { isServiceFault } from 'renown'
import { type ShownPost, textOfHtml } from 'renown/posts'
import type { StateRule } from 'renown/sending'
import * as v from 'valibot'

const id = v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{1,64}$/))

/** A status as servers with Mastodon's API return it. */
export const statusForm = v.object({
  id,
  url: v.nullish(v.string()),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
  content: v.string(),
  visibility: v.nullish(v.string()),
  account: v.nullish(v.object({ id })),
})

/** Who sees a status. `unlisted` is public too, and servers choose it for accounts that they have limited. */
export const visibilities: StateRule = {
  states: { public: 'visible', unlisted: 'visible', private: 'held', direct: 'held', local: 'held' },
  source: 'Mastodon, Status entity: `visibility`. Pleroma and Akkoma add `local`',
}

/** Returns a status as Renown judges it. `own` is the id of the account. */
export function shownStatus(
  { id: external_id, url, created_at, content, visibility, account }: v.InferOutput<typeof statusForm>,
  own: string,
  evidence: string,
): ShownPost {
  return {
    external_id,
    url: url ?? undefined,
    text: textOfHtml(content),
    created_at,
    state: visibility ?? undefined,
    evidence,
    ...(account && account.id !== own ? { isOther: `${external_id} is by another account.` } : {}),
  }
}

/** Returns null if the server says that a status does not exist. */
export async function orGone<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (isServiceFault(error) && error.message.includes('Record not found')) return null
    throw error
  }
}
