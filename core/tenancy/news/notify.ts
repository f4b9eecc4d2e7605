import type { News } from '../../contracts/upkeep'
import { toStorable } from '../../contracts/values'
import type { Clock } from '../../process/clock'
import { sha256Hex } from '../../process/crypto'
import { ConflictError, type Documents } from '../../stores/documents/port'
import { newDocument } from '../../stores/documents/row-writes'
import { Notification } from './Notification'

/** Creates notifications. A unique index on the workspace and `once` refuses a second one with the same name. */
export function createNotify({ documents, clock }: { documents: Documents; clock: Clock }) {
  return async (news: News): Promise<void> => {
    const { once, workspace_id } = news
    const notifications = documents.collection(Notification)
    if (once !== undefined && (await notifications.get(await earlierId(workspace_id, once)))) return
    const row = newDocument(
      Notification,
      { ...news, ...wordsOf(news), is_read: false },
      workspace_id,
      clock.now(),
    )
    try {
      await notifications.insert(row)
    } catch (error) {
      if (once === undefined || !(error instanceof ConflictError)) throw error
    }
  }
}

/** The words may contain a stranger's, cut in the middle of a character. */
const wordsOf = ({ title, body }: News) => ({ title: toStorable(title), body: toStorable(body) })

/** The id that earlier versions gave to a notification that is sent once. Its row has no `once`, and it is not sent again. */
const earlierId = async (workspaceId: string, once: string) =>
  `ntf_${(await sha256Hex(`${workspaceId} ${once}`)).slice(0, 26).toUpperCase()}`
