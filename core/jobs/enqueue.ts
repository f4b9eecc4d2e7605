import * as v from 'valibot'
import type { Enqueue } from '../contracts/enqueue'
import type { Clock } from '../process/clock'
import type { Registry } from '../registry/registry'
import type { Documents } from '../stores/documents/port'
import { enqueue } from './queue'

interface Deps {
  readonly registry: Pick<Registry, 'queues'>
  readonly documents: Documents
  readonly clock: Clock
  readonly onEnqueued?: (() => void) | undefined
  /** Returns the agency of a workspace. Default: the workspace itself. */
  readonly agencyOf?: (workspaceId: string) => Promise<string>
}

/** Puts jobs into declared queues. Throws at once when a payload is invalid, not when the job runs. */
export function createEnqueue({
  registry,
  documents,
  clock,
  onEnqueued,
  agencyOf = async (id) => id,
}: Deps): Enqueue {
  return async (name, { workspace_id, payload, key, runAt }) => {
    const queue = registry.queues.get(name)
    if (!queue) throw new Error(`There is no queue ${name}. Known: ${[...registry.queues.keys()].join(', ')}`)
    const checked = v.safeParse(queue.payload, payload)
    if (!checked.success) {
      const [issue] = checked.issues
      throw new Error(
        `The data of a job in queue ${name} is invalid: ${v.getDotPath(issue) ?? ''} ${issue.message}`,
      )
    }
    const tenant = await agencyOf(workspace_id)
    const job = { queue: name, workspace_id, tenant, payload: payload as Record<string, unknown>, key, runAt }
    const enqueued = await enqueue(documents, clock, job)
    if (!enqueued.deduplicated) onEnqueued?.()
    return enqueued
  }
}
