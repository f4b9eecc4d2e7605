import { cpuOf, median } from '../support/cpu'
import { keepBusy } from './hits/connection'
import { noAnswer, requestsOf } from './hits/requests'
import { residentOf, type Server, startServer } from './hits/server'

const rounds = 5
const seconds = 2

interface Round {
  readonly perSecond: number
  readonly cpuMicros: number
}

/**
 * Hits of `/v1/hits`, one a request and 1,000 a request, each answered after its sync to the disk, beside a bare
 * `Bun.serve` that parses the same bodies. Both servers are measured in turns of one run.
 */
export async function run(): Promise<void> {
  const bare = await startServer('bare')
  const ingest = await startServer('ingest')
  for (const [what, hits, connections, header] of [
    ['single, answered 204', 1, 256, noAnswer],
    ['single, answered with counts', 1, 256, ''],
    ['batch', 1_000, 8, ''],
  ] as const) {
    const measured = { bare: [] as Round[], ingest: [] as Round[] }
    for (let round = 0; round <= rounds; round++) {
      const ofBare = await load(bare, hits === 1 ? '/single' : '/batch', hits, connections, header)
      const ofIngest = await load(ingest, '/v1/hits', hits, connections, header)
      // The first is for warming up.
      if (round > 0) {
        measured.bare.push(ofBare)
        measured.ingest.push(ofIngest)
      }
    }
    report(what, measured)
    const most = (server: Server) => residentOf(server.pid).most
    console.log(`most resident memory so far: bare ${most(bare)} MB, ingest ${most(ingest)} MB`)
  }
  await Promise.all([bare.stop(), ingest.stop()])
}

function report(what: string, measured: { bare: Round[]; ingest: Round[] }) {
  const of = (rounds: Round[], key: keyof Round) => median(rounds.map((round) => round[key]))
  const bareRate = of(measured.bare, 'perSecond')
  const rate = of(measured.ingest, 'perSecond')
  const bareCpu = of(measured.bare, 'cpuMicros')
  const cpu = of(measured.ingest, 'cpuMicros')
  console.log(
    `${what}: bare ${Math.round(bareRate)} hits/s, ${bareCpu.toFixed(2)} µs CPU a hit; ` +
      `ingest ${Math.round(rate)} hits/s, ${cpu.toFixed(2)} µs CPU a hit; ` +
      `ratio ${((100 * rate) / bareRate).toFixed(0)} % of the hits/s, ${((100 * bareCpu) / cpu).toFixed(0)} % by CPU`,
  )
}

/** Keeps every connection busy with one request at a time. */
async function load(
  { port, pid }: Server,
  path: string,
  hits: number,
  connections: number,
  header: string,
): Promise<Round> {
  const request = requestsOf(path, hits, header)
  const before = cpuOf(pid)
  const began = performance.now()
  const done = await keepBusy(port, connections, began + seconds * 1000, request)
  const spent = performance.now() - began
  return { perSecond: (1000 * done * hits) / spent, cpuMicros: (cpuOf(pid) - before) / (done * hits) }
}
