import { join } from 'node:path'
import { firstLine } from './first-line'

/** What a sender of requests has. */
export interface Sender {
  readonly key: string
  readonly cookie: string
  readonly csrf: string
  readonly workspaceId: string
}

interface HeldFacts {
  readonly port: number
  /** The path of an address for posts. */
  readonly inbound: string
  /** The id of a site of the loud sender. */
  readonly site: string
  readonly loud: Sender
  readonly quiet: Sender
}

/** A gateway in a process of its own, whose loop is watched. */
export interface HeldGateway extends HeldFacts {
  readonly origin: string
  /** Sends a request. Returns the status of its answer, which is read whole. */
  send(path: string, init?: RequestInit): Promise<number>
  /** Returns the longest work between two turns of its loop since the last call, in milliseconds of processor time. */
  longest(): Promise<number>
}

/** Runs a gateway with all plugins as long as the work takes. */
export async function withHeldGateway(work: (held: HeldGateway) => Promise<void>): Promise<void> {
  const program = join(import.meta.dir, 'held-gateway.ts')
  const child = Bun.spawn([process.execPath, program], { stdout: 'pipe', stderr: 'inherit' })
  try {
    const facts = JSON.parse(await firstLine(child.stdout)) as HeldFacts
    const origin = `http://localhost:${facts.port}`
    const send = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${origin}${path}`, { redirect: 'manual', ...init })
      await answer.arrayBuffer()
      return answer.status
    }
    const longest = async () => Number(await (await fetch(`${origin}/_held`)).text())
    await work({ ...facts, origin, send, longest })
  } finally {
    child.kill()
    await child.exited
  }
}
