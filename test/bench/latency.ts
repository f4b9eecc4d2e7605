import { offer } from './hits/open-loop'
import { noAnswer, requestsOf } from './hits/requests'
import { residentOf, type Server, startServer } from './hits/server'

const perSecond = 5_000
const seconds = 10
const connections = 64
const goalMs = 5

/**
 * How long hits wait that come one by one, 5,000 a second, for an answer that says that they are on the disk; beside
 * a bare server that keeps nothing. Each wait begins when its hit was due, so that a stall counts for all it delays.
 */
export async function run(): Promise<void> {
  for (const [kind, path] of [
    ['bare', '/single'],
    ['ingest', '/v1/hits'],
  ] as const) {
    const server = await startServer(kind)
    await waits(server, path, 2)
    const { sorted, refused } = await waits(server, path, seconds)
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2)
    console.log(
      `${kind}: ${sorted.length} answers of ${perSecond * seconds} due, ${refused} of them not 204; ` +
        `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms${kind === 'ingest' ? ` (goal ${goalMs})` : ''}, p99.9 ${at(0.999)} ms, ` +
        `most ${at(1)} ms; ${residentOf(server.pid).most} MB resident`,
    )
    await server.stop()
  }
}

async function waits({ port }: Server, path: string, forSeconds: number) {
  const took: number[] = []
  let refused = 0
  await offer({
    port,
    perSecond,
    connections,
    seconds: forSeconds,
    queueMax: Number.POSITIVE_INFINITY,
    request: requestsOf(path, 1, noAnswer),
    answered({ status }, ms) {
      took.push(ms)
      if (status !== 204) refused++
    },
  })
  return { sorted: took.sort((a, b) => a - b), refused }
}
