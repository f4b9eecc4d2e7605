import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FollowedFile, type FollowOptions } from '../../ship/follow-file'
import type { LineSource } from '../../ship/position'
import { openState } from '../../ship/state'

/** A folder with logs and the state of a shipper. */
export function shipWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'renown-ship-'))
  const log = join(folder, 'access.log')
  const open = () => openState(join(folder, 'state'))
  const world = {
    folder,
    log,
    open,
    state: open(),
    warnings: [] as string[],
    now: Date.now(),
    /** Opens the state again, as a process does that was killed. */
    reopen() {
      world.state.close()
      world.state = open()
    },
    follow: (given: Partial<FollowOptions> = {}) =>
      new FollowedFile({
        path: log,
        state: world.state,
        fromStart: true,
        now: () => new Date(world.now),
        warn: (message) => world.warnings.push(message),
        ...given,
      }),
    stop() {
      world.state.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return world
}

/** A folder with logs and the state of a shipper. */
export type ShipWorld = ReturnType<typeof shipWorld>

/** Reads everything that a source has now and accepts it. Returns the lines. */
export async function drain(source: LineSource, keys: string[] = []): Promise<string[]> {
  const lines: string[] = []
  for (;;) {
    const batch = await source.next()
    if (!batch) return lines
    batch.begin()
    keys.push(batch.key)
    lines.push(...Buffer.from(batch.body).toString().split('\n').filter(Boolean))
    batch.accepted()
  }
}
