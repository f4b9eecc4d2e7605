import { join } from 'node:path'
import { firstLine } from './first-line'
import { findProgram } from './programs'

/**
 * What a MongoDB server behind the proxy seems to do: work, be killed, be stopped with SIGSTOP, accept and never answer, answer
 * late, or, in a set, step down.
 */
export type MongoFault = 'killed' | 'stopped' | 'silent' | 'slow' | 'step-down'

export interface MongoProxy {
  /** The address of the single server or of the set. */
  readonly uri: string
  /** Begins a fault. A step-down elects the other member after {@link electionMs}, if nothing else was asked for. */
  begin(fault: MongoFault): Promise<void>
  /** Ends it. */
  end(): Promise<void>
  stop(): Promise<void>
}

/** How late a slow server answers. */
const slowMs = 5_000

/** How long a set has no primary after a step-down. */
export const electionMs = 8_000

/** Starts a proxy before the server of `uri`, in a process of its own that is killed and stopped like a server. */
export async function startMongoProxy(
  uri: string,
  {
    isSet = false,
    leaderlessMs = electionMs,
  }: { readonly isSet?: boolean; readonly leaderlessMs?: number } = {},
): Promise<MongoProxy> {
  const target = new URL(uri)
  const start = async (ports: string) => {
    const child = Bun.spawn(
      [
        findProgram('node') ?? 'node',
        join(import.meta.dir, 'mongo-proxy-process.cjs'),
        isSet ? 'set' : 'single',
        target.hostname,
        target.port || '27017',
        ports,
        String(slowMs),
      ],
      { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
    )
    return { child, ports: (await firstLine(child.stdout)).trim() }
  }
  const first = await start(isSet ? '0,0' : '0')
  const { ports } = first
  let { child } = first
  let now: MongoFault | null = null
  const say = (line: string) => {
    child.stdin.write(`${line}\n`)
    child.stdin.flush()
  }
  const hosts = ports.split(',').map((port) => `127.0.0.1:${port}`)
  const query = isSet ? 'replicaSet=rs0' : 'directConnection=true'
  return {
    uri: `mongodb://${hosts.join(',')}${target.pathname}?${query}`,
    async begin(fault) {
      now = fault
      if (fault === 'killed') {
        child.kill('SIGKILL')
        await child.exited
      } else if (fault === 'stopped') child.kill('SIGSTOP')
      else say(fault === 'step-down' ? `step-down ${leaderlessMs}` : fault)
    },
    async end() {
      if (now === 'killed') child = (await start(ports)).child
      else if (now === 'stopped') child.kill('SIGCONT')
      else if (now !== 'step-down') say('none')
      now = null
    },
    async stop() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}
