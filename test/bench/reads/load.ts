import { cpuOf, median } from '../../support/cpu'

/** One address under load: CPU of the process that serves it. */
export interface Target {
  readonly name: string
  readonly pid: number
  readonly url: string
  /** The URL of one request among many, where each is to be another. */
  readonly anew?: () => string
  readonly headers?: Readonly<Record<string, string>>
  /** What is posted, where it is no GET. */
  readonly body?: string
}

export interface Measured {
  readonly name: string
  /** CPU of the serving process for one request, microseconds, all threads, idle time taken off. */
  readonly cpuUs: number
  readonly bytes: number
}

/**
 * Puts the targets under the same load by turns, so that what else the machine does falls on all of them alike. `warmUp` requests to each
 * come first and are not measured.
 */
export async function measure(
  targets: readonly Target[],
  requests: number,
  rounds = 5,
  warmUp = Math.ceil(requests / 4),
): Promise<Measured[]> {
  const runs = new Map<Target, number[]>(targets.map((target) => [target, []]))
  let bytes = new Map<Target, number>()
  for (const target of targets) bytes = bytes.set(target, await load(target, warmUp))
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) runs.get(target)?.push(await cpuPerRequest(target, requests))
  }
  return targets.map((target) => ({
    name: target.name,
    cpuUs: median(runs.get(target) as number[]),
    bytes: bytes.get(target) as number,
  }))
}

async function cpuPerRequest(target: Target, requests: number): Promise<number> {
  const idleStart = cpuOf(target.pid)
  const idleMs = 250
  await Bun.sleep(idleMs)
  const start = cpuOf(target.pid)
  const idlePerMs = (start - idleStart) / idleMs
  const began = performance.now()
  await load(target, requests)
  const elapsed = performance.now() - began
  return Math.max(0, cpuOf(target.pid) - start - idlePerMs * elapsed) / requests
}

/**
 * Four connections, one request after another on each; answers the length of a body. Compression is asked for by name: a bare
 * server offers none.
 */
async function load(
  { url, anew = () => url, headers: own = {}, body }: Target,
  requests: number,
): Promise<number> {
  const headers = { 'accept-encoding': 'identity', ...own }
  let left = requests
  let length = 0
  const worker = async () => {
    while (left-- > 0) {
      const asked = anew()
      const answer = await fetch(asked, body === undefined ? { headers } : { method: 'POST', headers, body })
      length = (await answer.arrayBuffer()).byteLength
      if (!answer.ok) throw new Error(`${asked} answered ${answer.status}`)
    }
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return length
}
