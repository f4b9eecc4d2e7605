import type { News } from '../../contracts/upkeep'
import type { Clock } from '../../process/clock'
import { sha256Hex } from '../../process/crypto'
import { ConflictError, type Documents } from '../../stores/documents/port'
import { newDocument } from '../../stores/documents/row-writes'
import { Notification } from './Notification'

/** Writes news for people. What is told once has an id of its own making, so that the store refuses the second. */
export function createNotify({ documents, clock }: { documents: Documents; clock: Clock }) {
  return async ({ once, ...news }: News): Promise<void> => {
    const id = once === undefined ? {} : { id: await onceId(news.workspace_id, once) }
    const row = newDocument(Notification, { ...id, ...news, is_read: false }, news.workspace_id, clock.now())
    try {
      await documents.collection(Notification).insert(row)
    } catch (error) {
      if (once === undefined || !(error instanceof ConflictError)) throw error
    }
  }
}

const onceId = async (workspaceId: string, once: string) =>
  `ntf_${(await sha256Hex(`${workspaceId} ${once}`)).slice(0, 26).toUpperCase()}`
