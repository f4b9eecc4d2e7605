import { join } from 'node:path'
import { firstLine } from '../../support/first-line'
import type { HostileBody } from './hostile-bodies'
import { token } from './ingest'
import { inTemporaryFolder } from './journal'

/** An ingest in a process of its own, whose loop is watched. */
export interface HeldIngest {
  /** Sends a body. Returns the status of its answer. */
  send(path: string, body: HostileBody, made: Uint8Array, more?: Record<string, string>): Promise<number>
  /** Sends an ordinary body as the neighbour. Returns the status of its answer. */
  sendAsNeighbour(body: string): Promise<number>
  /** Returns the longest work between two turns of its loop since the last call, in milliseconds of processor time. */
  longest(): Promise<number>
}

/** Runs an ingest with these settings as long as the work takes. */
export function withHeldIngest(
  settings: Readonly<Record<string, string>>,
  work: (held: HeldIngest) => Promise<void>,
): Promise<void> {
  return inTemporaryFolder(async (directory) => {
    const program = join(import.meta.dir, 'held-ingest.ts')
    const child = Bun.spawn([process.execPath, program, directory, JSON.stringify(settings)], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
    try {
      const origin = `http://127.0.0.1:${(await firstLine(child.stdout)).trim()}`
      const post = async (path: string, body: Uint8Array | string, headers: Record<string, string>) => {
        const answer = await fetch(`${origin}${path}`, { method: 'POST', body: body as string, headers })
        await answer.arrayBuffer()
        return answer.status
      }
      await work({
        send: (path, { headers }, made, more = {}) =>
          post(path, made, { ...headers, authorization: `Bearer ${token}`, ...more }),
        sendAsNeighbour: (body) =>
          post('/v1/hits', body, {
            authorization: 'Bearer rnw_fwd_of-the-neighbour',
            'content-type': 'application/json',
          }),
        longest: async () => Number(await (await fetch(`${origin}/_held`)).text()),
      })
    } finally {
      child.kill()
      await child.exited
    }
  })
}
